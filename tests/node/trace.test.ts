// Every number can be asked where it came from, and the answer is the computation itself.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AttendInput, CellRef } from "../../web/core/types.ts";
import { amount, forAllCases } from "./support/arbitrary.ts";
import { expectBits } from "./support/compare.ts";
import { expectRefusal } from "./support/errors.ts";
import { loom } from "./support/loom.ts";
import { allNames, checkFeeds, checkOrigin, name, readAll, traced } from "./support/origins.ts";
import { random } from "./support/random.ts";
import { indices } from "./support/rows.ts";

const { x, xKv, wQ, wK, wV } = JSON.parse(
  readFileSync(new URL("../../content/examples/house-4x5.json", import.meta.url), "utf8"),
);
const house: AttendInput = { x, xKv, wQ, wK, wV };
const masked: AttendInput = {
  ...house,
  allow: [
    [1, 1, 0, 1, 1],
    [1, 0, 0, 1, 1],
    [0, 0, 0, 0, 0],
    [1, 1, 1, 1, 1],
  ],
  add: [
    [0, 1, 2, -Infinity, 0],
    [0, 0, 0, 0, 0],
    [0, 0, -Infinity, 0, 0],
    [0, 0.5, 0, 0, 0],
  ],
  causal: { offset: 2 },
};

describe("origins", () => {
  test.each([
    ["E1", house],
    ["E1 with three kinds of mask", masked],
    ["E1 with temperature 2", { ...house, temperature: 2 }],
    ["E1 as self-attention", { x, wQ, wK, wV }],
    ["queries, keys and values given", { q: x, k: xKv, v: xKv }],
    ["three heads", { q: x, k: xKv, v: xKv, heads: 3, causal: "end" as const }],
  ])("every cell of every stage follows from its operands: %s", (_, input) => {
    const trace = traced(input);
    const stages = readAll(trace);
    let cells = 0;
    for (const stage of allNames(trace)) {
      expect(trace.stage(stage).shape).toEqual(trace.describe(stage).shape);
      expect(trace.stage(stage).name).toBe(stage);
      for (const index of indices(trace.describe(stage).shape)) {
        checkOrigin(trace, stages, trace.origin(stage, index), { stage, index });
        cells++;
      }
    }
    expect(cells).toBeGreaterThan(100);
  });

  test("the running sums of E1 end in exactly the output of the run without trace", () => {
    for (const input of [house, masked]) {
      const output = loom.attend(input).output;
      const trace = traced(input);
      const ends = [...indices([4, 3])].map(
        ([i, c]) => trace.origin("output", [0, i as number, c as number]).terms.at(-1)?.partial,
      );
      expectBits(ends as number[], output.data, "last partial sums");
    }
  });

  test(`the running sums end in exactly the output of the run without trace (${amount(1000)})`, {
    timeout: 120_000,
  }, () => {
    forAllCases(1000, {}, (c) => {
      const output = loom.attend(c.input).output;
      const trace = traced(c.input);
      const stages = readAll(trace);
      const r = random(c.seed + 7);
      for (const stage of allNames(trace)) {
        const { shape } = trace.describe(stage);
        if (shape.includes(0)) continue;
        for (let n = 0; n < (stage === "output" ? 4 : 1); n++) {
          const index = shape.map((size) => r.whole(0, size - 1));
          const origin = trace.origin(stage, index);
          checkOrigin(trace, stages, origin, { stage, index });
          if (stage === "output") {
            const [g, i, column] = index as [number, number, number];
            const end = origin.terms.at(-1)?.partial ?? 0;
            expectBits(
              [end],
              [output.data[i * c.heads * c.dV + g * c.dV + column] as number],
              "end of the running sum",
            );
          }
        }
      }
    });
  });

  test("the origin of weights[0,1,2] names its exp and its row sum", () => {
    const { operation, terms } = traced(house).origin("weights", [0, 1, 2]);
    expect(operation).toBe("divide");
    expect(terms.map((term) => term.operands.map(name))).toEqual([["exp[0,1,2]", "rowsum[0,1]"]]);
  });

  test("following origins alone reaches queries and keys in five hops and x, xKv, wQ, wK in six", () => {
    const trace = traced(house);
    let front: CellRef[] = [{ stage: "weights", index: [0, 1, 2] }];
    const reached = new Map<string, number>();
    for (let hop = 1; front.length > 0; hop++) {
      const next = new Map<string, CellRef>();
      for (const cell of front) {
        for (const term of trace.origin(cell.stage, cell.index).terms) {
          for (const operand of term.operands) {
            if (!reached.has(operand.stage)) reached.set(operand.stage, hop);
            next.set(name(operand), operand);
          }
        }
      }
      front = [...next.values()];
      expect(hop).toBeLessThan(12);
    }
    expect(
      Object.fromEntries(["queries", "keys", "x", "xKv", "wQ", "wK"].map((stage) => [stage, reached.get(stage)])),
    ).toEqual({ queries: 5, keys: 5, x: 6, xKv: 6, wQ: 6, wK: 6 });
    expect(reached.has("values")).toBe(false);
    expect(reached.has("wV")).toBe(false);
  });

  test("a blocked cell says by what, all reasons named", () => {
    const trace = traced(masked);
    const reasons = (i: number, j: number) => [...(trace.origin("masked", [0, i, j]).blockedBy ?? [])].sort();
    expect(reasons(0, 0)).toEqual([]);
    expect(reasons(0, 2)).toEqual(["allow"]);
    expect(reasons(0, 3)).toEqual(["add", "causal"]);
    expect(reasons(0, 4)).toEqual(["causal"]);
    expect(reasons(2, 2)).toEqual(["add", "allow"]);
    expect(reasons(3, 1)).toEqual([]);
  });

  test("terms of a blocked key are left out and change nothing", () => {
    const trace = traced(masked);
    const { terms } = trace.origin("output", [0, 1, 0]);
    expect(terms.map((term) => term.leftOut)).toEqual([false, true, true, false, true]);
    expect(terms[2]?.partial).toBe(terms[0]?.partial);
    for (const stage of ["rowmax", "rowsum"]) {
      const leftOut = (row: number) => trace.origin(stage, [0, row]).terms.map((term) => term.leftOut);
      expect(leftOut(1), stage).toEqual([false, true, true, false, true]);
      expect(leftOut(2), stage).toEqual([true, true, true, true, true]);
    }
  });
});

