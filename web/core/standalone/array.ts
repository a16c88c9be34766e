// An array of any rank, as the parts of a transformer on their own take it.

import { LoomRangeError, wrongShape } from "../errors.ts";
import { type Fields, knownFields } from "../fields.ts";
import { isArrayLike, wrongKind } from "../incoming/incoming.ts";
import { notFinite } from "../workbench.ts";

/** Numbers in float32, last axis fastest. */
export interface NumberArray {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** What the core takes, asked for before a copy is made. */
const MOST = (192 * 2 ** 20) / Float32Array.BYTES_PER_ELEMENT;

export function product(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all * size, 1);
}

/** `data` and `shape` (default: one axis), each named by `prefix` in an error; −∞ only where it `blocks`. */
export function readArray(fields: Fields, prefix = "", blocks = false): NumberArray {
  const data = readNumbers(`${prefix}data`, fields.data, blocks);
  const shape = "shape" in fields ? readShape(`${prefix}shape`, fields.shape) : [data.length];
  const cells = product(shape);
  if (cells === data.length) return { data, shape };
  throw wrongShape(
    `${prefix}data`,
    data.length,
    `${prefix}data has ${data.length} numbers, but its shape [${shape.join(", ")}] needs ${cells}.`,
  );
}

const ARRAY: ReadonlySet<string> = new Set(["data", "shape", "name"]);

/** The same as an option of its own. */
export function readSubArray(name: string, value: unknown): NumberArray {
  return readArray(knownFields(name, value, ARRAY, name), `${name}.`);
}

/** A fresh copy. */
export function readNumbers(name: string, data: unknown, blocks = false): Float32Array {
  if (!isArrayLike(data)) throw wrongKind(name, "an array of numbers", data);
  if (data.length > MOST) {
    throw new LoomRangeError(`${name} has ${data.length} numbers: the limit is ${MOST} (192 MB).`, {
      code: "limit",
      parameter: name,
      value: data.length,
    });
  }
  const copy = new Float32Array(data.length);
  for (let i = 0; i < copy.length; i++) {
    const value = data[i];
    if (typeof value !== "number") throw wrongKind(`${name}[${i}]`, "a number", value);
    copy[i] = value;
    if (Number.isFinite(copy[i]) || (blocks && value === Number.NEGATIVE_INFINITY)) continue;
    throw notFinite({ place: `${name}[${i}]`, value }, blocks);
  }
  return copy;
}

function readShape(name: string, shape: unknown): readonly number[] {
  if (!Array.isArray(shape) || shape.length === 0) throw wrongKind(name, "a list of at least one size", shape);
  for (let axis = 0; axis < shape.length; axis++) {
    const size: unknown = shape[axis];
    if (Number.isSafeInteger(size) && (size as number) >= 0) continue;
    throw new LoomRangeError(`${name}[${axis}] must be a whole number of at least 0, not ${String(size)}.`, {
      code: "range",
      parameter: `${name}[${axis}]`,
      value: size,
    });
  }
  return [...shape];
}

/** Counted from the front; the last one if it is not given. */
export function readAxis(fields: Fields, shape: readonly number[]): number {
  const axis = "axis" in fields ? fields.axis : -1;
  if (typeof axis !== "number" || !Number.isInteger(axis)) throw wrongKind("axis", "a whole number", axis);
  if (axis < -shape.length || axis >= shape.length) {
    throw new LoomRangeError(
      `axis must be between ${-shape.length} and ${shape.length - 1} for the shape [${shape.join(", ")}], not ${axis}.`,
      { code: "range", parameter: "axis", value: axis },
    );
  }
  return axis < 0 ? axis + shape.length : axis;
}
