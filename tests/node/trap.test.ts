// A core that stops in the middle of a call: that call is lost, the next one works on a fresh core of the same build.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LoomCoreError, loadLoom } from "../../web/core/node.ts";
import type { Loom } from "../../web/core/types.ts";
import { expectBits, expectClose } from "./support/compare.ts";
import { K05 } from "./support/k05.ts";

const WEIGHTS = [1, 0, 0.3302385, 0.6697615];

/** Memories of all cores that were started, oldest first. */
let memories: WebAssembly.Memory[] = [];
const { Instance } = WebAssembly;

class WatchedInstance extends Instance {
  constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    super(module, imports);
    memories.push(...Object.values(this.exports).filter((item) => item instanceof WebAssembly.Memory));
  }
}

beforeEach(() => {
  memories = [];
  WebAssembly.Instance = WatchedInstance;
});
afterEach(() => {
  WebAssembly.Instance = Instance;
});

/** Overwrites all that the newest core knows, as a stray write would: its addresses lead nowhere. */
function spoil(): void {
  new Uint8Array((memories.at(-1) as WebAssembly.Memory).buffer).fill(0xff);
}

function trapIn(call: () => unknown): void {
  spoil();
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(LoomCoreError);
  expect(thrown).toMatchObject({ code: "trap", cause: expect.any(WebAssembly.RuntimeError) });
}

describe.each(["auto", "off"] as const)("a core that stops (simd: %s)", (simd) => {
  let loom: Loom;
  beforeEach(async () => {
    loom = await loadLoom({ simd });
  });
  afterEach(() => loom.dispose());

  const traced = () => loom.attend({ ...K05, trace: true }).trace;
  const expectRight = () => expectClose(traced().stage("weights").data, WEIGHTS, "weights");

  test("P20 the call that is hit rejects with code trap, the next one is right, at once, as often as it happens", () => {
    for (let round = 1; round <= 5; round++) {
      expectRight();
      trapIn(() => loom.attend({ ...K05, trace: true }));
      expectRight();
      expect(memories).toHaveLength(round + 1);
    }
  });

  test("P20 the same where softmax, reference, origin or feeds is hit", () => {
    const trace = traced();
    const calls = [
      () => loom.softmax({ data: [1, 2, 3, 4] }),
      () => loom.reference(K05),
      () => trace.origin("output", [0, 1, 0]),
      () => trace.feeds("keys", [0, 1, 0]),
    ];
    for (const call of calls) {
      const before = call();
      trapIn(call);
      expect(JSON.stringify(call())).toBe(JSON.stringify(before));
    }
  });

  test("P20 a trace from before keeps its numbers, and its origins and feeds are right on the fresh core", () => {
    const trace = traced();
    const before = {
      weights: trace.stage("weights").data,
      origin: trace.origin("output", [0, 1, 0]),
      feeds: trace.feeds("keys", [0, 1, 0]),
    };
    trapIn(() => loom.attend(K05));
    expectBits(trace.stage("weights").data, before.weights, "weights");
    expect(trace.origin("output", [0, 1, 0])).toEqual(before.origin);
    expect(trace.feeds("keys", [0, 1, 0])).toEqual(before.feeds);
    // Also after another computation on the fresh core.
    expectRight();
    expect(trace.origin("output", [0, 1, 0])).toEqual(before.origin);
    trace.dispose();
  });

  test("P20 the fresh core is of the same build, and holds nothing", () => {
    const { simd: build, reason } = loom.buildInfo();
    const atStart = loom.memory();
    trapIn(() => loom.attend(K05));
    expect(loom.buildInfo()).toMatchObject({ simd: build, reason });
    expect(loom.memory()).toEqual(atStart);
  });

  test("P20 disposed of after it has stopped, it starts no other one", () => {
    expectRight();
    trapIn(() => loom.attend({ ...K05, trace: true }));
    loom.dispose();
    expect(() => loom.attend(K05)).toThrow(/disposed/);
    expect(memories).toHaveLength(1);
  });
});
