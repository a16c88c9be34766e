// Callers that do odd things: each of these once gave a wrong number, a foreign error, or a core that was lost.

import { describe, expect, test } from "vitest";
import { LoomCoreError, LoomError, loadLoom } from "../../web/core/node.ts";
import { attendAny, expectRefusal, expectStillRight } from "./support/errors.ts";
import { loom } from "./support/loom.ts";

const column = (count: number, value = 1) => Array.from({ length: count }, () => [value]);

async function loadError(options: unknown): Promise<unknown> {
  return loadLoom(options as never).then(
    () => "loaded",
    (error: unknown) => error,
  );
}

describe("shapes", () => {
  test("tokens without rows leave no weight matrix unchecked", () => {
    const input = { x: [], wQ: [[1]], wK: column(9000), wV: column(9000) };
    expectRefusal(() => attendAny(input), "wK", "9000", "1");
  });

  test("masks for no queries are taken, nested or not", () => {
    const none = { data: [], shape: [0, 2] };
    const keys = { data: [1, 2], shape: [1, 2] };
    for (const allow of [[], [[], []], { data: [], shape: [2, 0, 1] }]) {
      expect(attendAny({ q: none, k: keys, v: keys, heads: 2, allow }).output.shape).toEqual([0, 2]);
    }
  });
});

describe("data that changes while it is read", () => {
  test("more numbers than were planned are refused", () => {
    const grows = [1];
    const k = {
      get data() {
        for (let i = 0; i < 3e5; i++) grows.push(7e7);
        return [1];
      },
      shape: [1, 1],
    };
    expectRefusal(() => attendAny({ q: { data: grows, shape: [1, 1] }, k, v: [[1]] }), "q.data", "1 numbers", "now");
  });

  test("fewer are refused, and no number of an earlier call is used instead", () => {
    const q = new Float32Array(100).fill(5);
    const k = {
      get data() {
        structuredClone(q.buffer, { transfer: [q.buffer] });
        return new Float32Array(100);
      },
      shape: [100, 1],
    };
    expectRefusal(() => attendAny({ q: { data: q, shape: [100, 1] }, k, v: column(100) }), "q.data", "100", "0");
  });

  test("a getter that calls the core is told so", () => {
    const k = [[1]];
    const row = Object.defineProperty([0], 0, { get: () => loom.attend({ q: k, k, v: k }).output.data[0] });
    expect(() => attendAny({ q: [row], k, v: k })).toThrow(/getter/);
    expectStillRight();
  });

  test("what a getter throws is the caller's, and the core goes on", () => {
    const row = Object.defineProperty([0], 0, {
      get: () => {
        throw new RangeError("mine");
      },
    });
    expect(() => attendAny({ q: [row], k: [[1]], v: [[1]] })).toThrow("mine");
    expectStillRight();
  });
});

describe("a core that stops", () => {
  test("at the end of the stack every error is the caller's own or a LoomError, and dispose() works", async () => {
    const lost = await loadLoom();
    const k = [[1]];
    const errors = new Set<string>();
    const deep = (): void => {
      try {
        deep();
      } finally {
        try {
          lost.attend({ q: k, k, v: k });
        } catch (error) {
          errors.add(error instanceof LoomError || error instanceof RangeError ? "known" : String(error));
        }
      }
    };
    for (let round = 0; round < 100; round++) {
      try {
        deep();
      } catch {
        // The recursion's own end.
      }
    }
    expect([...errors].filter((kind) => kind !== "known")).toEqual([]);
    expect(() => lost.dispose()).not.toThrow();
    expect(() => lost.attend({ q: k, k, v: k })).toThrow(LoomCoreError);
  });
});

describe("options", () => {
  test("−0 is 0, whatever was asked before", () => {
    const k = [[-1]];
    for (const scale of [-0, 0, -0]) {
      const { trace } = loom.attend({ q: [[1]], k, v: k, scale, temperature: 1, trace: true });
      expect(Object.is(trace?.scale, 0)).toBe(true);
    }
  });

  test("a difference that overflows before it is divided by the temperature is reported", () => {
    const { notFiniteRows } = loom.attend({ q: [[3e38]], k: [[1], [-1]], v: [[1], [0]], scale: 1, temperature: 1e38 });
    expect(notFiniteRows).toEqual([[0, 0]]);
  });

  test("unknown names are refused in every object", async () => {
    const q = [[1]];
    expectRefusal(() => attendAny({ q, k: q, v: q, causal: { offset: 0, bogus: 2 } }), "bogus", "causal");
    expectRefusal(() => attendAny({ q: { data: [1], shape: [1, 1], strides: 1 }, k: q, v: q }), "strides", "q");
    expect(await loadError({ wasmURL: "x" })).toMatchObject({ name: "LoomTypeError", parameter: "wasmURL" });
    expect(await loadError(null)).toMatchObject({ name: "LoomTypeError" });
  });

  test("an index with a hole is refused", () => {
    const q = [[1]];
    const { trace } = loom.attend({ q, k: q, v: q, trace: true });
    // biome-ignore lint/suspicious/noSparseArray: the hole is the point
    expectRefusal(() => trace?.origin("weights", [0, , 0] as never), "index[1]", "undefined");
    trace?.dispose();
    expect(() => trace?.rowState(0, 0)).toThrow(LoomCoreError);
  });
});

describe("loading", () => {
  test("what is no wasm file is named for what it is", async () => {
    expect(await loadError({ wasmBinary: "text" })).toMatchObject({ name: "LoomTypeError", code: "type" });
    expect(await loadError({ wasmBinary: null })).toMatchObject({ name: "LoomTypeError", code: "type" });
    expect(await loadError({ wasmBinary: new Uint8Array([60, 33, 68, 79]) })).toMatchObject({ code: "load" });
    expect(await loadError({ wasmBinary: new Uint8Array([0, 97, 115, 109, 1]) })).toMatchObject({ code: "load" });
    expect(await loadError({ wasmUrl: "http://[" })).toMatchObject({ code: "load", parameter: "wasmUrl" });
    expect(await loadError({ wasmUrl: "https://example.invalid/x.wasm" })).toMatchObject({ code: "load" });
  });

  test("any view of the right bytes will do", async () => {
    const { readFileSync } = await import("node:fs");
    const bytes = readFileSync(new URL("../../build/wasm/loom-core.wasm", import.meta.url));
    const buffer = Uint8Array.from(bytes).buffer;
    for (const wasmBinary of [buffer, new DataView(buffer), new Int8Array(buffer), bytes]) {
      const other = await loadLoom({ wasmBinary: wasmBinary as never });
      expect(other.attend({ q: [[1]], k: [[1]], v: [[7]] }).output.data[0]).toBe(7);
      other.dispose();
    }
  });
});
