// Finds the compiler: the user's own Emscripten first, then the private root, else one sentence.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { bringPackages, findCommand, hasApt, isRoot, needs } from "./apt.mjs";
import { wantedEmscripten } from "./paths.mjs";
import { bringPrivateRoot, findPrivateRoot } from "./private-root.mjs";
import { capture } from "./run.mjs";
import { SetupError } from "./stage.mjs";

/**
 * @typedef {{ kind: "path" | "private root", version: string, folder: string, headers: string | undefined,
 *   packages: Record<string, string> }} Compiler
 * `folder` is the SDK's folder or the private root; `headers` the folder that holds `hwy` and `eigen3`, if any.
 */

/** Emscripten's description of itself for CMake, in the folder of an SDK. */
export const platformFile = (/** @type {string} */ sdk) => join(sdk, "cmake/Modules/Platform/Emscripten.cmake");

/** @returns {number[]} */
const numbers = (/** @type {string} */ version) => version.split(".").map(Number);

/** Whether version `a` is at least `b`. */
export function isAtLeast(/** @type {string} */ a, /** @type {string} */ b) {
  const [x, y] = [numbers(a), numbers(b)];
  for (let i = 0; i < y.length; i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** The folder with Emscripten's CMake files: beside the program in the SDK, elsewhere in packaged ones. */
function sdkFolder(/** @type {string} */ emcc) {
  const beside = dirname(emcc);
  const places = [
    beside,
    join(beside, "../libexec"),
    join(beside, "../share/emscripten"),
    join(beside, "../lib/emscripten"),
  ];
  const found = places.find((place) => existsSync(platformFile(place)));
  if (found) return found;
  throw new SetupError(
    `${emcc} was found, but not Emscripten's CMake files that belong to it; set EMSDK to the SDK's folder or take that emcc off PATH.`,
  );
}

/** The caller's own emcc with its version, if there is one. */
async function ownEmcc() {
  const sdk = process.env.EMSDK ? join(process.env.EMSDK, "upstream/emscripten/emcc") : "";
  const emcc = findCommand("emcc") ?? (existsSync(sdk) ? sdk : undefined);
  if (!emcc) return undefined;
  const { out } = await capture(emcc, ["--version"]);
  const version = /emcc \(.*?\) (\d+\.\d+\.\d+)/.exec(out)?.[1] ?? "0.0.0";
  return { version, folder: sdkFolder(realpathSync(emcc)) };
}

/** The private root, made where that is possible: its headers serve every build, its compiler those without their own. */
async function headersAndCompiler(/** @type {(sentence: string) => void} */ say) {
  const mayMake = hasApt() && isRoot();
  if (mayMake) await bringPackages(needs.privateRoot, say);
  return mayMake ? bringPrivateRoot(say) : findPrivateRoot();
}

/**
 * @param {(sentence: string) => void} say
 * @returns {Promise<Compiler>}
 */
export async function bringCompiler(say) {
  const own = await ownEmcc();
  const root = await headersAndCompiler(say);
  if (own && isAtLeast(own.version, wantedEmscripten)) {
    return { kind: "path", ...own, headers: root && join(root.root, "usr/include"), packages: root?.packages ?? {} };
  }
  if (root) {
    const headers = join(root.root, "usr/include");
    return { kind: "private root", version: root.emscripten, folder: root.root, headers, packages: root.packages };
  }
  const found = own ? `emcc ${own.version} was found` : "no emcc was found on PATH or under $EMSDK";
  throw new SetupError(
    `Emscripten ${wantedEmscripten} or newer is wanted and ${found}: bring it with the Emscripten SDK's command ` +
      `"./emsdk install ${wantedEmscripten} && ./emsdk activate ${wantedEmscripten} && . ./emsdk_env.sh" (or run this as root on Debian).`,
  );
}
