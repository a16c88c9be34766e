// The data of an example, as it stands in its file, and what the core computes of it.

import type { AttendX, NestedRows } from "../core/types.ts";

/** What a still figure is computed from: words, their vectors, matrices. Without xKv the words look at themselves. */
export interface StillExample {
  readonly tokensQ: readonly string[];
  readonly tokensKv: readonly string[];
  readonly x: NestedRows;
  readonly xKv?: NestedRows;
  readonly wQ: NestedRows;
  readonly wK: NestedRows;
  readonly wV: NestedRows;
  readonly wO?: NestedRows;
  readonly heads?: number;
}

/** What the core computes of an example. */
export function exampleInput({ x, xKv, wQ, wK, wV, wO, heads }: StillExample): AttendX {
  return { x, ...(xKv && { xKv }), wQ, wK, wV, ...(wO && { wO }), ...(heads !== undefined && { heads }) };
}
