import { answer, calc, check, limits, predict } from "./boxes.ts";
import { attention } from "./figure.ts";
import type { Directive } from "./kinds.ts";
import { expect, num, sums, terms } from "./numbers.ts";
import { ref } from "./reference.ts";

/** Every directive a lesson may use, by name. */
export const directives: ReadonlyMap<string, Directive> = new Map(
  [attention, predict, answer, check, limits, calc, expect, num, terms, sums, ref].map((d) => [d.name, d]),
);
