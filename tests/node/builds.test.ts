// Which build of the core is loaded, that all compute alike, and what happens where SIMD is missing or wrong.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { loadLoom } from "../../web/core/node.ts";
import type { BuildInfo } from "../../web/core/types.ts";
import { expectClose } from "./support/compare.ts";
import { corpusBits, sha256 } from "./support/corpus.ts";

const SHARES = [0.0320586, 0.0871443, 0.2368828, 0.6439143];
const PREFIX_SIMD = 253;

/** Loads, asks what runs and what softmax gives, and lets go. */
async function whatRuns(options: object = {}) {
  const loom = await loadLoom(options);
  const { simd, reason, target, compileFlags } = loom.buildInfo();
  const shares = loom.softmax({ data: [1, 2, 3, 4] }).data;
  loom.dispose();
  expectClose(shares, SHARES, "softmax", { absolute: 1e-6, relative: 0 });
  return { simd, reason, target, compileFlags };
}

/** An engine without SIMD, or without relaxed SIMD: it finds modules with such instructions not valid. */
function pretendWithout(isMissing: (bytes: Uint8Array) => boolean): void {
  const { validate } = WebAssembly;
  vi.spyOn(WebAssembly, "validate").mockImplementation((source) => {
    const bytes = new Uint8Array(source as ArrayBuffer);
    return !isMissing(bytes) && validate(bytes);
  });
}
const isRelaxed = (bytes: Uint8Array) => bytes.some((byte, at) => byte === PREFIX_SIMD && (bytes[at + 2] ?? 0) === 2);

afterEach(() => vi.restoreAllMocks());

describe("which build is loaded", () => {
  test("P15, K37 without options, and with auto, the one with SIMD128", async () => {
    for (const options of [{}, { simd: "auto" }]) {
      expect(await whatRuns(options)).toMatchObject({ simd: "simd128", reason: "default", target: "WASM" });
    }
  });

  test("P15 the one without SIMD where that is asked for", async () => {
    const { compileFlags, ...found } = await whatRuns({ simd: "off" });
    expect(found).toEqual({ simd: "scalar", reason: "asked for", target: "SCALAR" });
    expect(compileFlags).not.toContain("-msimd128");
  });

  test("K38 where the engine finds the SIMD probe not valid, the one without SIMD", async () => {
    pretendWithout((bytes) => bytes.includes(PREFIX_SIMD));
    for (const options of [{}, { simd: "relaxed" }]) {
      expect(await whatRuns(options)).toMatchObject({ simd: "scalar", reason: "SIMD is missing here" });
    }
  });

  test("P15 relaxed SIMD asked for where the engine has none: SIMD128", async () => {
    pretendWithout(isRelaxed);
    const found = await whatRuns({ simd: "relaxed" });
    expect(found).toMatchObject({ simd: "simd128", reason: "relaxed SIMD is missing here" });
  });

  test("a file that is given is used as it is", async () => {
    const url = new URL("../../build/wasm/loom-core-scalar.wasm", import.meta.url);
    const wasmBinary = readFileSync(url);
    const wasmModule = await WebAssembly.compile(wasmBinary);
    for (const given of [{ wasmUrl: url }, { wasmBinary }, { wasmModule }]) {
      expect(await whatRuns(given)).toMatchObject({ simd: "scalar", reason: "given by the caller" });
    }
  });

  test.each(["on", true, 128, null])("simd: %j is refused by name", async (simd) => {
    await expect(loadLoom({ simd } as never)).rejects.toMatchObject({ name: "LoomTypeError", parameter: "simd" });
  });
});

test("R05 without SIMD the bits are those of the stored hash", async () => {
  const loom = await loadLoom({ simd: "off" });
  const { sha256: stored } = JSON.parse(readFileSync(new URL("../golden/determinism.json", import.meta.url), "utf8"));
  expect(await sha256(corpusBits(loom))).toBe(stored);
  loom.dispose();
});

describe("a build that computes wrongly here", () => {
  const emit = fileURLToPath(new URL("support/emit-core.mjs", import.meta.url));
  let base = "";
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), "loom-builds-"));
    expect(spawnSync(process.execPath, [emit, join(base, "core")], { encoding: "utf8" }).stderr).toBe("");
  });
  afterAll(() => rmSync(base, { recursive: true }));

  /** The bytes with one number of the exponential changed wherever it stands: the larger part of ln 2, 0x3f318000. */
  function spoilt(bytes: Buffer): Buffer {
    const factor = Buffer.from(Float32Array.of(0.693359375).buffer);
    const copy = Buffer.from(bytes);
    let at = copy.indexOf(factor);
    expect(at).toBeGreaterThan(0);
    for (; at >= 0; at = copy.indexOf(factor)) copy.writeFloatLE(0.75, at);
    return copy;
  }

  /** What a fresh process sees that loads the core with these of its files spoilt. */
  function loadWithSpoilt(files: readonly string[], options = {}): Partial<BuildInfo> & { error?: unknown[] } {
    const folder = mkdtempSync(join(base, "spoilt-"));
    cpSync(join(base, "core"), folder, { recursive: true });
    for (const file of files) {
      const path = join(folder, "build", "wasm", file);
      writeFileSync(path, spoilt(readFileSync(path)));
    }
    const script = `
      const { loadLoom } = await import(${JSON.stringify(pathToFileURL(join(folder, "web", "core", "node.js")).href)});
      try {
        const loom = await loadLoom(${JSON.stringify(options)});
        const { simd, reason } = loom.buildInfo();
        console.log(JSON.stringify({ simd, reason, shares: [...loom.softmax({ data: [1, 2, 3, 4] }).data] }));
      } catch (error) {
        console.log(JSON.stringify({ error: [error.name, error.code, error.message] }));
      }`;
    const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    expect(run.stderr).toBe("");
    return JSON.parse(run.stdout);
  }

  test("K38 the spoilt SIMD build is noticed: the one without SIMD runs, is right, and says why", () => {
    const { shares, ...found } = loadWithSpoilt(["loom-core.wasm"]) as { shares: number[] };
    expect(found).toEqual({ simd: "scalar", reason: "the self-test of the SIMD build failed" });
    expectClose(shares, SHARES, "softmax", { absolute: 1e-6, relative: 0 });
  });

  test("K38 where the one without SIMD computes wrongly too, nothing runs", () => {
    const both = ["loom-core.wasm", "loom-core-scalar.wasm"];
    for (const options of [{}, { simd: "off" }]) {
      const { error } = loadWithSpoilt(both, options);
      expect(error).toEqual(["LoomCoreError", "load", expect.stringMatching(/wrong numbers/)]);
    }
  });

  test("K38 a spoilt file that is given is refused, and no other is read", async () => {
    const wasmBinary = spoilt(readFileSync(new URL("../../build/wasm/loom-core.wasm", import.meta.url)));
    await expect(loadLoom({ wasmBinary })).rejects.toMatchObject({ name: "LoomCoreError", code: "load" });
  });
});
