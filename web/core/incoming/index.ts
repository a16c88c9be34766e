// Matrices on their way in: nested rows, or flat data with a shape.

import { LoomTypeError, show } from "../errors.ts";
import { FlatMatrix } from "./flat.ts";
import { ADDEND, type Incoming, isArrayLike, type Kind, NUMBER, YES_NO } from "./incoming.ts";
import { NestedHeads, NestedMatrix } from "./nested.ts";

export type { Incoming } from "./incoming.ts";

const MATRIX = [2] as const;
const MATRIX_OR_HEADS = [2, 3] as const;

function incoming(name: string, value: unknown, ranks: readonly number[], kind: Kind): Incoming {
  if (Array.isArray(value)) {
    const first: unknown = value[0];
    const perHead = ranks === MATRIX_OR_HEADS && isArrayLike(first) && first.length > 0 && isArrayLike(first[0]);
    return perHead ? new NestedHeads(name, value, kind) : new NestedMatrix(name, value, kind);
  }
  if (typeof value === "object" && value !== null && "data" in value && "shape" in value) {
    return new FlatMatrix(name, value, ranks, kind);
  }
  throw new LoomTypeError(`${name} must be rows of numbers or { data, shape }, not ${show(value)}.`, {
    code: "type",
    parameter: name,
    value,
  });
}

/** A matrix of numbers, [rows, cols]. */
export function numbers(name: string, value: unknown): Incoming {
  return incoming(name, value, MATRIX, NUMBER);
}

/** Numbers to add, for all heads, [rows, cols], or for each, [heads, rows, cols]. −∞ is allowed. */
export function addends(name: string, value: unknown): Incoming {
  return incoming(name, value, MATRIX_OR_HEADS, ADDEND);
}

/** A yes/no mask, of the same shapes. */
export function allowed(name: string, value: unknown): Incoming {
  return incoming(name, value, MATRIX_OR_HEADS, YES_NO);
}
