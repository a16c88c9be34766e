// How scores become weights: along which axis shares are taken, and whether the largest is taken away first.

import type { Numbers } from "./numbers.ts";
import { isPerKey } from "./shape.ts";

/** The softmax of a computation, as its stages tell. */
export interface Shares {
  /** The shares of which lines sum to 1; "none": there is no softmax. */
  readonly along: "rows" | "columns" | "none";
  /** The largest of a line is taken away before the exponential. */
  readonly shift: boolean;
}

/** How the weights of these numbers arise. */
export function sharesOf(numbers: Numbers): Shares {
  if (!numbers.has("rowsum")) return { along: "none", shift: true };
  return { along: isPerKey(numbers.of("rowsum").description) ? "columns" : "rows", shift: numbers.has("rowmax") };
}

/** Every step is there, each row of weights sums to 1. */
export const isUsual = ({ along, shift }: Shares): boolean => along === "rows" && shift;
