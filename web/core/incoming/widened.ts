import type { Found, Incoming } from "./incoming.ts";

/** What the columns hold that a mask does not say. */
export interface Columns {
  /** All of them. */
  readonly keys: number;
  /** Those that the mask is about; the ones behind are for extra keys. */
  readonly maskable: number;
  readonly blocked: number;
  readonly extra: number;
}

/** A mask whose rows are shorter than the keys: one column stands for all, others are filled up with blocked. */
export class Widened implements Incoming {
  readonly name: string;
  readonly shape: readonly number[];
  readonly cells: number;
  readonly widthKnown = true;
  readonly #mask: Incoming;
  readonly #columns: Columns;

  constructor(mask: Incoming, columns: Columns) {
    this.name = mask.name;
    this.shape = [...mask.shape.slice(0, -1), columns.keys];
    this.cells = this.shape.reduce((all, size) => all * size, 1);
    this.#mask = mask;
    this.#columns = columns;
  }

  /** Whole rows. */
  write(heap: Float32Array, at: number, from: number, count: number): void {
    const { keys, maskable, blocked, extra } = this.#columns;
    const given = this.#given;
    for (let done = 0; done < count; done += keys) {
      const row = at + done;
      const known = Math.min(given, maskable);
      this.#mask.write(heap, row, ((from + done) / keys) * given, known);
      const rest = given === 1 && known === 1 ? (heap[row] as number) : blocked;
      heap.fill(rest, row + known, row + maskable);
      heap.fill(extra, row + maskable, row + keys);
    }
  }

  find(flat: number): Found {
    const { keys } = this.#columns;
    const column = this.#given === 1 ? 0 : flat % keys;
    return this.#mask.find(Math.floor(flat / keys) * this.#given + column);
  }

  get #given(): number {
    return this.#mask.shape[this.#mask.shape.length - 1] as number;
  }
}
