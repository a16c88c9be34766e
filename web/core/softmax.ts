// What softmax was asked for, checked.

import { LoomRangeError, LoomTypeError, show } from "./errors.ts";
import { type Fields, knownFields } from "./fields.ts";
import { isArrayLike, wrongKind } from "./incoming/incoming.ts";

/** Numbers in float32, and the axis along which they become shares. */
export interface SoftmaxProblem {
  readonly data: Float32Array;
  readonly shape: readonly number[];
  /** Sizes before, along and behind the axis. */
  readonly sizes: readonly [outer: number, length: number, inner: number];
  readonly log: boolean;
}

const KNOWN: ReadonlySet<string> = new Set(["data", "shape", "axis", "log"]);
/** What the core takes, asked for before a copy is made. */
const MOST = (192 * 2 ** 20) / Float32Array.BYTES_PER_ELEMENT;

/** Reads the options of `softmax`. Throws a LoomError that names the parameter and the value. */
export function readSoftmax(input: unknown): SoftmaxProblem {
  const fields = knownFields("softmax", input, KNOWN);
  const data = readData(fields.data);
  const shape = "shape" in fields ? readShape(fields.shape) : [data.length];
  const cells = shape.reduce((product, size) => product * size, 1);
  if (cells !== data.length) {
    throw new LoomRangeError(`data has ${data.length} numbers, but its shape [${shape.join(", ")}] needs ${cells}.`, {
      code: "shape",
      parameter: "data",
      value: data.length,
    });
  }
  const axis = readAxis(fields, shape);
  const { log = false } = fields;
  if (typeof log !== "boolean") {
    throw new LoomTypeError(`log must be true or false, not ${show(log)}.`, {
      code: "type",
      parameter: "log",
      value: log,
    });
  }
  const product = (sizes: readonly number[]) => sizes.reduce((all, size) => all * size, 1);
  const sizes = [product(shape.slice(0, axis)), shape[axis] as number, product(shape.slice(axis + 1))] as const;
  return { data, shape, sizes, log };
}

function readData(data: unknown): Float32Array {
  if (!isArrayLike(data)) {
    throw new LoomTypeError(`data must be an array of numbers, not ${show(data)}.`, {
      code: "type",
      parameter: "data",
      value: data,
    });
  }
  if (data.length > MOST) {
    throw new LoomRangeError(`data has ${data.length} numbers: the limit is ${MOST} (192 MB).`, {
      code: "limit",
      parameter: "data",
      value: data.length,
    });
  }
  const copy = new Float32Array(data.length);
  for (let i = 0; i < copy.length; i++) {
    const value = data[i];
    if (typeof value !== "number") throw wrongKind(`data[${i}]`, "a number", value);
    copy[i] = value;
    if (Number.isFinite(copy[i]) || value === Number.NEGATIVE_INFINITY) continue;
    throw new LoomRangeError(
      `data[${i}] must be a finite number in the range of float32 (or −∞, which blocks), not ${value}.`,
      { code: "notFinite", parameter: `data[${i}]`, value },
    );
  }
  return copy;
}

function readShape(shape: unknown): readonly number[] {
  if (!Array.isArray(shape) || shape.length === 0) {
    throw new LoomTypeError(`shape must be a list of at least one size, not ${show(shape)}.`, {
      code: "type",
      parameter: "shape",
      value: shape,
    });
  }
  for (let axis = 0; axis < shape.length; axis++) {
    const size: unknown = shape[axis];
    if (Number.isSafeInteger(size) && (size as number) >= 0) continue;
    throw new LoomRangeError(`shape[${axis}] must be a whole number of at least 0, not ${show(size)}.`, {
      code: "range",
      parameter: `shape[${axis}]`,
      value: size,
    });
  }
  return [...shape];
}

/** Counted from the front. */
function readAxis(fields: Fields, shape: readonly number[]): number {
  const axis = "axis" in fields ? fields.axis : -1;
  if (typeof axis !== "number" || !Number.isInteger(axis)) {
    throw new LoomTypeError(`axis must be a whole number, not ${show(axis)}.`, {
      code: "type",
      parameter: "axis",
      value: axis,
    });
  }
  if (axis < -shape.length || axis >= shape.length) {
    throw new LoomRangeError(
      `axis must be between ${-shape.length} and ${shape.length - 1} for the shape [${shape.join(", ")}], not ${axis}.`,
      { code: "range", parameter: "axis", value: axis },
    );
  }
  return axis < 0 ? axis + shape.length : axis;
}
