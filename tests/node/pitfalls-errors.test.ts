// Known faults at the border between JavaScript and C++: errors that arrive as numbers, arguments converted in silence.

import { describe, expect, test } from "vitest";
import { attendAny, expectRefusal, expectStillRight, refusal, softmaxAny } from "./support/errors.ts";
import { loom } from "./support/loom.ts";
import { filled } from "./support/rows.ts";

const q = [
  [1, 0],
  [0, 1],
];
const good = { q, k: q, v: q };
const tokens = { x: q, wQ: q, wK: q, wV: q };

/** Refused with the semantics of a TypeError or a RangeError, whichever the project's own classes are built on. */
function kind(error: Error): string {
  if (error instanceof TypeError || /TypeError$/.test(error.name)) return "TypeError";
  if (error instanceof RangeError || /RangeError$/.test(error.name)) return "RangeError";
  return error.name;
}

describe("errors are Errors", () => {
  test("K26 a width that heads do not divide is refused with both numbers", () => {
    const wide = filled(2, 8, 1);
    const error = expectRefusal(() => loom.attend({ q: wide, k: wide, v: wide, heads: 3 }), "heads", "8", "3");
    expect(error).toBeInstanceOf(Error);
    expect(typeof error.message).toBe("string");
  });

  test("K26 the same for weights and for values, at other sizes", () => {
    expectRefusal(
      () =>
        loom.attend({ x: filled(2, 5, 1), wQ: filled(5, 7, 1), wK: filled(5, 7, 1), wV: filled(5, 6, 1), heads: 2 }),
      /heads|wQ/,
      "7",
      "2",
    );
    expectRefusal(
      () => loom.attend({ q: filled(2, 6, 1), k: filled(2, 6, 1), v: filled(2, 5, 1), heads: 3 }),
      /heads|v/,
      "5",
      "3",
    );
  });

  test.each([
    ["k narrower than q", { ...good, k: [[1], [1]] }, /^(q|k)$/, [/2/, /1/]],
    ["v with more rows than k", { ...good, v: filled(3, 2, 1) }, /^(k|v)$/, [/3/, /2/]],
    ["v with fewer rows than k", { ...good, v: filled(1, 2, 1) }, /^(k|v)$/, [/1/, /2/]],
    ["allow with a row too many", { ...good, allow: filled(3, 2, 1) }, /allow/, [/3/, /2/]],
    [
      "allow with one column too many",
      {
        ...good,
        allow: [
          [1, 1, 1],
          [1, 1, 1],
        ],
      },
      /allow/,
      [/3/, /2/],
    ],
    [
      "allow for three heads where there is one",
      { ...good, allow: { data: new Uint8Array(12), shape: [3, 2, 2] } },
      /allow/,
      [/3, 2, 2/, /\[2, 2\]/],
    ],
    ["add with other shape", { ...good, add: filled(2, 3, 0) }, /add/, [/3/, /2/]],
    [
      "allow with rows that are too short",
      { ...good, k: filled(3, 2, 1), v: filled(3, 2, 1), allow: q },
      /allow/,
      [/3/, /2/],
    ],
    ["wQ with too few rows", { ...tokens, wQ: [[1, 1]] }, /wQ|x/, [/1/, /2/]],
    ["wK with too many rows", { ...tokens, wK: filled(3, 2, 1) }, /wK|x/, [/3/, /2/]],
    ["wV that does not fit xKv", { ...tokens, xKv: filled(4, 3, 1), wK: filled(3, 2, 1) }, /wV|xKv/, [/2/, /3/]],
    ["wK with other width than wQ", { ...tokens, wK: filled(2, 3, 1) }, /wK|wQ/, [/3/, /2/]],
    ["data that does not fill its shape", { ...good, q: { data: [1, 2, 3], shape: [2, 2] } }, /q/, [/3/, /2/]],
    ["a shape of three axes", { ...good, q: { data: [1, 2, 3, 4], shape: [1, 2, 2] } }, /q/, [/1, ?2, ?2|3/]],
  ])("K26 shapes that do not fit are refused with both shapes: %s", (_, input, parameter, numbers) => {
    expectRefusal(() => attendAny(input), parameter, ...numbers);
  });

  test("K26 no call after a refusal gives half a result", () => {
    const before = loom.memory();
    for (let i = 0; i < 20; i++) refusal(() => attendAny({ ...good, heads: 3, trace: true }));
    expect(loom.memory()).toEqual(before);
    expectStillRight();
  });
});

