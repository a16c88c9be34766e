// Runs the fuzz targets. Each begins with the inputs in tests/fuzz/corpus; what it finds in passing is thrown away, what
// makes it fail is left in build/fuzz.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inProject, projectRoot } from "../setup/paths.mjs";
import { mustRun } from "../setup/run.mjs";
import { seconds } from "../setup/stage.mjs";
import { oneFailed, onePassed, sum } from "./tally.mjs";

/** The targets and their share of the executions: `calls` is three times as fast as the others. */
const shares = { attend: 0.2, calls: 0.65, targets: 0.15 };

/** What every run of the tests does. */
export const RUNS_OF_A_CHANGE = 1_000_000;

/** @returns {Promise<{ code: number | null, executed: number, tail: string }>} */
function run(/** @type {string} */ name, /** @type {number} */ runs, /** @type {number} */ seed) {
  const corpus = inProject("tests", "fuzz", "corpus", name);
  const found = inProject("build", "fuzz", name);
  rmSync(found, { recursive: true, force: true });
  mkdirSync(join(found, "new"), { recursive: true });
  // New inputs go into the first folder. Without the entropic schedule, whose bookkeeping took half of the time.
  const flags = [
    `-runs=${runs}`,
    `-seed=${seed}`,
    "-max_len=800",
    "-timeout=20",
    "-entropic=0",
    "-print_final_stats=1",
  ];
  const program = inProject("build", "native-fuzz", `fuzz_${name}`);
  const child = spawn(program, [...flags, `-artifact_prefix=${found}/`, join(found, "new"), corpus], {
    cwd: projectRoot,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let tail = "";
  child.stderr.on("data", (/** @type {Buffer} */ chunk) => {
    tail = (tail + chunk).slice(-20_000);
  });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: null, executed: 0, tail: error.message }));
    child.on("close", (code) => {
      const executed = Number(/stat::number_of_executed_units: (\d+)/.exec(tail)?.[1] ?? 0);
      resolve({ code, executed, tail });
    });
  });
}

/**
 * Builds the targets and runs them, all at a time.
 *
 * @param {number} runs executions over all targets
 * @param {number} seed
 * @returns {Promise<import("./tally.mjs").Counts & { executed: number }>} one test for each target
 */
export async function fuzz(runs, seed) {
  const sentence = "The fuzz targets did not build.";
  await mustRun("fuzz-configure", sentence, "cmake", ["--preset", "native-fuzz"], { cwd: projectRoot });
  await mustRun("fuzz-build", sentence, "cmake", ["--build", "--preset", "native-fuzz"], { cwd: projectRoot });
  let total = 0;
  const each = Object.entries(shares).map(async ([name, share]) => {
    const start = performance.now();
    const wanted = Math.round(runs * share);
    const { code, executed, tail } = await run(name, wanted, seed);
    total += executed;
    const good = code === 0 && executed >= wanted;
    const stored = readdirSync(inProject("tests", "fuzz", "corpus", name)).length;
    const words = `fuzz ${name}: ${executed} executions from ${stored} stored inputs, seed ${seed}`;
    console.log(`${good ? "✓" : "✗"} ${words}  ${seconds(performance.now() - start)}`);
    if (!good) console.error(`${tail}\n✗ exit code ${code}; what was found is in build/fuzz/${name}.`);
    return good ? onePassed : oneFailed;
  });
  return { ...sum(await Promise.all(each)), executed: total };
}
