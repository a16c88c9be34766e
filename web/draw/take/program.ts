// A whole program as data: what it begins with, and how each stage is made. Printed by one file for each language, so that
// it computes every stage of the figure anew, from the very inputs, in float32.

import { commentWord } from "../code/literal.ts";
import { arrayName, guardsOf, type Recipe, recipeOf } from "../code/recipe.ts";
import type { Numbers } from "../numbers.ts";
import { gridOf } from "../shape.ts";
import { isHidden } from "../view.ts";

/** Numbers that the program begins with: [heads, rows, columns], without the heads where there is one. */
export interface ProgramInput {
  readonly name: string;
  readonly array: string;
  /** A matrix of one row. */
  readonly isVector: boolean;
  readonly heads: number;
  readonly rows: number;
  readonly columns: number;
  readonly data: ArrayLike<number>;
}

/** A whole program. */
export interface Program {
  readonly inputs: readonly ProgramInput[];
  /** True where a query may look at a key, row by row; of all heads alike. Only with a mask. */
  readonly allow: { readonly rows: number; readonly columns: number; readonly data: readonly boolean[] } | undefined;
  readonly recipes: readonly Recipe[];
  /** Comments for the head of the program: whose rows and columns these are. One line each. */
  readonly notes: readonly string[];
  /** A stage has no cell, so there is nothing to print. */
  readonly isEmpty: boolean;
}

/** Inputs that masks are made from: the program has one `allow` for all of them. */
const maskInputs: ReadonlySet<string> = new Set(["allow", "add"]);

function inputOf(numbers: Numbers, name: string): ProgramInput {
  const { description, data } = numbers.of(name);
  const { shape } = description;
  const isVector = shape.length === 1;
  const { heads, rows, columns } = isVector ? { heads: 1, rows: 1, columns: shape[0] ?? 0 } : gridOf(description);
  return { name, array: arrayName(name), isVector, heads, rows, columns, data };
}

function allowOf(numbers: Numbers): Program["allow"] {
  if (!numbers.has("masked")) return undefined;
  const { rows, columns } = numbers.of("masked").grid;
  const data = Array.from(
    { length: rows * columns },
    (_, cell) => !isHidden(numbers, 0, Math.floor(cell / columns), cell % columns),
  );
  return { rows, columns, data };
}

/** The program of all that a figure shows. */
export function programOf(
  numbers: Numbers,
  words: { readonly q: readonly string[]; readonly kv: readonly string[] },
): Program {
  const { trace } = numbers;
  const guards = guardsOf(numbers);
  const list = (all: readonly string[]) => all.map(commentWord).join(", ");
  return {
    inputs: trace.inputs.filter((name) => !maskInputs.has(name)).map((name) => inputOf(numbers, name)),
    allow: allowOf(numbers),
    recipes: trace.stages.map((stage) => recipeOf(numbers, stage, guards)),
    notes: [
      "Attention, stage by stage, as Attention Loom shows it: float32 throughout, every sum in its natural order.",
      `Queries, one row each: ${list(words.q)}`,
      `Keys, one column each: ${list(words.kv)}`,
    ],
    isEmpty: numbers.stages.some(({ shape }) => shape.some((size) => size === 0)),
  };
}
