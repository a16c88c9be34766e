// The package's root import in Node: the same core, its file read from disk.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { LoomCoreError } from "./errors.ts";
import { type Build, type Bytes, loadWith, type Read } from "./load.ts";
import type { LoadOptions, Loom } from "./types.ts";

export { LoomCoreError, LoomError, type LoomErrorCode, LoomRangeError, LoomTypeError } from "./errors.ts";
export type * from "./types.ts";

const FILES: { readonly [build in Build]: string } = {
  simd128: "../../build/wasm/loom-core.wasm",
  relaxed: "../../build/wasm/loom-core-relaxed.wasm",
  scalar: "../../build/wasm/loom-core-scalar.wasm",
};

/**
 * Loads the core. Without options the wasm file is read from beside this script; wasmUrl, if given, is a file: address.
 * Throws LoomCoreError (code "load") that says what is missing.
 */
export function loadLoom(options: LoadOptions = {}): Promise<Loom> {
  return loadWith(options, readWasm);
}

async function readWasm(file: Parameters<Read>[0]): Promise<Bytes> {
  const address = "build" in file ? FILES[file.build] : file.address;
  let source = String(address);
  try {
    source = fileURLToPath(new URL(address, import.meta.url));
    return { bytes: await readFile(source), source };
  } catch (cause) {
    throw new LoomCoreError(
      `${source} could not be read: ${cause instanceof Error ? cause.message : String(cause)}. In Node the wasm file is read from disk: wasmUrl has to be a file: address.`,
      { code: "load", parameter: "wasmUrl", value: source },
      { cause },
    );
  }
}
