import type { Found, Incoming } from "./incoming.ts";

/** Heads that come first, [B, h, n, d], written side by side, [B, n, h·d]. */
export class Rejoined implements Incoming {
  readonly name: string;
  readonly shape: readonly number[];
  readonly cells: number;
  readonly widthKnown = true;
  readonly #heads: Incoming;

  constructor(heads: Incoming) {
    const [b, h, n, d] = heads.shape as [number, number, number, number];
    this.name = heads.name;
    this.shape = [b, n, h * d];
    this.cells = heads.cells;
    this.#heads = heads;
  }

  /** Whole heads of rows. */
  write(heap: Float32Array, at: number, from: number, count: number): void {
    const d = this.#heads.shape[3] as number;
    for (let done = 0; done < count; done += d) this.#heads.write(heap, at + done, this.#place(from + done), d);
  }

  find(flat: number): Found {
    return this.#heads.find(this.#place(flat));
  }

  #place(flat: number): number {
    const [, h, n, d] = this.#heads.shape as [number, number, number, number];
    const column = flat % d;
    const head = Math.floor(flat / d) % h;
    const row = Math.floor(flat / (d * h));
    return ((Math.floor(row / n) * h + head) * n + (row % n)) * d + column;
  }
}
