// Loading, as far as it does not depend on where the program runs.

import { knownFields } from "./fields.ts";
import { createLoom } from "./loom.ts";
import { compileCore, startCore } from "./raw.ts";
import type { LoadOptions, Loom } from "./types.ts";

/** Bytes of a wasm file, and what an error calls them. */
export interface Bytes {
  readonly bytes: ArrayBuffer | Uint8Array;
  readonly source: string;
}

const KNOWN: ReadonlySet<string> = new Set(["wasmUrl", "wasmBinary", "wasmModule"]);

/** A core from what the caller has: a module, bytes, or an address that `read` can read. */
export async function loadWith(
  options: LoadOptions,
  read: (wasmUrl: string | URL | undefined) => Promise<Bytes>,
): Promise<Loom> {
  knownFields("loadLoom", options, KNOWN);
  return createLoom(await startCore(await moduleFrom(options, read)));
}

async function moduleFrom(
  { wasmModule, wasmBinary, wasmUrl }: LoadOptions,
  read: (wasmUrl: string | URL | undefined) => Promise<Bytes>,
): Promise<WebAssembly.Module> {
  if (wasmModule !== undefined) return wasmModule;
  if (wasmBinary !== undefined) return compileCore(wasmBinary, "wasmBinary");
  const { bytes, source } = await read(wasmUrl);
  return compileCore(bytes, source);
}
