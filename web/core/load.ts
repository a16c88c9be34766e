// Loading, as far as it does not depend on where the program runs: which build, and what if it computes wrongly here.

import { LoomCoreError, LoomTypeError, show } from "./errors.ts";
import { knownFields } from "./fields.ts";
import { createLoom } from "./loom.ts";
import { isSound } from "./self-test.ts";
import { hasRelaxedSimd, hasSimd } from "./simd.ts";
import { compileCore, startCore } from "./start.ts";
import type { BuildInfo, LoadOptions, Loom } from "./types.ts";

/** Bytes of a wasm file, and what an error calls them. */
export interface Bytes {
  readonly bytes: ArrayBuffer | Uint8Array;
  readonly source: string;
}

export type Build = BuildInfo["simd"];

/** Reads the package's own file of a build, or the one at the caller's address. */
export type Read = (file: { readonly build: Build } | { readonly address: string | URL }) => Promise<Bytes>;

interface Choice {
  readonly build: Build;
  readonly reason: string;
}

const KNOWN: ReadonlySet<string> = new Set(["wasmUrl", "wasmBinary", "wasmModule", "simd"]);

/** A core from what the caller has (a module, bytes, an address), else from the package's build that suits the engine. */
export async function loadWith(options: LoadOptions, read: Read): Promise<Loom> {
  knownFields("loadLoom", options, KNOWN);
  const choice = choose(options.simd);
  const given = await givenModule(options, read);
  if (given !== undefined) {
    const loom = start(given, "given by the caller");
    if (loom !== undefined) return loom;
    throw wrongNumbers("The wasm file that was given");
  }
  const { build, reason } = choice;
  const loom = start(await packageModule(build, read), reason);
  if (loom !== undefined) return loom;
  if (build === "scalar") throw wrongNumbers("The core without SIMD");
  const scalar = start(await packageModule("scalar", read), "the self-test of the SIMD build failed");
  if (scalar !== undefined) return scalar;
  throw wrongNumbers("The core, with SIMD as without,");
}

function choose(simd: unknown = "auto"): Choice {
  switch (simd) {
    case "off":
      return { build: "scalar", reason: "asked for" };
    case "auto":
    case "relaxed":
      if (!hasSimd()) return { build: "scalar", reason: "SIMD is missing here" };
      if (simd === "auto") return { build: "simd128", reason: "default" };
      if (!hasRelaxedSimd()) return { build: "simd128", reason: "relaxed SIMD is missing here" };
      return { build: "relaxed", reason: "asked for" };
    default:
      throw new LoomTypeError(`simd must be "auto", "relaxed" or "off", not ${show(simd)}.`, {
        code: "type",
        parameter: "simd",
        value: simd,
      });
  }
}

async function givenModule(options: LoadOptions, read: Read): Promise<WebAssembly.Module | undefined> {
  const { wasmModule, wasmBinary, wasmUrl } = options;
  if (wasmModule !== undefined) return wasmModule;
  if (wasmBinary !== undefined) return compileCore(wasmBinary, "wasmBinary");
  if (wasmUrl === undefined) return undefined;
  const { bytes, source } = await read({ address: wasmUrl });
  return compileCore(bytes, source);
}

async function packageModule(build: Build, read: Read): Promise<WebAssembly.Module> {
  const { bytes, source } = await read({ build });
  return compileCore(bytes, source);
}

/** Undefined where the core computes wrongly. */
function start(module: WebAssembly.Module, reason: string): Loom | undefined {
  const core = startCore(module);
  return isSound(core) ? createLoom(core, () => startCore(module), reason) : undefined;
}

function wrongNumbers(what: string): LoomCoreError {
  return new LoomCoreError(`${what} computes wrong numbers in this engine: softmax of 1, 2, 3, 4 failed its check.`, {
    code: "load",
    parameter: "simd",
    value: null,
  });
}