describe("arguments of the wrong type or range", () => {
  test.each([-1, 0, 2.5, Number.NaN, Infinity, 4294967300, null, undefined, "8", true, [2], {}])(
    "K27 heads = %j is refused by name and value",
    (heads) => {
      const error = expectRefusal(() => attendAny({ ...good, heads }), "heads", shown(heads));
      expect(["TypeError", "RangeError"]).toContain(kind(error));
    },
  );

  test.each([-1, Number.NaN, Infinity, null, undefined, "1", true])(
    "K27 temperature = %j is refused by name and value",
    (temperature) => {
      const error = expectRefusal(() => attendAny({ ...good, temperature }), "temperature", shown(temperature));
      expect(["TypeError", "RangeError"]).toContain(kind(error));
    },
  );

  test.each([Number.NaN, Infinity, -Infinity, null, undefined, "1", true, 1e300])(
    "K27 scale = %j is refused by name and value",
    (scale) => {
      const error = expectRefusal(() => attendAny({ ...good, scale }), "scale", shown(scale));
      expect(["TypeError", "RangeError"]).toContain(kind(error));
    },
  );

  test.each([null, undefined, 0, 1, "true"])("K27 trace = %j is refused by name and value", (trace) => {
    expectRefusal(() => attendAny({ ...good, trace }), "trace", shown(trace));
  });

  for (const [name, base] of [
    ["q", good],
    ["k", good],
    ["v", good],
    ["x", tokens],
    ["wQ", tokens],
    ["wK", tokens],
    ["wV", tokens],
    ["xKv", tokens],
  ] as const) {
    test.each([null, undefined, "3", Number.NaN, Infinity, -Infinity, true, {}, 1e39])(
      `K27 ${name} with an element %j is refused with row and column`,
      (element) => {
        for (const [row, column] of [
          [0, 0],
          [1, 0],
          [0, 1],
        ] as const) {
          const matrix: unknown[][] = [
            [1, 0],
            [0, 1],
          ];
          (matrix[row] as unknown[])[column] = element;
          const error = expectRefusal(
            () => attendAny({ ...base, [name]: matrix }),
            name,
            `${name}[${row}][${column}]`,
            shown(element),
          );
          expect(["TypeError", "RangeError"]).toContain(kind(error));
        }
      },
    );

    test(`K27 ${name} with a number that is not finite in flat data is refused with row and column`, () => {
      for (const Kind of [Float32Array, Float64Array]) {
        for (let cell = 0; cell < 4; cell++) {
          for (const bad of [Number.NaN, Infinity, -Infinity]) {
            const data = Kind.of(1, 2, 3, 4);
            data[cell] = bad;
            const at = `${name}[${cell >> 1}][${cell & 1}]`;
            expectRefusal(() => attendAny({ ...base, [name]: { data, shape: [2, 2] } }), name, at, String(bad));
          }
        }
      }
    });

    test(`K27 ${name} with rows of unequal length is refused with the row`, () => {
      const error = expectRefusal(() => attendAny({ ...base, [name]: [[1, 0], [1]] }), name, /\[1\]|row 1/, "1", "2");
      expect(["TypeError", "RangeError"]).toContain(kind(error));
      expectRefusal(
        () =>
          attendAny({
            ...base,
            [name]: [
              [1, 0],
              [0, 1, 2],
            ],
          }),
        name,
        /\[1\]|row 1/,
      );
      expectRefusal(() => attendAny({ ...base, [name]: [[1, 0], 5] }), name, /\[1\]|row 1/, "5");
    });

    test.each([
      null,
      7,
      "ab",
      true,
      { data: [1, 2, 3, 4] },
      { shape: [2, 2] },
      { data: [1, 2, 3, 4], shape: [-2, -2] },
      { data: [1, 2, 3, 4], shape: [2.5, 2] },
      { data: [1, 2, 3, 4], shape: ["2", 2] },
      { data: "1234", shape: [2, 2] },
    ])(`K27 ${name} = %j is no matrix and is refused`, (matrix) => {
      const error = expectRefusal(() => attendAny({ ...base, [name]: matrix }), name);
      expect(["TypeError", "RangeError"]).toContain(kind(error));
    });
  }

  test.each([null, undefined, 5, "q", []])("K27 attend(%j) is refused", (input) => {
    refusal(() => attendAny(input));
    expectStillRight();
  });

  test("K27 a missing matrix and a mixture of both forms are refused by name", () => {
    expectRefusal(() => attendAny({ q, k: q }), "v");
    expectRefusal(() => attendAny({ x: q, wQ: q, wV: q }), "wK");
    expectRefusal(() => attendAny({ ...good, x: q }), /x|q/);
  });

  test.each([
    ["an axis beyond the shape", { data: [1, 2], shape: [2], axis: 1 }, "axis", "1"],
    ["an axis before the shape", { data: [1, 2], shape: [2], axis: -2 }, "axis", "-2"],
    ["half an axis", { data: [1, 2], shape: [2], axis: 0.5 }, "axis", "0.5"],
    ["an axis in words", { data: [1, 2], shape: [2], axis: "0" }, "axis", "0"],
    ["NaN in the data", { data: [1, Number.NaN] }, "data", "NaN"],
    ["+Infinity in the data", { data: [Infinity, 1] }, "data", "Infinity"],
    ["a word in the data", { data: [1, "2"] }, "data", "2"],
    ["a shape that the data does not fill", { data: [1, 2, 3], shape: [2, 2] }, /shape|data/, "3"],
    ["log in words", { data: [1, 2], log: "yes" }, "log", "yes"],
    ["no data", { shape: [2] }, "data", ""],
  ])("K27 softmax refuses %s", (_, input, parameter, value) => {
    expectRefusal(() => softmaxAny(input), parameter, value);
  });
});

/** How a message may show a value: as it is written in code. */
function shown(value: unknown): string | RegExp {
  if (typeof value === "string") return value;
  if (value === 4294967300) return /4294967300|4,294,967,300/;
  if (value === 1e300) return /1e\+?300/;
  if (value === 1e39) return /1e\+?39/;
  if (Array.isArray(value)) return /\[?2|array/;
  if (typeof value === "object" && value !== null) return /object|\{\}/i;
  return String(value);
}
