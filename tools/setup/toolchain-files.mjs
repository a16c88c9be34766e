// Writes build/toolchain: what CMake reads of this machine, and the header-only libraries every build uses.

import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { platformFile } from "./compiler.mjs";
import { inProject } from "./paths.mjs";
import { wrapperText } from "./wrapper-text.mjs";

/** @typedef {import("./compiler.mjs").Compiler} Compiler */

const folder = inProject("build", "toolchain");
const tools = ["emcc", "em++", "emar", "emranlib", "emnm", "em-config", "emscan-deps"];
const libraries = ["hwy", "eigen3"];

/** A CMake bracket argument, which takes any path as it is. */
const bracket = (/** @type {string} */ text) => `[==[${text}]==]`;

/** @param {Compiler} compiler */
function wasmCmake(compiler) {
  if (compiler.kind === "path") return `include(${bracket(platformFile(compiler.folder))})\n`;
  const sdk = join(compiler.folder, "usr/share/emscripten");
  return `# Emscripten's own platform file, with the compilers taken from the wrappers beside this file.
set(EMSCRIPTEN_ROOT_PATH "\${CMAKE_CURRENT_LIST_DIR}/bin")
set(EMSCRIPTEN_VERSION "${compiler.version}")
list(APPEND CMAKE_MODULE_PATH ${bracket(join(sdk, "cmake/Modules"))})
include(${bracket(platformFile(sdk))})
`;
}

/** @param {string} place @param {Compiler} compiler */
function write(place, compiler) {
  mkdirSync(join(place, "bin"), { recursive: true });
  mkdirSync(join(place, "include"));
  if (compiler.kind === "private root") {
    for (const tool of tools) {
      const file = join(place, "bin", tool);
      writeFileSync(file, wrapperText(compiler.folder, tool));
      chmodSync(file, 0o755);
    }
  }
  // Copies, not links: the compiler inside the private root sees the project only. And never the whole
  // /usr/include, which would bring in glibc's headers.
  for (const name of libraries) {
    if (compiler.headers) cpSync(join(compiler.headers, name), join(place, "include", name), { recursive: true });
  }
  writeFileSync(join(place, "wasm.cmake"), wasmCmake(compiler));
}

/** What the files depend on: the compiler found and the text this module writes. */
function fingerprint(/** @type {Compiler} */ compiler) {
  const parts = [
    JSON.stringify(compiler),
    wasmCmake(compiler),
    ...tools.map((tool) => wrapperText(compiler.folder, tool)),
  ];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}

/**
 * @param {Compiler} compiler
 * @returns {string} what was done
 */
export function writeToolchainFiles(compiler) {
  const stamp = join(folder, "stamp.json");
  const wanted = fingerprint(compiler);
  if (existsSync(stamp) && JSON.parse(readFileSync(stamp, "utf8")).fingerprint === wanted)
    return "build/toolchain up to date";
  const place = `${folder}.making-${process.pid}`;
  rmSync(place, { recursive: true, force: true });
  write(place, compiler);
  const { kind, version, packages } = compiler;
  writeFileSync(
    join(place, "stamp.json"),
    `${JSON.stringify({ fingerprint: wanted, kind, version, packages }, null, 2)}\n`,
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(place, folder);
  return "build/toolchain written";
}
