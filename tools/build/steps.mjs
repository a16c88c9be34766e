// The build as a short list of steps: what each reads, what it writes, and the command that does it.
import { rmSync } from "node:fs";
import { inProject, projectRoot } from "../setup/paths.mjs";
import { mustRun } from "../setup/run.mjs";

/** @typedef {import("./fingerprint.mjs").Step} Step */

const here = { cwd: projectRoot };
const failed = (/** @type {string} */ what) => `${what} did not build.`;

/** @type {Step} */
export const wasm = {
  name: "wasm",
  inputs: ["cpp", "CMakeLists.txt", "CMakePresets.json", "build/toolchain/stamp.json"],
  outputs: ["build/wasm/loom-core.mjs", "build/wasm/loom-core.wasm"],
  run: async () => {
    // Fresh: a cache of another place or compiler would be believed. What is compiled and unchanged stays.
    await mustRun("wasm-configure", failed("The WebAssembly core"), "cmake", ["--fresh", "--preset", "wasm"], here);
    await mustRun("wasm-build", failed("The WebAssembly core"), "cmake", ["--build", "--preset", "wasm"], here);
  },
};

/** @type {Step} */
export const dist = {
  name: "dist",
  inputs: [
    "web",
    "build/wasm/loom-core.mjs",
    "build/wasm/loom-core.wasm",
    "package.json",
    "package-lock.json",
    "tools/build-package.mjs",
    "tools/package",
    "tsconfig.json",
    "tsconfig.types.json",
  ],
  outputs: [
    "dist/index.js",
    "dist/node.js",
    "dist/element.js",
    "dist/element-node.js",
    "dist/math-font.js",
    "dist/loom-core.wasm",
    "dist/types",
  ],
  run: async () => {
    rmSync(inProject("dist"), { recursive: true, force: true });
    await mustRun("dist", failed("The npm package"), process.execPath, [inProject("tools/build-package.mjs")], here);
  },
};

/** @type {Step} */
export const site = {
  name: "site",
  inputs: [
    "web",
    "content",
    "build/wasm/loom-core.mjs",
    "build/wasm/loom-core.wasm",
    "package-lock.json",
    "tools/build-site.mjs",
    "tools/site",
    "tools/package/math-font.mjs",
    "tsconfig.json",
  ],
  outputs: ["build/site/index.html"],
  run: () => mustRun("site", failed("The site"), process.execPath, [inProject("tools/build-site.mjs")], here),
};

/** @type {Record<string, Step>} */
export const steps = { wasm, dist, site };
