import { Flat } from "../incoming/flat.ts";
import type { Problem } from "./problem.ts";

type Fields = { readonly [name: string]: unknown };

/** What is known of `into`: that it is given. */
const INTO = Symbol("into");

/**
 * A call that says what the last one said, of other numbers: only these are looked at, which is much cheaper than reading
 * everything. It says the same where the names are, in the same order, where numbers, words and switches are equal, and
 * where flat data have the shape that they had. Whatever else an option may be is read anew each time.
 */
export class Again {
  /** Of each option its name, and its value: a number, word or switch, a matrix, or INTO. */
  readonly #names: string[] = [];
  readonly #values: unknown[] = [];
  #matrices: readonly Flat[] = [];

  forget(): void {
    this.#names.length = 0;
    this.#values.length = 0;
    this.#matrices = [];
  }

  /** Lets go of the numbers of the last call. */
  empty(): void {
    for (const matrix of this.#matrices) matrix.empty();
  }

  /** `problem` has just been read from `input`. */
  remember(problem: Problem, input: Fields): void {
    const matrices: Flat[] = [];
    for (let i = 0; i < problem.count; i++) {
      const matrix = problem.matrices[i];
      if (!(matrix instanceof Flat)) return;
      matrices.push(matrix);
    }
    const values: unknown[] = [];
    let found = 0;
    for (const name in input) {
      const option = Object.getOwnPropertyDescriptor(input, name);
      // What a getter gave when the call was read, it need not give again.
      if (option === undefined || !("value" in option)) return;
      const matrix = matrices.find((one) => one.name === name);
      if (matrix !== undefined) found++;
      else if (name !== "into" && typeof option.value === "object") return;
      values.push(matrix ?? (name === "into" ? INTO : option.value));
    }
    if (!isPlain(input) || found !== matrices.length) return;
    this.#names.push(...Object.keys(input));
    this.#values.push(...values);
    this.#matrices = matrices;
  }

  /** Whether `input` says the same. Then `problem`, untouched since, has the numbers of this call; else it is as it was. */
  fits(problem: Problem, input: unknown): boolean {
    const names = this.#names;
    if (names.length === 0 || typeof input !== "object" || input === null || !isPlain(input)) return false;
    const values = this.#values;
    let into: Float32Array | null = null;
    let count = 0;
    for (const name in input) {
      if (name !== names[count]) return false;
      const value = (input as Fields)[name];
      const known = values[count++];
      if (value === known) continue;
      if (known === INTO && value instanceof Float32Array) into = value;
      else if (!(known instanceof Flat && known.refill(value))) return false;
    }
    if (count !== names.length) return false;
    const matrices = this.#matrices;
    problem.count = matrices.length;
    for (let i = 0; i < matrices.length; i++) problem.matrices[i] = matrices[i] as Flat;
    problem.into = into;
    return true;
  }
}

/** An object of a class may have options that no loop sees. */
function isPlain(input: object): boolean {
  const prototype = Object.getPrototypeOf(input);
  return prototype === Object.prototype || prototype === null;
}
