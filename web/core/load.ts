// Loading, as far as it does not depend on where the program runs.

import { createLoom } from "./loom.ts";
import { compileCore, startCore } from "./raw.ts";
import type { LoadOptions, Loom } from "./types.ts";

/** Bytes of a wasm file, and what an error calls them. */
export interface Bytes {
  readonly bytes: ArrayBuffer | Uint8Array;
  readonly source: string;
}

/** A core from what the caller has: a module, bytes, or an address that `read` can read. */
export async function loadWith(
  options: LoadOptions,
  read: (wasmUrl: string | URL | undefined) => Promise<Bytes>,
): Promise<Loom> {
  return createLoom(await startCore(await moduleFrom(options, read)));
}

async function moduleFrom(
  options: LoadOptions,
  read: (wasmUrl: string | URL | undefined) => Promise<Bytes>,
): Promise<WebAssembly.Module> {
  if (options.wasmModule !== undefined) return options.wasmModule;
  if (options.wasmBinary !== undefined) return compileCore(options.wasmBinary, "wasmBinary");
  const { bytes, source } = await read(options.wasmUrl);
  return compileCore(bytes, source);
}
