import { LoomRangeError } from "../errors.ts";
import { type Found, type Incoming, indexOf, isArrayLike, type Kind, placeOf, wrongKind } from "./incoming.ts";

/** Arrays in arrays: rows of numbers, matrices for each head, and so on. */
export class Nested implements Incoming {
  readonly name: string;
  readonly shape: readonly number[];
  readonly cells: number;
  readonly widthKnown: boolean;
  readonly #rows: readonly ArrayLike<unknown>[];
  readonly #kind: Kind;

  constructor(name: string, value: ArrayLike<unknown>, rank: number, kind: Kind) {
    const shape: number[] = [];
    const rows: ArrayLike<unknown>[] = [];
    const walk = (part: unknown, index: readonly number[]): void => {
      const axis = index.length;
      const isRow = axis === rank - 1;
      const place = placeOf(name, index);
      if (!isArrayLike(part)) throw wrongKind(place, isRow ? "a row of numbers" : "an array of rows", part);
      shape[axis] ??= part.length;
      if (part.length !== shape[axis]) {
        throw new LoomRangeError(
          `${place} has ${part.length} ${isRow ? "numbers" : "rows"}, but ${placeOf(
            name,
            index.map(() => 0),
          )} has ${shape[axis]}: all must have the same length.`,
          { code: "shape", parameter: place, value: part.length },
        );
      }
      if (isRow) rows.push(part);
      else for (let i = 0; i < part.length; i++) walk(part[i], [...index, i]);
    };
    walk(value, []);
    while (shape.length < rank) shape.push(0);
    this.name = name;
    this.shape = shape;
    this.cells = rows.length * (shape[rank - 1] as number);
    this.widthKnown = rows.length > 0;
    this.#rows = rows;
    this.#kind = kind;
  }

  write(heap: Float32Array, at: number, from: number, count: number): void {
    const rows = this.#rows;
    const kind = this.#kind;
    const width = this.shape[this.shape.length - 1] as number;
    let row = Math.floor(from / width);
    let column = from % width;
    for (let i = 0; i < count; i++) {
      const value = rows[row]?.[column];
      const number = kind.convert(value);
      if (number === undefined) throw wrongKind(this.find(from + i).place, kind.wanted, value);
      heap[at + i] = number;
      if (++column < width) continue;
      column = 0;
      row++;
    }
  }

  find(flat: number): Found {
    const width = this.shape[this.shape.length - 1] as number;
    const value = this.#rows[Math.floor(flat / width)]?.[flat % width];
    return { value, place: placeOf(this.name, indexOf(this.shape, flat)) };
  }
}
