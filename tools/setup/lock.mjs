// A lock between processes: a folder that only one can make, with the owner's process id in it.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const ownerFile = "owner.json";
/** A lock folder without an owner file is stale after this time: making the two takes well under a second. */
const namelessMilliseconds = 10_000;

/** When a process started, in clock ticks since boot, so that a reused process id is not taken for the owner. */
function startTime(/** @type {number} */ pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function isAlive(/** @type {number} */ pid, /** @type {string} */ started) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
  return started === startTime(pid);
}

/** @returns {{ stale: boolean, pid?: number }} */
function inspect(/** @type {string} */ folder) {
  try {
    const { pid, started } = JSON.parse(readFileSync(join(folder, ownerFile), "utf8"));
    return { stale: !isAlive(pid, started), pid };
  } catch {
    try {
      return { stale: Date.now() - statSync(folder).mtimeMs > namelessMilliseconds };
    } catch {
      return { stale: false };
    }
  }
}

/**
 * Runs `work` while holding the lock; waits for a living owner, takes over from a dead one.
 *
 * @template T
 * @param {string} folder the lock's folder; it is gone afterwards
 * @param {(pid: number | undefined) => void} onWait called once when another process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, onWait, work) {
  mkdirSync(dirname(folder), { recursive: true });
  let told = false;
  for (;;) {
    try {
      mkdirSync(folder);
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    const { stale, pid } = inspect(folder);
    if (stale) {
      // Renaming succeeds for one process only, so two that find the lock stale cannot both remove a fresh one.
      const aside = `${folder}.stale-${process.pid}`;
      try {
        renameSync(folder, aside);
        rmSync(aside, { recursive: true, force: true });
      } catch {
        // Another process was faster; look again.
      }
      continue;
    }
    if (!told) onWait(pid);
    told = true;
    await delay(500);
  }
  writeFileSync(join(folder, ownerFile), JSON.stringify({ pid: process.pid, started: startTime(process.pid) }));
  const release = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.removeListener("exit", release);
    release();
  }
}
