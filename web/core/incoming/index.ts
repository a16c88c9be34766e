// Numbers on their way in: nested arrays, flat data with a shape, or a row of numbers.

import { wrongShape } from "../errors.ts";
import { Flat, flat } from "./flat.ts";
import { type Incoming, isArrayLike, type Kind, NUMBER, wrongKind } from "./incoming.ts";
import { Nested } from "./nested.ts";

export { Derived } from "./derived.ts";
export { ADDEND, type Found, type Incoming, YES_NO } from "./incoming.ts";
export { Rejoined } from "./rejoined.ts";
export { Widened } from "./widened.ts";

export const MATRIX: readonly number[] = [2];

/** An array of as many axes as `ranks` allows, smallest first; 2 at least. */
export function array(name: string, value: unknown, ranks = MATRIX, kind: Kind = NUMBER): Incoming {
  if (Array.isArray(value)) {
    let rank = 2;
    const most = ranks[ranks.length - 1] as number;
    for (let inner: unknown = value[0]; rank < most && isArrayLike(inner) && isArrayLike(inner[0]); rank++) {
      inner = inner[0];
    }
    return new Nested(name, value, Math.max(rank, ranks[0] as number), kind);
  }
  if (typeof value === "object" && value !== null && "data" in value && "shape" in value) {
    return flat(name, value, ranks, kind);
  }
  throw wrongKind(name, "rows of numbers or { data, shape }", value);
}

/** A row of `length` numbers; `owner` says in an error what has that many of what. */
export function vector(name: string, value: unknown, length: number, owner: string): Incoming {
  if (!isArrayLike(value)) throw wrongKind(name, "an array of numbers", value);
  if (value.length !== length) {
    throw wrongShape(name, value.length, `${name} has ${value.length} numbers, but ${owner} need ${length}.`);
  }
  return new Flat(name, value, [length], length, NUMBER);
}
