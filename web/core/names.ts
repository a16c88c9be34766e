// Names that both sides use are written once, in C++, and read from there.

import type { RawCore } from "./raw.ts";
import type { OperandAxis, Operation } from "./types.ts";

/** Reads one text after the other; each ends with a 0. */
class TextReader {
  readonly #heap: Uint8Array;
  #at: number;

  constructor(heap: Uint8Array, address: number) {
    this.#heap = heap;
    this.#at = address;
  }

  text(): string {
    const end = this.#heap.indexOf(0, this.#at);
    const text = String.fromCharCode(...this.#heap.subarray(this.#at, end));
    this.#at = end + 1;
    return text;
  }

  /** Up to the empty text that ends a list. */
  list(): readonly string[] {
    const names: string[] = [];
    for (let name = this.text(); name !== ""; name = this.text()) names.push(name);
    return names;
  }
}

/** All names of one core, by their number. */
export interface Names {
  readonly stages: readonly string[];
  readonly operations: readonly Operation[];
  readonly axes: readonly OperandAxis[];
  readonly errors: readonly string[];
  readonly params: readonly string[];
  readonly options: readonly string[];
  readonly build: readonly string[];
}

export function readNames(core: RawCore): Names {
  const texts = new TextReader(core.HEAPU8, core.texts());
  // In the order of cpp/bindings/texts.h.
  return {
    stages: texts.list(),
    operations: texts.list() as Operation[],
    axes: texts.list() as OperandAxis[],
    errors: texts.list(),
    params: texts.list(),
    options: texts.list(),
    build: [new TextReader(core.HEAPU8, core.target()).text(), ...texts.list()],
  };
}
