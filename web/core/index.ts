// The package's root import in browsers, workers and bundlers.

import { LoomCoreError } from "./errors.ts";
import { type Build, type Bytes, loadWith, type Read } from "./load.ts";
import type { LoadOptions, Loom } from "./types.ts";

export { LoomCoreError, LoomError, type LoomErrorCode, LoomRangeError, LoomTypeError } from "./errors.ts";
export type * from "./types.ts";

/** Whole addresses, one a file: bundlers follow no others. Only the file that is chosen is fetched. */
const FILES: { readonly [build in Build]: () => URL } = {
  simd128: () => new URL("../../build/wasm/loom-core.wasm", import.meta.url),
  relaxed: () => new URL("../../build/wasm/loom-core-relaxed.wasm", import.meta.url),
  scalar: () => new URL("../../build/wasm/loom-core-scalar.wasm", import.meta.url),
};

/**
 * Loads the core. Without options the wasm file is fetched from beside this script.
 * Throws LoomCoreError (code "load") that says what arrived instead.
 */
export function loadLoom(options: LoadOptions = {}): Promise<Loom> {
  return loadWith(options, fetchWasm);
}

async function fetchWasm(file: Parameters<Read>[0]): Promise<Bytes> {
  const failed = (source: string, cause: unknown) =>
    new LoomCoreError(
      `${source} could not be fetched: ${cause instanceof Error ? cause.message : String(cause)}. Is it reachable from this page, did it arrive whole, and does the content policy allow it (connect-src)?`,
      { code: "load", parameter: "wasmUrl", value: source },
      { cause },
    );
  let response: Response;
  let source = "build" in file ? "The wasm file" : String(file.address);
  try {
    const url =
      "build" in file
        ? FILES[file.build]()
        : new URL(file.address, globalThis.document?.baseURI ?? globalThis.location?.href);
    source = url.href;
    response = await fetch(url);
  } catch (cause) {
    throw failed(source, cause);
  }
  if (!response.ok) {
    throw new LoomCoreError(
      `${source} answered ${response.status}. The wasm file has to lie beside the script, or be named by wasmUrl.`,
      { code: "load", parameter: "wasmUrl", value: response.status },
    );
  }
  try {
    return { bytes: await response.arrayBuffer(), source };
  } catch (cause) {
    throw failed(source, cause);
  }
}
