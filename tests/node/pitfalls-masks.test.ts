// Known faults of masks. Each test carries the number of its kind of fault; the neighbours (other sizes, other
// positions) stand beside the example.

import { describe, expect, test } from "vitest";
import type { AttendInput, AttendResult, Trace } from "../../web/core/types.ts";
import { expectClose } from "./support/compare.ts";
import { attendAny, expectRefusal } from "./support/errors.ts";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";
import { filled, rows } from "./support/rows.ts";

function run(input: AttendInput): AttendResult & { trace: Trace } {
  const result = loom.attend({ ...input, trace: true });
  if (result.trace === undefined) throw new Error("trace: true gave no trace");
  return { ...result, trace: result.trace };
}

const weights = (result: { trace: Trace }) => result.trace.stage("weights").data;

describe("a row with every key masked", () => {
  const q = [
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  const v = [
    [1, 2],
    [3, 4],
    [5, 6],
  ];
  const allow = [
    [1, 0, 0],
    [0, 0, 0],
    [1, 1, 1],
  ] as const;

  test("K01 a query that may look at no key gets exact zeros, is marked empty and spoils nothing", () => {
    const result = run({ q, k: q, v, allow });
    const want = [1, 0, 0, 0, 0, 0, 0.2482551, 0.2482551, 0.5034898];
    expectClose(weights(result), want, "weights");
    for (const cell of [1, 2, 3, 4, 5]) expect(weights(result)[cell]).toBe(0);
    expectClose(result.output.data, [1, 2, 0, 0, 3.5104695, 4.5104695], "output");
    expect([...result.output.data.subarray(2, 4)]).toEqual([0, 0]);
    for (const name of result.trace.stages) {
      expect([...result.trace.stage(name).data].filter(Number.isNaN), `NaN in ${name}`).toEqual([]);
    }
    expect(result.emptyRows).toEqual([[0, 1]]);
    expect(result.notFiniteRows).toEqual([]);
    expect([0, 1, 2].map((row) => result.trace.rowState(0, row))).toEqual(["ok", "empty", "ok"]);
  });

  test("K01 such a row has row maximum and shifted -Infinity, exp, row sum and weights 0", () => {
    const { trace } = run({ q, k: q, v, allow });
    expect(trace.stage("rowmax").data[1]).toBe(-Infinity);
    expect(rows(trace.stage("shifted"))[1]).toEqual([-Infinity, -Infinity, -Infinity]);
    expect(rows(trace.stage("exp"))[1]).toEqual([0, 0, 0]);
    expect(trace.stage("rowsum").data[1]).toBe(0);
  });

  test.each([1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33])("K01 an empty row at every place among %i rows", (n) => {
    const r = random(n);
    const input = { q: { data: r.numbers(n * 3), shape: [n, 3] }, k: { data: r.numbers(n * 3), shape: [n, 3] } };
    const values = { data: r.numbers(n * 2), shape: [n, 2] };
    for (let empty = 0; empty < n; empty++) {
      const data = Uint8Array.from({ length: n * n }, (_, cell) => (Math.floor(cell / n) === empty ? 0 : 1));
      for (const mask of [
        { allow: { data, shape: [n, n] } },
        { add: { data: Float32Array.from(data, (yes) => (yes ? 0 : -Infinity)), shape: [n, n] } },
      ]) {
        const result = loom.attend({ ...input, v: values, ...mask });
        expect(result.emptyRows).toEqual([[0, empty]]);
        expect([...result.output.data.subarray(empty * 2, empty * 2 + 2)]).toEqual([0, 0]);
        const whole = loom.attend({ ...input, v: values });
        for (let i = 0; i < n; i++) {
          if (i === empty) continue;
          const at = [i * 2, i * 2 + 2] as const;
          expect([...result.output.data.subarray(...at)]).toEqual([...whole.output.data.subarray(...at)]);
        }
      }
    }
  });
});

describe("a masked key is left out, not multiplied by 0", () => {
  const q = [
    [1, 0],
    [0, 1],
  ];
  const allow = [
    [1, 0],
    [1, 0],
  ] as const;

  test("K02 NaN in a masked value is refused by name", () => {
    expectRefusal(
      () =>
        attendAny({
          q,
          k: q,
          v: [
            [1, 2],
            [Number.NaN, 4],
          ],
          allow,
        }),
      "v",
      "v[1][0]",
      "NaN",
    );
    expectRefusal(
      () =>
        attendAny({
          q,
          k: q,
          v: [
            [1, 2],
            [3, Infinity],
          ],
          allow,
        }),
      "v",
      "v[1][1]",
      "Infinity",
    );
    expectRefusal(
      () =>
        attendAny({
          q,
          k: [
            [1, 0],
            [0, -Infinity],
          ],
          v: q,
          allow,
        }),
      "k",
      "k[1][1]",
      "-Infinity",
    );
  });

  test("K02 a masked key whose score leaves the range of float32 changes nothing", () => {
    const v = [
      [1, 2],
      [3e38, 4],
    ];
    for (const bad of [
      [3e38, 3e38],
      [3e38, -3e38],
      [-3e38, -3e38],
    ]) {
      const big = [
        [3, 1],
        [2, 3],
      ];
      const result = run({ q: big, k: [[1, 0], bad], v, allow, scale: 1 });
      expect([...weights(result)]).toEqual([1, 0, 1, 0]);
      expect([...result.output.data]).toEqual([1, 2, 1, 2]);
      expect(result.notFiniteRows).toEqual([]);
      expect(result.trace.rowState(0, 0)).toBe("ok");
    }
  });

  test.each([2, 3, 5, 8, 9, 17, 33])("K02 the same among %i keys, at every place", (n) => {
    for (let bad = 0; bad < n; bad++) {
      const k = { data: new Float32Array(n).fill(1), shape: [n, 1] };
      const v = { data: Float32Array.from({ length: n }, (_, j) => j + 1), shape: [n, 1] };
      k.data[bad] = 3e38;
      v.data[bad] = 3e38;
      const allowed = { data: Uint8Array.from({ length: n }, (_, j) => (j === bad ? 0 : 1)), shape: [1, n] };
      const { output, notFiniteRows } = loom.attend({ q: [[9]], k, v, allow: allowed });
      const mean = ((n * (n + 1)) / 2 - (bad + 1)) / (n - 1);
      expectClose(output.data, [mean], `key ${bad} masked`);
      expect(notFiniteRows).toEqual([]);
    }
  });

  test("K02 a row whose visible scores leave the range is reported, the other rows are right", () => {
    const result = run({ q: [[3e38], [0]], k: [[3e38], [0]], v: [[1], [3]], scale: 1 });
    expect(result.notFiniteRows).toEqual([[0, 0]]);
    expect(result.trace.rowState(0, 0)).toBe("notFinite");
    expect(result.trace.rowState(0, 1)).toBe("ok");
    expect(Number.isFinite(result.output.data[0])).toBe(false);
    expect(result.output.data[1]).toBe(2);
  });
});

describe("masks together", () => {
  test("K03 causal and padding masks combine without NaN", () => {
    const allow = Array.from({ length: 3 }, () => [0, 1, 1] as const);
    const result = run({
      scale: 1,
      q: [[1], [1], [1]],
      k: [[0], [1], [2]],
      v: [[10], [20], [40]],
      causal: true,
      allow,
    });
    expectClose(weights(result), [0, 0, 0, 0, 1, 0, 0, 0.2689414, 0.7310586], "weights");
    expectClose(result.output.data, [0, 20, 34.6211716], "output");
    expect(result.emptyRows).toEqual([[0, 0]]);
  });

  test("K03 the additive mask as padding gives the same bits as allow", () => {
    const base = { scale: 1, q: [[1], [1], [1]], k: [[0], [1], [2]], v: [[10], [20], [40]], causal: true } as const;
    const byAllow = loom.attend({
      ...base,
      allow: [
        [0, 1, 1],
        [0, 1, 1],
        [0, 1, 1],
      ],
    });
    const row = [-Infinity, 0, 0];
    const byAdd = loom.attend({ ...base, add: [row, row, row] });
    expect([...byAdd.output.data]).toEqual([...byAllow.output.data]);
    const both = loom.attend({
      ...base,
      allow: [
        [0, 1, 1],
        [0, 1, 1],
        [0, 1, 1],
      ],
      add: [row, row, row],
    });
    expect([...both.output.data]).toEqual([...byAllow.output.data]);
  });

  test("K03 a huge negative number in the additive mask is a number, not a block", () => {
    const add = [[-3e38, -3e38]];
    const result = run({ scale: 1, q: [[1]], k: [[0], [0]], v: [[1], [3]], add });
    expect([...weights(result)]).toEqual([0.5, 0.5]);
    expect(result.emptyRows).toEqual([]);
  });

  test("K03 a finite number that float32 cannot hold is refused in the additive mask, not taken for -Infinity", () => {
    for (const add of [
      [[0, -1e39]],
      { data: [0, -1e39], shape: [1, 2] },
      { data: Float64Array.of(0, -1e39), shape: [1, 2] },
    ]) {
      expectRefusal(() => attendAny({ q: [[1]], k: [[0], [0]], v: [[1], [3]], add }), "add[0][1]", /-1e\+?39/);
    }
  });

  test("K04 padding keeps no share at all", () => {
    const k = [
      [1, 0],
      [1, 0],
      [1, 0],
    ];
    const result = run({ q: [[1, 0]], k, v: [[3], [6], [900]], allow: [[1, 1, 0]] });
    expect([...weights(result)]).toEqual([0.5, 0.5, 0]);
    expect([...result.output.data]).toEqual([4.5]);
  });

  test.each([2, 3, 4, 5, 8, 9, 16, 33])(
    "K04 among %i keys the masked ones have weight exactly 0 and the rest share",
    (n) => {
      for (let hidden = 0; hidden < n; hidden++) {
        const data = Uint8Array.from({ length: n }, (_, j) => (j === hidden ? 0 : 1));
        const result = run({ q: [[1]], k: filled(n, 1, 50), v: filled(n, 1, 2), allow: { data, shape: [1, n] } });
        const share = Math.fround(1 / (n - 1));
        expect([...weights(result)]).toEqual(Array.from(data, (yes) => (yes ? share : 0)));
      }
    },
  );

  test("K05 true in allow means may look", () => {
    const q = [
      [1, 0],
      [0, 1],
    ];
    const v = [
      [1, 2],
      [3, 4],
    ];
    for (const allow of [
      [
        [true, false],
        [true, true],
      ],
      [
        [1, 0],
        [1, 1],
      ] as const,
      { data: [true, false, true, true], shape: [2, 2] },
      { data: Uint8Array.of(1, 0, 1, 1), shape: [1, 2, 2] },
    ]) {
      const result = run({ q, k: q, v, allow });
      expectClose(weights(result), [1, 0, 0.3302385, 0.6697615], "weights");
      expectClose(result.output.data, [1, 2, 2.3395231, 3.3395231], "output");
    }
  });

  test("K05 an option named mask does not exist and is refused, not ignored", () => {
    const q = [
      [1, 0],
      [0, 1],
    ];
    expectRefusal(
      () =>
        attendAny({
          q,
          k: q,
          v: q,
          mask: [
            [1, 0],
            [1, 1],
          ],
        }),
      "mask",
    );
  });

  test("K06 a number mask is added, whatever its numbers are", () => {
    const base = { scale: 1, q: [[1], [1]], k: [[0], [0]], v: [[1], [5]] };
    const result = run({
      ...base,
      add: [
        [1, 0],
        [0, -Infinity],
      ],
    });
    expectClose(weights(result), [0.7310586, 0.2689414, 1, 0], "weights");
    expectClose(result.output.data, [2.0757657, 1], "output");
    const ones = run({
      ...base,
      add: [
        [1, 1],
        [0, 0],
      ],
    });
    expect([...weights(ones)]).toEqual([0.5, 0.5, 0.5, 0.5]);
  });

  test("K06 numbers other than 0 and 1 in allow are refused", () => {
    const q = [
      [1, 0],
      [0, 1],
    ];
    for (const value of [2, -1, 0.5, Number.NaN, "1", null]) {
      expectRefusal(
        () =>
          attendAny({
            q,
            k: q,
            v: q,
            allow: [
              [1, value],
              [1, 1],
            ],
          }),
        "allow",
        String(value),
      );
    }
    for (const value of [Number.NaN, Infinity, "1", null]) {
      expectRefusal(
        () =>
          attendAny({
            q,
            k: q,
            v: q,
            add: [
              [1, value],
              [1, 1],
            ],
          }),
        "add",
        String(value),
      );
    }
  });
});

describe("the causal triangle", () => {
  const wide = { q: [[1], [1]], k: filled(5, 1, 0), v: [[1], [2], [3], [4], [5]] };

  test("K07 aligned at the end the last query sees every key, aligned at the start the first sees one", () => {
    expectClose(loom.attend({ ...wide, causal: "end" }).output.data, [2.5, 3], "end");
    expectClose(loom.attend({ ...wide, causal: "start" }).output.data, [1, 1.5], "start");
    expectClose(loom.attend({ ...wide, causal: { offset: 3 } }).output.data, [2.5, 3], "offset 3");
    expectClose(loom.attend({ ...wide, causal: { offset: 1 } }).output.data, [1.5, 2], "offset 1");
  });

  test("K07 with unequal lengths and no named alignment the call is refused with both lengths", () => {
    expectRefusal(() => loom.attend({ ...wide, causal: true }), "causal", "2", "5");
    expectRefusal(() => attendAny({ ...wide, causal: "middle" }), "causal", "middle");
    expectRefusal(() => attendAny({ ...wide, causal: { offset: 0.5 } }), /causal/, "0.5");
    expectRefusal(() => attendAny({ ...wide, causal: {} }), /causal/);
    expectRefusal(() => attendAny({ ...wide, causal: 1 }), "causal", "1");
  });

  test("K07 an offset beyond any length shows all keys or none", () => {
    for (const offset of [4, 5, 2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 1e15]) {
      expectClose(loom.attend({ ...wide, causal: { offset } }).output.data, [3, 3], `offset ${offset}`);
    }
    for (const offset of [-2, -5, -(2 ** 31), -1e15]) {
      expect([...loom.attend({ ...wide, causal: { offset } }).output.data]).toEqual([0, 0]);
    }
  });

  test("K07 causal: false is no mask", () => {
    const { trace } = run({ ...wide, causal: false });
    expect(trace.stages).not.toContain("masked");
  });

  test.each([
    [1, 1],
    [1, 9],
    [3, 4],
    [4, 3],
    [8, 17],
    [17, 8],
    [16, 16],
    [5, 33],
  ])("K07 %i queries and %i keys: with K = 0 each query takes the mean of what its alignment lets it see", (nQ, nK) => {
    const v = { data: Float32Array.from({ length: nK }, (_, j) => j + 1), shape: [nK, 1] };
    for (const [causal, offset] of [
      ["start", 0],
      ["end", nK - nQ],
      [{ offset: 2 }, 2],
      [{ offset: -1 }, -1],
    ] as const) {
      const { output } = loom.attend({ q: filled(nQ, 2, 1), k: filled(nK, 2, 0), v, causal });
      const want = Array.from({ length: nQ }, (_, i) => {
        const seen = Math.max(0, Math.min(nK, i + offset + 1));
        return seen === 0 ? 0 : (seen + 1) / 2;
      });
      expectClose(output.data, want, `offset ${offset}`);
    }
  });

  test("K08 a token sees itself and nothing later", () => {
    const zero = [[0], [0], [0]];
    const result = run({ q: zero, k: zero, v: [[3], [6], [12]], causal: true });
    expectClose(weights(result), [1, 0, 0, 0.5, 0.5, 0, 0.3333333, 0.3333333, 0.3333333], "weights");
    expectClose(result.output.data, [3, 4.5, 7], "output");
    expect(result.emptyRows).toEqual([]);
  });

  test.each([1, 2, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 65])(
    "K08 among %i tokens row i has i + 1 equal weights, then zeros",
    (n) => {
      const { trace } = run({ q: filled(n, 3, 0), k: filled(n, 3, 1), v: filled(n, 1, 1), causal: true });
      for (const [i, row] of rows(trace.stage("weights")).entries()) {
        expectClose(row.slice(0, i + 1), new Array(i + 1).fill(1 / (i + 1)), `row ${i}`);
        expect(row.slice(i + 1).every((weight) => Object.is(weight, 0))).toBe(true);
      }
    },
  );
});
