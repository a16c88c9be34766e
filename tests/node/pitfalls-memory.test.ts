// Known faults of native memory: objects that are never freed, views that die when the memory grows.

import { describe, expect, test } from "vitest";
import { loadLoom } from "../../web/core/node.ts";
import type { Trace } from "../../web/core/types.ts";
import { expectBits, expectClose } from "./support/compare.ts";
import { K05 } from "./support/k05.ts";
import { random } from "./support/random.ts";

describe("native memory", () => {
  // About 1 s where it was written; the limit only stops a hang.
  test("K24 10,000 calls with the full trace, each read in full, leave memory and live buffers where they were", {
    timeout: 60_000,
  }, async () => {
    const loom = await loadLoom();
    const r = random(24);
    const token = (width: number) => ({ data: r.numbers(16 * width), shape: [16, width] });
    const input = { q: token(8), k: token(8), v: token(8), causal: true, trace: true } as const;
    const call = () => {
      const { trace, output } = loom.attend(input);
      let read = output.data.length;
      for (const name of trace?.stages ?? []) read += trace?.stage(name).data.length ?? 0;
      expect(read).toBeGreaterThan(16 * 16);
    };
    const atStart = loom.memory();
    for (let i = 0; i < 100; i++) call();
    const after100 = loom.memory();
    for (let i = 100; i < 10_000; i++) call();
    const after10000 = loom.memory();
    expect(after10000.wasmBytes).toBe(after100.wasmBytes);
    expect(after10000.liveBuffers).toBe(atStart.liveBuffers);
    expect(after10000.liveBytes).toBe(atStart.liveBytes);
    loom.dispose();
  });

  test("K24 asking 2,000 traces for origins keeps at most the last one in the core, until it is disposed of", {
    timeout: 60_000,
  }, async () => {
    const loom = await loadLoom();
    const atStart = loom.memory();
    const most = { buffers: 0, bytes: 0 };
    let last: Trace | undefined;
    for (let i = 0; i < 2_000; i++) {
      last = loom.attend({ ...K05, trace: true }).trace;
      expect(last?.origin("output", [0, 1, 0]).terms).toHaveLength(2);
      expect(last?.feeds("keys", [0, 1, 0])).toHaveLength(2);
      if (i === 100) Object.assign(most, { buffers: loom.memory().liveBuffers, bytes: loom.memory().liveBytes });
    }
    expect(loom.memory().liveBuffers).toBe(most.buffers);
    expect(loom.memory().liveBytes).toBe(most.bytes);
    last?.dispose();
    expect(loom.memory()).toEqual(atStart);
    loom.dispose();
  });

  test("K24 refused calls and softmax and reference calls leave no live buffer either", {
    timeout: 60_000,
  }, async () => {
    const loom = await loadLoom();
    const atStart = loom.memory();
    for (let i = 0; i < 2_000; i++) {
      expect(() => loom.attend({ ...K05, heads: 3 })).toThrow();
      expect(() =>
        loom.attend({
          ...K05,
          v: [
            [1, 2],
            [Number.NaN, 4],
          ],
        }),
      ).toThrow();
      loom.softmax({ data: [1, 2, 3, 4], shape: [2, 2], axis: 0 });
      expect(() => loom.softmax({ data: [1, 2, 3], shape: [2, 2] })).toThrow();
      loom.reference(K05).stage("weights");
    }
    expect(loom.memory().liveBuffers).toBe(atStart.liveBuffers);
    expect(loom.memory().liveBytes).toBe(atStart.liveBytes);
    loom.dispose();
  });

  test("K24 traces that are kept and disposed of leave nothing behind", async () => {
    const loom = await loadLoom();
    const atStart = loom.memory().liveBuffers;
    const traces = Array.from({ length: 50 }, () => loom.attend({ ...K05, trace: true }).trace);
    for (const trace of traces) trace?.dispose();
    expect(loom.memory().liveBuffers).toBe(atStart);
    loom.dispose();
  });

  test("K25 results stay what they were when the memory grows", async () => {
    const loom = await loadLoom();
    const result = loom.attend({ ...K05, trace: true });
    const weights = result.trace?.stage("weights");
    const before = loom.memory().wasmBytes;
    const r = random(25);
    const long = { data: r.numbers(512 * 64), shape: [512, 64] };
    loom.attend({ q: long, k: long, v: long, trace: true });
    // Up to a size that must make the memory grow: a trace of about 100 MB.
    const longer = { data: r.numbers(2048 * 2), shape: [2048, 2] };
    loom.attend({ q: longer, k: longer, v: longer, trace: true });
    expect(loom.memory().wasmBytes).toBeGreaterThan(before);
    expectClose(weights?.data ?? [], [1, 0, 0.3302385, 0.6697615], "weights read before");
    expectClose(result.output.data, [1, 2, 2.3395231, 3.3395231], "output read before");
    expectClose(result.trace?.stage("weights").data ?? [], [1, 0, 0.3302385, 0.6697615], "weights read after");
    loom.dispose();
  });

  test("K25 results do not lie in wasm memory and do not share it with each other", async () => {
    const loom = await loadLoom();
    const { output, trace } = loom.attend({ ...K05, trace: true });
    const first = trace?.stage("weights");
    expect(output.data.byteLength).toBe(output.data.buffer.byteLength);
    expect(first?.data.byteLength).toBe(first?.data.buffer.byteLength);
    first?.data.fill(7);
    output.data.fill(7);
    expectClose(trace?.stage("weights").data ?? [], [1, 0, 0.3302385, 0.6697615], "a second copy");
    expectClose(
      trace?.stage("output").data ?? [],
      [1, 2, 2.3395231, 3.3395231],
      "the stage after its copy was changed",
    );
    loom.dispose();
  });

  test("K25 changing what a result says about its shape changes no later result", async () => {
    const loom = await loadLoom();
    const { trace, output } = loom.attend({ ...K05, trace: true });
    if (trace === undefined) throw new Error("trace: true gave no trace");
    // Refusing the change (a frozen object) is as good as a copy of its own.
    const spoil = (change: () => unknown) => {
      try {
        change();
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    };
    for (const shape of [output.shape, trace.stage("weights").shape, trace.describe("weights").shape]) {
      spoil(() => (shape as number[]).fill(9));
    }
    spoil(() => (trace.stages as string[]).reverse());
    spoil(() => (trace.describe("weights").operands as unknown[]).splice(0));
    for (const again of [trace, loom.attend({ ...K05, trace: true }).trace as Trace]) {
      expect(again.describe("weights").shape).toEqual([1, 2, 2]);
      expect(again.stage("weights").shape).toEqual([1, 2, 2]);
      expectClose(again.stage("weights").data, [1, 0, 0.3302385, 0.6697615], "weights");
      expect(again.describe("weights").operands).toHaveLength(2);
    }
    expect(loom.attend({ ...K05, trace: true }).trace?.stages[0]).toBe("scores");
    loom.dispose();
  });

  test("K25 changing the input after the call does not change the trace", async () => {
    const loom = await loadLoom();
    const v = { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] };
    const { trace } = loom.attend({ ...K05, v, trace: true });
    const before = trace?.stage("values").data ?? new Float32Array();
    v.data.fill(9);
    expectBits(trace?.stage("values").data ?? [], before, "values");
    expect(trace?.origin("output", [0, 1, 0]).value).toBe(trace?.stage("output").data[2]);
    loom.dispose();
  });
});
