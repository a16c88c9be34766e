import { LoomRangeError, LoomTypeError, show } from "../errors.ts";
import { knownFields } from "../fields.ts";
import { type Incoming, indexOf, isArrayLike, type Kind, NUMBER, placeOf, wrongKind } from "./incoming.ts";

/** Up to this many numbers a loop is faster than TypedArray.set. */
const SMALL = 64;
const FIELDS: ReadonlySet<string> = new Set(["data", "shape", "name"]);

/** Flat data with its shape. */
export class FlatMatrix implements Incoming {
  readonly name: string;
  readonly shape: readonly number[];
  readonly widthKnown = true;
  readonly #data: ArrayLike<unknown>;
  readonly #cells: number;
  readonly #kind: Kind;

  /** `ranks`: how many axes there may be. */
  constructor(name: string, value: { data: unknown; shape: unknown }, ranks: readonly number[], kind: Kind) {
    knownFields(name, value, FIELDS);
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
    this.name = name;
    this.shape = sizes;
    this.#data = data;
    this.#cells = cells;
    this.#kind = kind;
  }

  write(heap: Float32Array, at: number): void {
    const data = this.#data;
    const kind = this.#kind;
    const cells = this.#cells;
    // A getter, a detached buffer or another thread may have changed it since: never more or less than was planned.
    if (data.length !== cells) {
      throw new LoomRangeError(
        `${this.name}.data had ${cells} numbers when the call began and has ${data.length} now: it must not change meanwhile.`,
        { code: "shape", parameter: `${this.name}.data`, value: data.length },
      );
    }
    if (kind === NUMBER && cells > SMALL && (data instanceof Float32Array || data instanceof Float64Array)) {
      heap.set(data.subarray(0, cells), at);
      return;
    }
    for (let i = 0; i < cells; i++) {
      const number = kind.convert(data[i]);
      if (number === undefined) throw wrongKind(this.find(i).place, kind.wanted, data[i]);
      heap[at + i] = number;
    }
  }

  find(flat: number): { value: unknown; place: string } {
    return { value: this.#data[flat], place: placeOf(this.name, indexOf(this.shape, flat)) };
  }
}
