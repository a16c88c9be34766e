// Known faults of odd, tiny and empty sizes, and of rows and columns mixed up.

import { describe, expect, test } from "vitest";
import type { AttendInput, Trace } from "../../web/core/types.ts";
import { expectClose } from "./support/compare.ts";
import { loom } from "./support/loom.ts";
import { filled, rows } from "./support/rows.ts";

function traced(input: AttendInput): Trace {
  const { trace } = loom.attend({ ...input, trace: true });
  if (trace === undefined) throw new Error("trace: true gave no trace");
  return trace;
}

/** A matrix that lies inside a larger buffer with NaN before and behind it. */
function fenced(rowCount: number, width: number, value: (row: number) => number) {
  const buffer = new Float32Array(rowCount * width + 32).fill(Number.NaN);
  const data = buffer.subarray(16, 16 + rowCount * width);
  for (let cell = 0; cell < data.length; cell++) data[cell] = value(Math.floor(cell / width));
  return { data, shape: [rowCount, width] };
}

describe("remainder lanes", () => {
  for (const nK of [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65]) {
    test(`K16 ${nK} keys, every small width: weights 1/${nK}, output ${(nK + 1) / 2}`, () => {
      for (const d of [1, 3, 4, 5, 8]) {
        for (const nQ of [1, 2, 3, 7, 8, 9]) {
          const input = { q: fenced(nQ, d, () => 1), k: fenced(nK, d, () => 0), v: fenced(nK, d, (j) => j + 1) };
          const { output } = loom.attend(input);
          expectClose(output.data, new Array(nQ * d).fill((nK + 1) / 2), `d = ${d}, nQ = ${nQ}`);
          const weights = traced(input).stage("weights").data;
          expect([...weights]).toEqual(new Array(nQ * nK).fill(Math.fround(1 / nK)));
        }
      }
    });
  }

  test("K16 softmax of every length up to 70 with NaN behind the data", () => {
    for (let n = 1; n <= 70; n++) {
      const { data } = fenced(n, 1, () => 3);
      expect([...loom.softmax({ data }).data]).toEqual(new Array(n).fill(Math.fround(1 / n)));
    }
  });
});

describe("empty sizes", () => {
  test("K17 no tokens: weights and output are empty", () => {
    for (const empty of [[], filled(0, 3, 0)]) {
      const { output, trace, emptyRows } = loom.attend({ q: empty, k: empty, v: empty, trace: true });
      expect(output.data).toHaveLength(0);
      expect(trace?.stage("weights").data).toHaveLength(0);
      expect(trace?.stage("weights").shape).toEqual([1, 0, 0]);
      expect(emptyRows).toEqual([]);
    }
  });

  test("K17 two queries and no keys: weights 2×0, output zeros", () => {
    const input = { q: filled(2, 4, 1), k: filled(0, 4, 0), v: filled(0, 3, 0) };
    const { output, emptyRows } = loom.attend(input);
    expect(output.shape).toEqual([2, 3]);
    expect([...output.data]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(traced(input).stage("weights").shape).toEqual([1, 2, 0]);
    expect(emptyRows).toEqual([
      [0, 0],
      [0, 1],
    ]);
  });

  test("K17 every other size may be 0 as well, with every kind of mask", () => {
    for (const [nQ, nK, dK, dV] of [
      [0, 3, 2, 2],
      [3, 0, 2, 2],
      [2, 3, 0, 2],
      [2, 3, 2, 0],
      [0, 0, 0, 0],
      [3, 0, 0, 0],
    ] as const) {
      for (const mask of [
        {},
        { causal: "end" as const },
        { allow: { data: new Uint8Array(nQ * nK).fill(1), shape: [nQ, nK] } },
        { add: { data: new Float32Array(nQ * nK), shape: [nQ, nK] } },
      ]) {
        const input = { q: filled(nQ, dK, 1), k: filled(nK, dK, 1), v: filled(nK, dV, 1), ...mask };
        const { output } = loom.attend(input);
        expect(output.shape).toEqual([nQ, dV]);
        expect([...output.data].every((value) => value === (nK === 0 ? 0 : value))).toBe(true);
        expect([...output.data].some(Number.isNaN)).toBe(false);
        for (const name of traced(input).stages) {
          expect([...traced(input).stage(name).data].some(Number.isNaN), name).toBe(false);
        }
      }
    }
  });

  test("K17 softmax along an axis of length 0 and over no lines at all is empty", () => {
    expect(loom.softmax({ data: [] }).data).toHaveLength(0);
    for (const axis of [0, 1, -1]) {
      for (const shape of [
        [0, 3],
        [3, 0],
        [0, 0],
      ]) {
        const got = loom.softmax({ data: [], shape, axis });
        expect(got.shape).toEqual(shape);
        expect(got.data).toHaveLength(0);
      }
    }
  });
});

describe("one token and rows shorter than a vector", () => {
  test("K18 a single token gets its own value, exactly, however large the score", () => {
    for (const score of [-1e30, 1e30, 0, 1e-40, -3.4e38]) {
      const input = { q: [[score]], k: [[1]], v: [[7, 8]] };
      expect([...traced(input).stage("weights").data]).toEqual([1]);
      expect([...loom.attend(input).output.data]).toEqual([7, 8]);
    }
  });

  test("K18 two and three equal keys share", () => {
    expect([...loom.attend({ q: filled(2, 1, 1), k: filled(2, 1, 0), v: [[1], [2]] }).output.data]).toEqual([1.5, 1.5]);
    const three = loom.attend({ q: filled(3, 1, 1), k: filled(3, 1, 0), v: [[1], [2], [3]] }).output.data;
    expectClose(three, [2, 2, 2], "three keys");
  });

  test.each([1, 2, 3, 4, 5])("K18 softmax of %i very low numbers", (n) => {
    const got = loom.softmax({ data: new Float32Array(n).fill(-1e30) }).data;
    expect([...got]).toEqual(new Array(n).fill(Math.fround(1 / n)));
  });
});

describe("rows and columns", () => {
  test("K39 a matrix is read row by row", () => {
    const input = {
      q: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      k: [
        [1, 0, 0],
        [0, 1, 0],
      ],
      v: [
        [1, 0],
        [0, 1],
      ],
    };
    const trace = traced(input);
    expectClose(trace.stage("scaled").data, [0.5773503, 1.1547005, 2.3094011, 2.8867513], "scaled");
    for (const row of rows(trace.stage("weights"))) expectClose(row, [0.3595425, 0.6404575], "weights");
  });

  test("K39 nested rows and flat data with a shape are the same matrix", () => {
    const nested = {
      q: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      k: [
        [1, 0, 2],
        [0, 1, 0],
        [3, 1, 1],
      ],
      v: [
        [1, 0],
        [0, 1],
        [2, 2],
      ],
    };
    const flat = Object.fromEntries(
      Object.entries(nested).map(([name, m]) => [name, { data: m.flat(), shape: [m.length, m[0]?.length ?? 0] }]),
    ) as unknown as AttendInput;
    expect([...loom.attend(flat).output.data]).toEqual([...loom.attend(nested).output.data]);
  });

  test("K39 rows ask and columns answer: an entry [i][j] of allow concerns query i and key j", () => {
    const input = {
      q: filled(2, 1, 0),
      k: filled(3, 1, 0),
      v: [[1], [2], [4]],
      allow: [
        [1, 0, 0],
        [0, 1, 1],
      ] as const,
    };
    expect([...loom.attend(input).output.data]).toEqual([1, 3]);
  });
});
