import type { Found, Incoming } from "./incoming.ts";

/** A row of numbers that follow from an option: flags, or one number for all. */
export class Derived implements Incoming {
  readonly name: string;
  readonly shape: readonly number[];
  readonly cells: number;
  readonly widthKnown = true;
  readonly #numberAt: (i: number) => number;

  constructor(name: string, cells: number, numberAt: (i: number) => number) {
    this.name = name;
    this.shape = [cells];
    this.cells = cells;
    this.#numberAt = numberAt;
  }

  write(heap: Float32Array, at: number, from: number, count: number): void {
    for (let i = 0; i < count; i++) heap[at + i] = this.#numberAt(from + i);
  }

  find(flat: number): Found {
    return { value: this.#numberAt(flat), place: this.name };
  }
}
