// Matrices on their way in: nested rows or flat data with a shape. Shape first, numbers later, so that nothing is
// reserved for a call that will be refused.

import { LoomRangeError, LoomTypeError, show } from "./errors.ts";

/** A matrix that has been looked at but not yet copied. */
export interface Incoming {
  readonly name: string;
  /** [rows, cols] or [heads, rows, cols] */
  readonly shape: readonly number[];
  /** A matrix without rows says nothing about its columns. */
  readonly widthKnown: boolean;
  /** Copies the numbers to `heap` from element `at` on, last axis fastest. */
  write(heap: Float32Array, at: number): void;
  /** The number as it was given, and its place as the caller would write it. */
  find(flat: number): { readonly value: unknown; readonly place: string };
}

/** Up to this many numbers a loop is faster than TypedArray.set. */
const SMALL = 64;

/** How one number is taken over: what may stand there, and as which number it reaches the core. */
interface Kind {
  readonly wanted: string;
  /** undefined where the value is not of this kind. */
  readonly convert: (value: unknown) => number | undefined;
}

const NUMBER: Kind = {
  wanted: "a number",
  convert: (value) => (typeof value === "number" ? value : undefined),
};

/** −∞ blocks; a finite number that only float32 takes for −∞ must not, so it arrives as what the core refuses. */
const ADDEND: Kind = {
  wanted: "a number",
  convert(value) {
    if (typeof value !== "number") return undefined;
    return value !== Number.NEGATIVE_INFINITY && Math.fround(value) === Number.NEGATIVE_INFINITY ? Number.NaN : value;
  },
};

const YES_NO: Kind = {
  wanted: "true, false, 1 or 0",
  convert: (value) => (value === true || value === 1 ? 1 : value === false || value === 0 ? 0 : undefined),
};

function wrong(place: string, kind: Kind, value: unknown): LoomTypeError {
  return new LoomTypeError(`${place} must be ${kind.wanted}, not ${show(value)}.`, {
    code: "type",
    parameter: place,
    value,
  });
}

function isArrayLike(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function placeOf(name: string, index: readonly number[]): string {
  return name + index.map((i) => `[${i}]`).join("");
}

function indexOf(shape: readonly number[], flat: number): number[] {
  const index: number[] = [];
  let rest = flat;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] as number;
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}

function flatMatrix(
  name: string,
  value: { data: unknown; shape: unknown },
  ranks: readonly number[],
  kind: Kind,
): Incoming {
  const { data, shape } = value;
  if (!isArrayLike(shape) || !ranks.includes(shape.length)) {
    throw new LoomTypeError(`${name}.shape must be a list of ${ranks.join(" or ")} sizes, not ${show(shape)}.`, {
      code: "type",
      parameter: `${name}.shape`,
      value: shape,
    });
  }
  const sizes: number[] = [];
  let cells = 1;
  for (let axis = 0; axis < shape.length; axis++) {
    const size = shape[axis];
    if (typeof size !== "number" || !Number.isInteger(size) || size < 0) {
      throw new LoomRangeError(`${name}.shape[${axis}] must be a whole number of at least 0, not ${show(size)}.`, {
        code: "range",
        parameter: `${name}.shape[${axis}]`,
        value: size,
      });
    }
    sizes.push(size);
    cells *= size;
  }
  if (!isArrayLike(data)) {
    throw new LoomTypeError(`${name}.data must be an array of numbers, not ${show(data)}.`, {
      code: "type",
      parameter: `${name}.data`,
      value: data,
    });
  }
  if (data.length !== cells) {
    throw new LoomRangeError(
      `${name}.data has ${data.length} numbers, but its shape [${sizes.join(", ")}] needs ${cells}.`,
      { code: "shape", parameter: `${name}.data`, value: data.length },
    );
  }
  const numbers = data as ArrayLike<unknown>;
  return {
    name,
    shape: sizes,
    widthKnown: true,
    write(heap, at) {
      if (kind === NUMBER && cells > SMALL && ArrayBuffer.isView(data) && !isBigInts(data)) {
        heap.set(data as unknown as Float32Array, at);
        return;
      }
      for (let i = 0; i < cells; i++) {
        const number = kind.convert(numbers[i]);
        if (number === undefined) throw wrong(`${name}.data[${i}]`, kind, numbers[i]);
        heap[at + i] = number;
      }
    },
    find: (flat) => ({ value: numbers[flat], place: placeOf(name, indexOf(sizes, flat)) }),
  };
}

function isBigInts(data: ArrayBufferView): boolean {
  return data instanceof BigInt64Array || data instanceof BigUint64Array;
}

