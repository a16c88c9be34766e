import { LoomRangeError, LoomTypeError, show } from "../errors.ts";
import { type Incoming, indexOf, isArrayLike, type Kind, placeOf, wrongKind } from "./incoming.ts";

type Row = ArrayLike<unknown>;
type Rows = ArrayLike<Row>;

/** Rows of numbers. `prefix` is their place in a larger array, for errors. */
export class NestedMatrix implements Incoming {
  readonly name: string;
  readonly shape: readonly number[];
  readonly widthKnown: boolean;
  readonly #rows: Rows;
  readonly #kind: Kind;
  readonly #prefix: readonly number[];

  constructor(name: string, rows: ArrayLike<unknown>, kind: Kind, prefix: readonly number[] = []) {
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
    this.name = name;
    this.shape = [rows.length, cols];
    this.widthKnown = rows.length > 0;
    this.#rows = rows as Rows;
    this.#kind = kind;
    this.#prefix = prefix;
  }

  write(heap: Float32Array, at: number): void {
    const rows = this.#rows;
    const kind = this.#kind;
    const [height, width] = this.shape as [number, number];
    let to = at;
    for (let i = 0; i < height; i++) {
      const row = rows[i] as Row;
      for (let j = 0; j < width; j++) {
        const number = kind.convert(row[j]);
        if (number === undefined) throw wrongKind(this.#place(i, j), kind.wanted, row[j]);
        heap[to++] = number;
      }
    }
  }

  find(flat: number): { value: unknown; place: string } {
    const [i, j] = indexOf(this.shape, flat) as [number, number];
    return { value: this.#rows[i]?.[j], place: this.#place(i, j) };
  }

  #place(i: number, j: number): string {
    return placeOf(this.name, [...this.#prefix, i, j]);
  }
}

/** A matrix for each head, all of one shape. */
export class NestedHeads implements Incoming {
  readonly name: string;
  readonly shape: readonly [number, number, number];
  readonly widthKnown = true;
  readonly #heads: readonly NestedMatrix[];

  constructor(name: string, heads: ArrayLike<unknown>, kind: Kind) {
    this.#heads = Array.from(heads, (head, h) => {
      if (isArrayLike(head)) return new NestedMatrix(name, head, kind, [h]);
      const place = placeOf(name, [h]);
      throw new LoomTypeError(`${place} must be a matrix, not ${show(head)}.`, {
        code: "type",
        parameter: place,
        value: head,
      });
    });
    const [rows, cols] = (this.#heads[0]?.shape ?? [0, 0]) as [number, number];
    this.#heads.forEach(({ shape }, h) => {
      if (shape[0] === rows && shape[1] === cols) return;
      const place = placeOf(name, [h]);
      throw new LoomRangeError(
        `${place} is [${shape.join(", ")}], but ${placeOf(name, [0])} is [${rows}, ${cols}]: all heads must have the same shape.`,
        { code: "shape", parameter: place, value: shape },
      );
    });
    this.name = name;
    this.shape = [this.#heads.length, rows, cols];
  }

  write(heap: Float32Array, at: number): void {
    const size = this.shape[1] * this.shape[2];
    this.#heads.forEach((head, h) => {
      head.write(heap, at + h * size);
    });
  }

  find(flat: number): { value: unknown; place: string } {
    const size = this.shape[1] * this.shape[2];
    const head = this.#heads[Math.floor(flat / size)] as NestedMatrix;
    return head.find(flat % size);
  }
}
