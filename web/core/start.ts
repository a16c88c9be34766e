// From the bytes of a wasm file to a running core.

import createLoomCore from "../../build/wasm/loom-core.mjs";
import { LoomCoreError, LoomTypeError, show } from "./errors.ts";
import type { RawCore } from "./raw.ts";

/**
 * Starts a core from a compiled module, at once: a core that has stopped is replaced within the next call. The compiler's
 * script is asynchronous, but all it does before it first waits is to hand over its imports and to take in the instance;
 * what it would do later, the constructors, is done here.
 */
export function startCore(module: WebAssembly.Module): RawCore {
  let started = false;
  let fault: unknown = "its script did not ask for the wasm at once";
  const core = {
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) {
      try {
        const { exports } = new WebAssembly.Instance(module, imports);
        const [name, constructors] = constructorsOf(exports);
        // The script calls them by its name for them, when it comes to it: by then there is nothing to do.
        receive({ exports: { ...exports, [name]: () => {} } });
        constructors();
        started = true;
      } catch (cause) {
        fault = cause;
      }
      return {};
    },
  };
  createLoomCore(core).catch((cause) => {
    fault = cause;
  });
  if (started) return core as unknown as RawCore;
  throw new LoomCoreError(
    `The core did not start: ${fault instanceof Error ? fault.message : String(fault)}. The script and the wasm file may be of different versions.`,
    { code: "load", parameter: "wasmModule", value: module },
    { cause: fault },
  );
}

/** The one exported function without parameters; the linker shortens its name. */
function constructorsOf(exports: WebAssembly.Exports): readonly [name: string, call: () => void] {
  const found = Object.entries(exports).filter(([, item]) => typeof item === "function" && item.length === 0);
  if (found.length === 1) return found[0] as [string, () => void];
  throw new Error(`it exports ${found.length} functions without parameters instead of 1`);
}

/** Compiles the bytes of a wasm file. `source` names them in an error. */
export async function compileCore(bytes: unknown, source: string): Promise<WebAssembly.Module> {
  const view = bytesOf(bytes);
  if (view === null) {
    throw new LoomTypeError(`${source} must be an ArrayBuffer or a view of one, not ${show(bytes)}.`, {
      code: "type",
      parameter: "wasmBinary",
      value: bytes,
    });
  }
  const magic = view.length >= 4 && view[0] === 0 && view[1] === 0x61 && view[2] === 0x73 && view[3] === 0x6d;
  if (!magic) {
    throw new LoomCoreError(
      `${source} is not a wasm file: it has ${view.length} bytes and does not begin with the four of WebAssembly. A server may have answered with a page instead.`,
      { code: "load", parameter: "wasmBinary", value: view.length },
    );
  }
  try {
    return await WebAssembly.compile(view);
  } catch (cause) {
    throw new LoomCoreError(
      `${source} could not be compiled: ${cause instanceof Error ? cause.message : String(cause)}. It may be cut off, or WebAssembly with SIMD may be missing or forbidden here (a content policy needs 'wasm-unsafe-eval').`,
      { code: "load", parameter: "wasmBinary", value: view.length },
      { cause },
    );
  }
}

/** Bytes of any view, or of a buffer, also one of another realm; null where it is neither. */
function bytesOf(bytes: unknown): Uint8Array<ArrayBuffer> | null {
  if (ArrayBuffer.isView(bytes)) {
    return new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  }
  return Object.prototype.toString.call(bytes) === "[object ArrayBuffer]" ? new Uint8Array(bytes as ArrayBuffer) : null;
}
