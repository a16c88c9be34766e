// Sizes and switches as the core takes them: numbers, in the order in which it lists their names.

/** The largest number that the core can hold in 32 bits. */
export const LARGEST = 2 ** 31 - 1;

/**
 * The options of one call: what is not as it is by default, in the order in which it was said. Written anew for each call,
 * one of them for each core. An everyday call says five things of the eighty that can be said.
 */
export class Options {
  readonly #defaults: Float64Array;
  readonly #places: ReadonlyMap<string, number>;
  readonly #said: number[] = [];
  readonly #values: number[] = [];
  #count = 0;

  constructor(names: readonly string[], defaults: Float64Array) {
    this.#places = new Map(names.map((name, at) => [name, at]));
    this.#defaults = defaults;
  }

  /** As if nothing had been said. */
  reset(): void {
    this.#count = 0;
  }

  /** Sets an option by its name in cpp/trace/options.h. */
  put(name: string, value: number): void {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`The core has no option ${name}.`);
    const i = this.#count++;
    this.#said[i] = place;
    this.#values[i] = value;
  }

  /** All options. */
  numbers(): Float64Array {
    const numbers = this.#defaults.slice();
    for (let i = 0; i < this.#count; i++) numbers[this.#said[i] as number] = this.#values[i] as number;
    return numbers;
  }

  /** What was said, to be compared with by {@link same}. */
  said(): Float64Array {
    const said = new Float64Array(2 * this.#count);
    for (let i = 0; i < this.#count; i++) said.set([this.#said[i] as number, this.#values[i] as number], 2 * i);
    return said;
  }

  /** Whether the same was said in the same order. */
  same(said: Float64Array): boolean {
    const count = this.#count;
    if (said.length !== 2 * count) return false;
    for (let i = 0; i < count; i++) {
      if (said[2 * i] !== this.#said[i] || said[2 * i + 1] !== this.#values[i]) return false;
    }
    return true;
  }
}
