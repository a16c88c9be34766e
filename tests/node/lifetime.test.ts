// Loading, disposing, and what the core says about itself.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadLoom } from "../../web/core/node.ts";

const wasm = readFileSync(new URL("../../build/wasm/loom-core.wasm", import.meta.url));
const q = [
  [1, 0],
  [0, 1],
];

describe("loading", () => {
  test("the core loads from bytes and from a compiled module as well", async () => {
    for (const options of [{}, { wasmBinary: wasm }, { wasmModule: await WebAssembly.compile(wasm) }]) {
      const loom = await loadLoom(options);
      expect(loom.attend({ q, k: q, v: q }).output.data).toHaveLength(4);
      loom.dispose();
    }
  });

  test("bytes that are no wasm are refused with an Error", async () => {
    for (const bytes of [new Uint8Array(), new Uint8Array([1, 2, 3]), wasm.subarray(0, wasm.length - 1)]) {
      await expect(loadLoom({ wasmBinary: bytes })).rejects.toBeInstanceOf(Error);
    }
  });

  test("two cores side by side do not share results or counters", async () => {
    const [first, second] = [await loadLoom(), await loadLoom()];
    const before = second.memory();
    const { trace } = first.attend({ q, k: q, v: q, trace: true });
    first.dispose();
    expect(second.memory()).toEqual(before);
    expect(second.attend({ q, k: q, v: q }).output.data).toHaveLength(4);
    // A trace holds copies only: it outlives the core.
    expect(trace?.stage("weights").data).toHaveLength(4);
    second.dispose();
  });

  test("a disposed core refuses every call and says so", async () => {
    const loom = await loadLoom();
    loom[Symbol.dispose]();
    loom.dispose();
    expect(() => loom.attend({ q, k: q, v: q })).toThrow(/dispose/i);
    expect(() => loom.softmax({ data: [1] })).toThrow(/dispose/i);
    expect(() => loom.reference({ q, k: q, v: q })).toThrow(/dispose/i);
  });
});

describe("buildInfo", () => {
  test("names version, vector target, compiler, flags and the two libraries", async () => {
    const loom = await loadLoom();
    const info = loom.buildInfo();
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(info.version).toBe(version);
    expect(info.target).toMatch(/WASM/);
    expect(info.compiler).toMatch(/emscripten|emcc|clang/i);
    expect(info.highway).toMatch(/^\d+\.\d+/);
    expect(info.eigen).toMatch(/^\d+\.\d+/);
    loom.dispose();
  });
});
