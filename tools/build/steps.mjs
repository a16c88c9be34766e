// The build as a short list of steps: what each reads, what it writes, and the command that does it.
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { wasmFiles } from "../package/wasm-url.mjs";
import { inProject, projectRoot } from "../setup/paths.mjs";
import { mustRun } from "../setup/run.mjs";

/** @typedef {import("./fingerprint.mjs").Step} Step */

const here = { cwd: projectRoot };
const failed = (/** @type {string} */ what) => `${what} did not build.`;

const glue = "build/wasm/loom-core.mjs";
const wasmPaths = wasmFiles.map((file) => `build/wasm/${file}`);

/** @type {Step} */
export const wasm = {
  name: "wasm",
  inputs: ["cpp", "CMakeLists.txt", "CMakePresets.json", "build/toolchain/stamp.json"],
  outputs: [glue, ...wasmPaths],
  run: async () => {
    for (const file of wasmFiles) {
      const preset = file.replace("loom-core", "wasm").replace(".wasm", "");
      const sentence = failed("The WebAssembly core");
      // Fresh: a cache of another place or compiler would be believed. What is compiled and unchanged stays.
      await mustRun(`${preset}-configure`, sentence, "cmake", ["--fresh", "--preset", preset], here);
      await mustRun(`${preset}-build`, sentence, "cmake", ["--build", "--preset", preset], here);
      if (preset === "wasm") continue;
      const folder = inProject("build", preset);
      // All three are loaded by one script: a page that takes another build loads no other script.
      if (!readFileSync(`${folder}/loom-core.mjs`).equals(readFileSync(inProject(glue)))) {
        throw new Error(`The compiler's script for ${preset} differs from ${glue}: one script cannot load both.`);
      }
      copyFileSync(`${folder}/loom-core.wasm`, inProject("build/wasm", file));
    }
  },
};

/** @type {Step} */
export const dist = {
  name: "dist",
  inputs: [
    "web",
    glue,
    ...wasmPaths,
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
    ...wasmFiles.map((file) => `dist/${file}`),
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
    glue,
    ...wasmPaths,
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
