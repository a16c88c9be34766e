// What the wasm module asks of the outside and offers to it, under the names of the sources.
import { readFileSync } from "node:fs";
import { inProject } from "../setup/paths.mjs";

/** Reads unsigned LEB128 numbers. */
class Reader {
  /** @param {Uint8Array} bytes @param {number} at */
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }
  number() {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  }
}

/** @param {Uint8Array} bytes @returns {{ initialPages: number, maximumPages: number | null, shared: boolean } | null} */
function ownMemory(bytes) {
  const memorySection = 5;
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const id = reader.number();
    const size = reader.number();
    const next = reader.at + size;
    if (id === memorySection && reader.number() > 0) {
      const flags = reader.number();
      const initialPages = reader.number();
      return { initialPages, maximumPages: flags & 1 ? reader.number() : null, shared: (flags & 2) !== 0 };
    }
    reader.at = next;
  }
  return null;
}

/** The linker shortens names to letters; the loader knows which letter stands for what. */
function names(/** @type {string} */ loader) {
  /** @type {Map<string, string>} */
  const map = new Map();
  const table = /wasmImports\s*=\s*\{([^}]*)\}/.exec(loader)?.[1] ?? "";
  for (const [, letter, name] of table.matchAll(/["']?([\w$]+)["']?\s*:\s*([\w$]+)/g))
    map.set(`import ${letter}`, name ?? "");
  for (const [, name, letter] of loader.matchAll(/([\w$]+)\s*=\s*wasmExports\[["']([\w$]+)["']\]/g)) {
    map.set(`export ${letter}`, name ?? "");
  }
  // The start-up function is called, never kept under a name.
  for (const [, letter] of loader.matchAll(/wasmExports\[["']([\w$]+)["']\]\(\)/g))
    map.set(`export ${letter}`, "__wasm_call_ctors");
  return map;
}

/** The stored list that the test compares with. */
export const storedFile = inProject("tests/package/wasm-interface.json");

/** @param {string} [file] @returns {{ memory: unknown, imports: string[], exports: string[] }} of a module in build/wasm */
export function readInterface(file = "loom-core.wasm") {
  const bytes = readFileSync(inProject("build/wasm", file));
  const known = names(readFileSync(inProject("build/wasm/loom-core.mjs"), "utf8"));
  const module = new WebAssembly.Module(bytes);
  const list = (/** @type {string} */ side, /** @type {{ name: string, kind: string }[]} */ items) =>
    items.map(({ name, kind }) => `${kind} ${known.get(`${side} ${name}`) ?? name}`).sort();
  return {
    memory: ownMemory(bytes),
    imports: list("import", WebAssembly.Module.imports(module)),
    exports: list("export", WebAssembly.Module.exports(module)),
  };
}