/** Looks at rows of numbers below `prefix`; the length of the first row decides. */
function nestedRows(name: string, prefix: readonly number[], rows: ArrayLike<unknown>): number {
  let cols = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (!isArrayLike(row)) {
      const place = placeOf(name, [...prefix, i]);
      throw new LoomTypeError(`${place} must be a row of numbers, not ${show(row)}.`, {
        code: "type",
        parameter: place,
        value: row,
      });
    }
    if (i === 0) cols = row.length;
    if (row.length !== cols) {
      const place = placeOf(name, [...prefix, i]);
      throw new LoomRangeError(
        `${place} has ${row.length} numbers, but ${placeOf(name, [...prefix, 0])} has ${cols}: all rows must have the same length.`,
        { code: "shape", parameter: place, value: row.length },
      );
    }
  }
  return cols;
}

function nestedMatrix(name: string, rows: readonly unknown[], ranks: readonly number[], kind: Kind): Incoming {
  const first = rows[0];
  const deep = ranks.includes(3) && isArrayLike(first) && first.length > 0 && isArrayLike(first[0]);
  if (!deep) {
    const cols = nestedRows(name, [], rows);
    return {
      name,
      shape: [rows.length, cols],
      widthKnown: rows.length > 0,
      write(heap, at) {
        let to = at;
        for (let i = 0; i < rows.length; i++) {
          const row = rows[i] as ArrayLike<unknown>;
          for (let j = 0; j < cols; j++) {
            const number = kind.convert(row[j]);
            if (number === undefined) throw wrong(placeOf(name, [i, j]), kind, row[j]);
            heap[to++] = number;
          }
        }
      },
      find(flat) {
        const i = Math.floor(flat / cols);
        const j = flat % cols;
        return { value: (rows[i] as ArrayLike<unknown>)[j], place: placeOf(name, [i, j]) };
      },
    };
  }
  const parts = rows.map((part, h) => {
    if (!isArrayLike(part)) {
      const place = placeOf(name, [h]);
      throw new LoomTypeError(`${place} must be a matrix, not ${show(part)}.`, {
        code: "type",
        parameter: place,
        value: part,
      });
    }
    const cols = nestedRows(name, [h], part);
    return { part, cols };
  });
  const shape = [parts.length, parts[0]?.part.length ?? 0, parts[0]?.cols ?? 0] as const;
  parts.forEach(({ part, cols }, h) => {
    if (part.length === shape[1] && cols === shape[2]) return;
    const place = placeOf(name, [h]);
    throw new LoomRangeError(
      `${place} is [${part.length}, ${cols}], but ${placeOf(name, [0])} is [${shape[1]}, ${shape[2]}]: all heads must have the same shape.`,
      { code: "shape", parameter: place, value: [part.length, cols] },
    );
  });
  const at3 = (flat: number): { value: unknown; index: number[] } => {
    const index = indexOf(shape, flat);
    const [h, i, j] = index as [number, number, number];
    const part = parts[h]?.part as ArrayLike<ArrayLike<unknown>>;
    return { value: part[i]?.[j], index };
  };
  return {
    name,
    shape,
    widthKnown: true,
    write(heap, at) {
      const cells = shape[0] * shape[1] * shape[2];
      for (let flat = 0; flat < cells; flat++) {
        const { value, index } = at3(flat);
        const number = kind.convert(value);
        if (number === undefined) throw wrong(placeOf(name, index), kind, value);
        heap[at + flat] = number;
      }
    },
    find(flat) {
      const { value, index } = at3(flat);
      return { value, place: placeOf(name, index) };
    },
  };
}

function incoming(name: string, value: unknown, ranks: readonly number[], kind: Kind): Incoming {
  if (Array.isArray(value)) return nestedMatrix(name, value, ranks, kind);
  if (typeof value === "object" && value !== null && "data" in value && "shape" in value) {
    return flatMatrix(name, value, ranks, kind);
  }
  throw new LoomTypeError(`${name} must be rows of numbers or { data, shape }, not ${show(value)}.`, {
    code: "type",
    parameter: name,
    value,
  });
}

/** A matrix of numbers, [rows, cols]. */
export function numbers(name: string, value: unknown): Incoming {
  return incoming(name, value, [2], NUMBER);
}

/** Numbers to add, for all heads, [rows, cols], or for each, [heads, rows, cols]. −∞ is allowed. */
export function addends(name: string, value: unknown): Incoming {
  return incoming(name, value, [2, 3], ADDEND);
}

/** A yes/no mask, of the same shapes. */
export function allowed(name: string, value: unknown): Incoming {
  return incoming(name, value, [2, 3], YES_NO);
}
