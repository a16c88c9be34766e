// One stage in C++: plain loops around one statement, every sum in its natural order. What the core computes, to the bit.

import { cppNumber } from "./literal.ts";
import type { Line } from "./piece.ts";
import type { Loop, Recipe, RecipeOperand } from "./recipe.ts";

/** How the functions are called that are no arithmetic. */
export interface CppWords {
  readonly exp: (x: string) => string;
  readonly cap: (x: string, cap: string) => string;
}

const plainWords: CppWords = {
  exp: (x) => `std::exp(${x})`,
  cap: (x, cap) => `${cap} * std::tanh(${x} / ${cap})`,
};

const element = (array: string, index: readonly string[]) => array + index.map((place) => `[${place}]`).join("");
const read = ({ array, index }: RecipeOperand) => element(array, index);
const head = ({ letter, size }: Loop) => `for (int ${letter} = 0; ${letter} < ${size}; ++${letter})`;

/** What is done before the terms, for each of them, and after them. */
interface Statements {
  readonly before?: string;
  readonly each: string;
  readonly after?: string;
}

/** The mask is the same for all heads. */
const allowed = ({ loops }: Recipe): string =>
  element(
    "allow",
    loops.filter(({ letter }) => letter !== "h").map(({ letter }) => letter),
  );

function shift({ constant, guards, operands }: Recipe, x: string, most: string): string {
  if (operands.length < 2) return `${x} / ${cppNumber(constant)}`;
  if (constant === 0) {
    const isMost = `${x} == ${most}`;
    return `${guards.rows ? `${isMost} && ${most} > -INFINITY` : isMost} ? 0.0f : -INFINITY`;
  }
  const difference = `${x} - ${most}`;
  const divided = constant === 1 ? difference : `(${difference}) / ${cppNumber(constant)}`;
  return guards.rows ? `${most} > -INFINITY ? ${divided} : -INFINITY` : divided;
}

/** Operations that this file can write. */
type Writer = (recipe: Recipe, cell: string, first: string, second: string, words: CppWords) => Statements;

const writers: Readonly<Partial<Record<Recipe["operation"], Writer>>> = {
  dot: ({ hasAddend, operands }, cell, first, second) => {
    const addend = operands.at(-1);
    return {
      before: `${cell} = 0;`,
      each: `${cell} += ${first} * ${second};`,
      ...(hasAddend && addend && { after: `${cell} += ${read(addend)};` }),
    };
  },
  sum: (_, cell, first) => ({ before: `${cell} = 0;`, each: `${cell} += ${first};` }),
  max: (_, cell, first) => ({ before: `${cell} = -INFINITY;`, each: `${cell} = std::max(${cell}, ${first});` }),
  scale: ({ constant }, cell, first) => ({ each: `${cell} = ${first} * ${cppNumber(constant)};` }),
  cap: ({ constant }, cell, first, _, words) => ({ each: `${cell} = ${words.cap(first, cppNumber(constant))};` }),
  exp: (_, cell, first, __, words) => ({ each: `${cell} = ${words.exp(first)};` }),
  mask: (recipe, cell, first) => ({ each: `${cell} = ${allowed(recipe)} ? ${first} : -INFINITY;` }),
  unmask: (recipe, cell, first) => ({
    each: `${cell} = ${recipe.isMasked ? `${allowed(recipe)} ? ${first} : 0` : first};`,
  }),
  shift: (recipe, cell, first, second) => ({ each: `${cell} = ${shift(recipe, first, second)};` }),
  divide: ({ guards }, cell, first, second) => ({
    each: `${cell} = ${guards.rows ? `${first} == 0 ? 0 : ` : ""}${first} / ${second};`,
  }),
  copy: (_, cell, first) => ({ each: `${cell} = ${first};` }),
  multiply: (_, cell, first, second) => ({ each: `${cell} = ${first} * ${second};` }),
  add: (_, cell, first, second) => ({ each: `${cell} = ${first} + ${second};` }),
};

/** The loops of a stage. The statement is lit for it. */
export function cppLoops(recipe: Recipe, words: CppWords = plainWords): Line[] {
  const { stage, array, loops, term, operands, operation } = recipe;
  const cell = element(
    array,
    loops.map(({ letter }) => letter),
  );
  const [first = "0", second = "0"] = operands.map(read);
  const writer = writers[operation];
  if (!writer) throw new Error(`No program can say the operation "${operation}".`);
  const { before, each, after } = writer(recipe, cell, first, second, words);
  const indent = (depth: number) => "  ".repeat(depth);
  const inner = loops.length;
  const lines: Line[] = loops.map((loop, depth) => [
    [indent(depth) + head(loop) + (term && depth === inner - 1 ? " {" : "")],
  ]);
  if (!term) return [...lines, [[indent(inner)], [each, stage]]];
  if (before) lines.push([[indent(inner) + before]]);
  lines.push([[indent(inner) + head(term)]], [[indent(inner + 1)], [each, stage]]);
  if (after) lines.push([[indent(inner)], [after, stage]]);
  return [...lines, [[`${indent(inner - 1)}}`]]];
}
