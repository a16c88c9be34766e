// Sizes and switches as the core takes them: numbers, in the order in which it lists their names.

/** The largest number that the core can hold in 32 bits. */
export const LARGEST = 2 ** 31 - 1;

/** The options of one call. Written anew for each: there is one of them for each core. */
export class Options {
  readonly numbers: Float64Array;
  readonly #defaults: Float64Array;
  readonly #places: ReadonlyMap<string, number>;

  constructor(names: readonly string[], defaults: Float64Array) {
    this.#places = new Map(names.map((name, at) => [name, at]));
    this.#defaults = defaults;
    this.numbers = defaults.slice();
  }

  /** As if nothing had been asked for. */
  reset(): void {
    this.numbers.set(this.#defaults);
  }

  /** Sets an option by its name in cpp/trace/options.h. */
  put(name: string, value: number): void {
    this.numbers[this.placeOf(name)] = value;
  }

  /** Where an option stands in {@link numbers}. */
  placeOf(name: string): number {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`The core has no option ${name}.`);
    return place;
  }

  equals(other: Float64Array): boolean {
    const { numbers } = this;
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] !== other[i]) return false;
    }
    return true;
  }
}