describe("feeds", () => {
  test("feeds is the exact inverse of origin for every cell of E1, with and without masks", () => {
    for (const input of [house, masked, { x, wQ, wK, wV }]) checkFeeds(traced(input));
  });

  test("feeds of keys[0,1,0] is the column of scores that this key answers in", () => {
    expect(traced(house).feeds("keys", [0, 1, 0]).map(name)).toEqual([0, 1, 2, 3].map((i) => `scores[0,${i},1]`));
  });

  // Small sizes: every cell is asked both ways.
  test(`feeds is the exact inverse of origin for every cell (${amount(200)})`, { timeout: 120_000 }, () => {
    forAllCases(200, {}, (c) => {
      if (c.nQ * c.nK * c.heads > 100) return;
      checkFeeds(traced(c.input));
    });
  });
});

describe("asking for what is not there", () => {
  const trace = traced(house);

  test.each(["stage", "describe"] as const)("%s of an unknown name is refused by name", (method) => {
    for (const wrong of ["weight", "", "__proto__", "constructor", "toString"]) {
      const error = expectRefusal(() => trace[method](wrong), /name|stage/, wrong);
      expect(error).toBeInstanceOf(Error);
    }
  });

  test.each(["origin", "feeds"] as const)(
    "%s of an index that does not exist is refused with the index and the shape",
    (method) => {
      for (const index of [
        [0, 4, 0],
        [1, 0, 0],
        [0, 0, 5],
        [0, -1, 0],
        [0, 0],
        [0, 0, 0, 0],
        [0, 0.5, 0],
        [0, Number.NaN, 0],
      ]) {
        expectRefusal(() => trace[method]("weights", index), /index/, "weights");
      }
      expectRefusal(() => trace[method]("nothing", [0, 0, 0]), /name|stage/, "nothing");
    },
  );

  test("rowState of a row that does not exist is refused", () => {
    expectRefusal(() => trace.rowState(0, 4), /row/, "4");
    expectRefusal(() => trace.rowState(1, 0), /row|head/, "1");
  });

  test("a disposed trace refuses to be read, says so, and may be disposed of again", () => {
    const gone = traced(house);
    gone[Symbol.dispose]();
    gone.dispose();
    expect(() => gone.stage("weights")).toThrow(/dispose/i);
    expect(() => gone.origin("weights", [0, 0, 0])).toThrow(/dispose/i);
    expect(trace.stage("weights").data.length).toBe(20);
  });
});
