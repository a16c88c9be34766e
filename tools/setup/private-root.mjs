// A private Debian root with a modern Emscripten, Highway and Eigen in it. Nothing on the host changes.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { aptProxy, debianMirror } from "./mirror.mjs";
import { privateRoot, privateRootIsNamed, wantedEmscripten } from "./paths.mjs";
import { capture, mustRun } from "./run.mjs";
import { SetupError, seconds } from "./stage.mjs";
import { buildSystemLibraries } from "./system-libraries.mjs";

/** The Debian suite that carries the wanted version, and the debootstrap script an older host knows it by. */
const suite = "forky";
const script = "sid";
const packages = ["emscripten", "libhwy-dev", "libeigen3-dev"];

/** Written last, inside the root: a root without it was interrupted and counts as not there. */
const stampName = "attention-loom.json";

/** @typedef {{ root: string, emscripten: string, packages: Record<string, string> }} PrivateRoot */

/** @returns {PrivateRoot | undefined} */
export function findPrivateRoot(root = privateRoot) {
  const file = join(root, stampName);
  if (!existsSync(file)) return undefined;
  return { root, ...JSON.parse(readFileSync(file, "utf8")) };
}

/** Removes a half-made root. Mounts are made in a private namespace (see `inside`), so none is left below it. */
async function remove(/** @type {string} */ folder) {
  if (!existsSync(folder)) return;
  const { code } = await capture("rm", ["-rf", "--one-file-system", folder]);
  if (code !== 0)
    throw new SetupError(
      `Could not remove the half-made toolchain in ${folder}; remove it by hand and run this again.`,
    );
}

/**
 * Runs a command that makes the root, in namespaces of its own: its mounts and its whole process tree go away with it,
 * and it goes away with this process, so that an interrupted set-up leaves nothing that still writes.
 *
 * @param {string} log @param {string} sentence @param {string[]} command @param {NodeJS.ProcessEnv} env
 */
const contained = (log, sentence, command, env) =>
  mustRun(
    log,
    sentence,
    "setpriv",
    ["--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", ...command],
    { env },
  );

/** A command line that runs the command inside the root. */
const inside = (/** @type {string} */ root, /** @type {string[]} */ command) => [
  "sh",
  "-c",
  'root=$1; shift; mount -t proc proc "$root/proc" && exec chroot "$root" "$@"',
  "sh",
  root,
  ...command,
];

async function installInto(/** @type {string} */ root, /** @type {(sentence: string) => void} */ say) {
  const proxy = await aptProxy();
  const env = {
    ...process.env,
    DEBIAN_FRONTEND: "noninteractive",
    LC_ALL: "C.UTF-8",
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    ...(proxy ? { http_proxy: proxy } : {}),
  };
  const sentence =
    "Could not make the private toolchain; check that apt's Debian mirror is reachable and run this again.";
  const mirror = debianMirror();
  const extra = mirror.startsWith("https:") ? ["--include=ca-certificates"] : [];
  let start = performance.now();
  const lap = () => {
    const time = seconds(performance.now() - start);
    start = performance.now();
    return time;
  };
  const bootstrap = ["debootstrap", "--variant=minbase", ...extra, suite, root, mirror, script];
  await contained("debootstrap", sentence, bootstrap, env);
  say(`base system unpacked (${lap()})`);
  // A mirror's copy of a testing suite may lag behind its own expiry date; its signature is still checked.
  const settings = ['Acquire::Check-Valid-Until "false";', 'APT::Install-Recommends "false";'];
  if (proxy) settings.push(`Acquire::http::Proxy "${proxy}";`);
  writeFileSync(join(root, "etc/apt/apt.conf.d/99attention-loom"), `${settings.join("\n")}\n`);
  writeFileSync(join(root, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  await contained("root-update", sentence, inside(root, ["apt-get", "update"]), env);
  await contained("root-install", sentence, inside(root, ["apt-get", "install", "-y", ...packages]), env);
  say(`${packages.join(", ")} installed (${lap()})`);
}

/** Everything after the installation: version check, system libraries, unneeded downloads away, stamp. */
export async function complete(/** @type {string} */ root, /** @type {(sentence: string) => void} */ say) {
  const version = readFileSync(join(root, "usr/share/emscripten/emscripten-version.txt"), "utf8")
    .trim()
    .replaceAll('"', "");
  const start = performance.now();
  say(`building Emscripten's system libraries once (about 1–2 minutes)`);
  await buildSystemLibraries(root);
  say(`system libraries built (${seconds(performance.now() - start)})`);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is dpkg-query's own format language
  const query = ["dpkg-query", "--admindir", join(root, "var/lib/dpkg"), "-W", "-f", "${Package} ${Version}\\n"];
  const { out } = await capture(/** @type {string} */ (query[0]), [...query.slice(1), ...packages]);
  const found = Object.fromEntries(
    out
      .trim()
      .split("\n")
      .map((line) => line.split(" ")),
  );
  rmSync(join(root, "var/cache/apt"), { recursive: true, force: true });
  rmSync(join(root, "var/lib/apt/lists"), { recursive: true, force: true });
  writeFileSync(join(root, stampName), `${JSON.stringify({ emscripten: version, packages: found }, null, 2)}\n`);
}

/**
 * Makes the private root unless it is there. Needs root rights; takes two to four minutes and 1.3 GB the first time.
 *
 * @param {(sentence: string) => void} say
 * @returns {Promise<PrivateRoot>}
 */
export async function bringPrivateRoot(say) {
  const there = findPrivateRoot();
  if (there) return there;
  const onWait = (/** @type {number | undefined} */ pid) =>
    say(`waiting for another set-up${pid ? ` (process ${pid})` : ""} that is making the toolchain`);
  return withLock(`${privateRoot}.lock`, onWait, async () => {
    const made = findPrivateRoot();
    if (made) return made;
    if (existsSync(privateRoot)) {
      if (privateRootIsNamed) {
        throw new SetupError(
          `LOOM_TOOLCHAIN names ${privateRoot}, which holds no finished toolchain; name an empty place or remove that folder.`,
        );
      }
      await remove(privateRoot);
    }
    say(`making a private root with Emscripten ${wantedEmscripten} or newer in ${privateRoot} (2–4 minutes, once)`);
    const folder = `${privateRoot}.making`;
    await remove(folder);
    mkdirSync(dirname(folder), { recursive: true });
    await installInto(folder, say);
    await complete(folder, say);
    renameSync(folder, privateRoot);
    return /** @type {PrivateRoot} */ (findPrivateRoot());
  });
}
