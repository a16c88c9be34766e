// Calls that say what the last one said are not read anew: what must be noticed all the same.

import { describe, expect, test } from "vitest";
import { attendAny, expectRefusal } from "./support/errors.ts";
import { loom } from "./support/loom.ts";

const matrix = (data: readonly number[], ...shape: number[]) => ({ data: Float32Array.from(data), shape });
const input = () => ({ q: matrix([1, 2], 2, 1), k: matrix([3, 4], 2, 1), v: matrix([5, 6], 2, 1) });
type Input = ReturnType<typeof input> & { [option: string]: unknown };

/** The third call of a kind is one that is not read anew. */
function repeated(more: object = {}): Input {
  const options = { ...input(), ...more } as Input;
  for (let i = 0; i < 3; i++) attendAny(options);
  return options;
}

/** What a call returns that is read anew, since the one before it said something else. */
function anew(options: unknown) {
  attendAny({ q: [[1]], k: [[1]], v: [[1]] });
  return attendAny(options);
}

const numbers = (options: unknown) => [...attendAny(options).output.data];

describe("other numbers", () => {
  test("in the same array, and in another one", () => {
    const options = repeated();
    options.v.data[0] = 50;
    expect(numbers(options)).toEqual([...anew(options).output.data]);
    const other = repeated();
    expect(numbers({ ...other, q: matrix([7, 8], 2, 1) })).toEqual([
      ...anew({ ...other, q: matrix([7, 8], 2, 1) }).output.data,
    ]);
  });

  test("that are no numbers are refused by name, place and value", () => {
    const options = repeated();
    options.k.data[1] = Number.NaN;
    expectRefusal(() => attendAny(options), "k[1][0]", "NaN");
    options.k.data[1] = 4;
    expect(numbers(options)).toEqual([...anew(options).output.data]);
  });

  test("in doubles, in lists and in a subclass", () => {
    class Mine extends Float32Array {}
    const expected = [...anew(input()).output.data];
    for (const data of [Float64Array.of(1, 2), [1, 2], Mine.of(1, 2)]) {
      expect(numbers({ ...repeated(), q: { data, shape: [2, 1] } })).toEqual(expected);
    }
  });
});

describe("another form", () => {
  test("fewer numbers, another shape, a transferred buffer", () => {
    expectRefusal(() => attendAny({ ...repeated(), q: matrix([1], 2, 1) }), "q.data", "1 numbers", "2");
    expect(attendAny({ ...repeated(), q: matrix([1], 1, 1) }).output.shape).toEqual([1, 1]);
    expectRefusal(() => attendAny({ ...repeated(), v: matrix([1, 2], 1, 2) }), "v", "rows");
    const options = repeated();
    structuredClone(options.q.data.buffer, { transfer: [options.q.data.buffer] });
    expectRefusal(() => attendAny(options), "q.data", "0 numbers");
  });

  test("a shape that was changed in place", () => {
    const options = repeated();
    options.q.shape[0] = 1;
    expectRefusal(() => attendAny(options), "q.data", "2 numbers", "1");
  });

  test("an option more, one less, one changed, one unknown", () => {
    const causal = repeated({ causal: true });
    for (const options of [
      input(),
      { ...causal, scale: 2 },
      { ...causal, causal: "end" },
      { ...causal, causal: false },
    ]) {
      repeated({ causal: true });
      expect(numbers(options)).toEqual([...anew(options).output.data]);
    }
    expectRefusal(() => attendAny({ ...repeated(), scales: 1 }), "scales");
    expectRefusal(() => attendAny({ ...repeated(), q: { ...input().q, shap: 1 } }), "shap");
    expectRefusal(() => attendAny({ ...repeated({ scale: 1 }), scale: undefined }), "scale", "undefined");
  });

  test("options of a class, which no loop sees", () => {
    class Causal {
      get causal() {
        return true;
      }
    }
    const options = Object.assign(new Causal(), repeated());
    expect(numbers(options)).toEqual([...anew({ ...input(), causal: true }).output.data]);
  });

  test("a getter that gives something else each time", () => {
    let scale = 0;
    const options = Object.defineProperty(input(), "scale", { enumerable: true, get: () => scale });
    for (const next of [1, 1, 1, 3, 1]) {
      scale = next;
      expect(numbers(options)).toEqual(numbers({ ...input(), scale: next }));
    }
  });
});

describe("into", () => {
  test("is written each time, wherever it is", () => {
    const options = repeated({ into: new Float32Array(2) });
    const into = new Float32Array(2);
    expect(attendAny({ ...options, into }).output.data).toBe(into);
    expect([...into]).toEqual([...anew(input()).output.data]);
  });

  test("of another length or kind is refused", () => {
    const options = repeated({ into: new Float32Array(2) });
    expectRefusal(() => attendAny({ ...options, into: new Float32Array(3) }), "into", "3 numbers");
    expectRefusal(() => attendAny({ ...repeated(options), into: [0, 0] }), "into", "Float32Array");
  });
});

test("a reference in between leaves no trace", () => {
  const options = repeated();
  loom.reference(options);
  const result = attendAny(options);
  expect(result.trace).toBeUndefined();
  expect([...result.output.data]).toEqual([...anew(options).output.data]);
});

test("a trace in between keeps its numbers, and the call its own", () => {
  const options = repeated();
  const { trace } = loom.attend({ ...options, trace: true });
  repeated();
  const before = trace.origin("output", [0, 0, 0]).value;
  expect(numbers(options)).toEqual([...anew(options).output.data]);
  expect(trace.origin("output", [0, 0, 0]).value).toBe(before);
});
