import { LoomRangeError, LoomTypeError, show } from "../errors.ts";
import { knownFields } from "../fields.ts";
import { type Found, type Incoming, indexOf, isArrayLike, type Kind, placeOf, wrongKind } from "./incoming.ts";

/** Up to this many numbers a loop is faster than TypedArray.set. */
const SMALL = 32;
const FIELDS: ReadonlySet<string> = new Set(["data", "shape", "name"]);
const NOTHING: readonly number[] = [];

/** Flat data with its shape. */
export class Flat implements Incoming {
  readonly name: string;
  readonly shape: readonly number[];
  readonly cells: number;
  readonly widthKnown = true;
  #data: ArrayLike<unknown>;
  readonly #kind: Kind;

  constructor(name: string, data: ArrayLike<unknown>, shape: readonly number[], cells: number, kind: Kind) {
    this.name = name;
    this.shape = shape;
    this.cells = cells;
    this.#data = data;
    this.#kind = kind;
  }

  /** Takes other data of the same shape; false where `value` is not that, or anything that {@link flat} looks at more closely. */
  refill(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    for (const field in value) {
      if (field !== "data" && field !== "shape" && field !== "name") return false;
    }
    const { data, shape } = value as { data?: unknown; shape?: unknown };
    const sizes = this.shape;
    if (!Array.isArray(shape) || shape.length !== sizes.length) return false;
    for (let axis = 0; axis < sizes.length; axis++) {
      if (shape[axis] !== sizes[axis]) return false;
    }
    if (!(data instanceof Float32Array) || data.length !== this.cells) return false;
    this.#data = data;
    return true;
  }

  /** Lets go of the data. */
  empty(): void {
    this.#data = NOTHING;
  }

  write(heap: Float32Array, at: number, from: number, count: number): void {
    const data = this.#data;
    const kind = this.#kind;
    // A getter, a detached buffer or another thread may have changed it since: never more or less than was planned.
    if (data.length !== this.cells) {
      throw new LoomRangeError(
        `${this.name}.data had ${this.cells} numbers when the call began and has ${data.length} now: it must not change meanwhile.`,
        { code: "shape", parameter: `${this.name}.data`, value: data.length },
      );
    }
    if (kind.asFloat32 && data instanceof Float32Array) {
      if (count > SMALL) {
        // Into a view of just that room: what is longer than it says does not reach beyond.
        heap.subarray(at, at + count).set(count === this.cells ? data : data.subarray(from, from + count));
      } else {
        for (let i = 0; i < count; i++) heap[at + i] = data[from + i] as number;
      }
      return;
    }
    for (let i = 0; i < count; i++) {
      const number = kind.convert(data[from + i]);
      if (number === undefined) throw wrongKind(this.find(from + i).place, kind.wanted, data[from + i]);
      heap[at + i] = number;
    }
  }

  find(flat: number): Found {
    return { value: this.#data[flat], place: placeOf(this.name, indexOf(this.shape, flat)) };
  }
}

/** `{ data, shape }`, checked. `ranks`: how many axes there may be. */
export function flat(
  name: string,
  value: { data: unknown; shape: unknown },
  ranks: readonly number[],
  kind: Kind,
): Flat {
  for (const field in value) {
    if (field !== "data" && field !== "shape") knownFields(name, value, FIELDS, name);
  }
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
    if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) {
      throw new LoomRangeError(`${name}.shape[${axis}] must be a whole number of at least 0, not ${show(size)}.`, {
        code: "range",
        parameter: `${name}.shape[${axis}]`,
        value: size,
      });
    }
    sizes.push(size);
    cells *= size;
  }
  if (!isArrayLike(data)) throw wrongKind(`${name}.data`, "an array of numbers", data);
  if (data.length !== cells) {
    throw new LoomRangeError(
      `${name}.data has ${data.length} numbers, but its shape [${sizes.join(", ")}] needs ${cells}.`,
      { code: "shape", parameter: `${name}.data`, value: data.length },
    );
  }
  return new Flat(name, data, sizes, cells, kind);
}
