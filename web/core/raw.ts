// The core as Embind hands it over. The only files that know addresses and heaps are in this folder.

import createLoomCore from "../../build/wasm/loom-core.mjs";
import { LoomCoreError, LoomTypeError, show } from "./errors.ts";

/** Functions of cpp/bindings/bindings.cpp; addresses are in bytes. The heap views are taken anew after each call. */
export interface RawCore {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;
  options(): number;
  configure(): number;
  describePlan(): number;
  reserve(): number;
  run(): number;
  release(): void;
  rowStates(): number;
  runTwin(): number;
  findOrigin(stage: number, index0: number, index1: number, index2: number, index3: number): number;
  findFeeds(stage: number, index0: number, index1: number, index2: number, index3: number): number;
  dropAnswer(): void;
  reserveData(count: number): number;
  softmax(outer: number, length: number, inner: number, log: boolean): number;
  normalise(rows: number, cols: number, rms: boolean, epsilon: number): number;
  activate(count: number, kind: number): number;
  rotate(rows: number, cols: number, width: number, neighbours: boolean, tables: boolean, base: number): number;
  sinusoid(first: number, rows: number, cols: number, base: number): void;
  lastError(): number;
  text(kind: number, id: number): number;
  liveBuffers(): number;
  liveBytes(): number;
  seesNaN(x: number): boolean;
}

/** Starts a core from a compiled module. */
export async function startCore(module: WebAssembly.Module): Promise<RawCore> {
  try {
    return (await createLoomCore({
      instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) {
        // Not asynchronous: the module is compiled already, and a failure must reach the caller.
        receive(new WebAssembly.Instance(module, imports));
        return {};
      },
    })) as RawCore;
  } catch (cause) {
    throw new LoomCoreError(
      `The core did not start: ${cause instanceof Error ? cause.message : String(cause)}. The script and the wasm file may be of different versions.`,
      { code: "load", parameter: "wasmModule", value: module },
      { cause },
    );
  }
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
