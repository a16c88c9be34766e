// What the programs in NumPy and PyTorch have in common: literals, one line for each stage, and how it is printed.

import { pythonNumber } from "../code/literal.ts";
import type { Recipe, RecipeOperand } from "../code/recipe.ts";
import type { Program, ProgramInput } from "./program.ts";

/** How a library says what the other says in another way. */
export interface PythonWords {
  /** A whole program of nothing but literals and stages needs this in front. */
  readonly preamble: (program: Program) => string;
  readonly array: (literal: string) => string;
  readonly truths: (literal: string) => string;
  /** A float32 that stays one. */
  readonly number: (value: number) => string;
  readonly lowest: string;
  readonly where: string;
  readonly exp: string;
  readonly cap: (array: string, cap: number) => string;
  /** `hasGaps`: some cells may be no number; they are passed over, as a comparison passes over them. */
  readonly largest: (array: string, hasGaps: boolean) => string;
  /** Rows and columns of each head exchanged. */
  readonly turned: (array: string, hasHeads: boolean) => string;
  /** Heads side by side. */
  readonly joined: (array: string) => string;
}

/** Rows of numbers in brackets, one row to a line. */
function nested<T>(cells: ArrayLike<T>, sizes: readonly number[], write: (value: T) => string, depth = 1): string {
  const [size = 0, ...inner] = sizes;
  if (inner.length === 0) return `[${Array.from(cells, write).join(", ")}]`;
  const step = cells.length / Math.max(1, size);
  const parts = Array.from({ length: size }, (_, i) =>
    nested(Array.from(cells).slice(i * step, (i + 1) * step), inner, write, depth + 1),
  );
  const indent = "    ".repeat(depth);
  return `[\n${parts.map((part) => `${indent}${part},\n`).join("")}${"    ".repeat(depth - 1)}]`;
}

const sizesOf = ({ heads, rows, columns }: Pick<ProgramInput, "heads" | "rows" | "columns">) =>
  heads > 1 ? [heads, rows, columns] : [rows, columns];

/** An operand of a product with its axes as `matmul` wants them: [heads, rows, terms] and [heads, terms, columns]. */
function factor({ array, axes }: RecipeOperand, { heads }: Recipe, words: PythonWords, isTop: boolean): string {
  if (axes.includes("headColumn")) return heads > 1 ? `split(${array})` : array;
  if (isTop && axes.at(-1) === "term") return words.turned(array, heads > 1);
  return array;
}

/** What is said of rows, said of columns where it is these that the recipe folds. */
function folded({ isPerKey, heads }: Recipe, words: PythonWords, a: string, ofRows: (rows: string) => string): string {
  const turned = (array: string) => (isPerKey ? words.turned(array, heads > 1) : array);
  return turned(ofRows(turned(a)));
}

function expression(recipe: Recipe, words: PythonWords): string {
  const { operation, operands, constant, guards, heads } = recipe;
  const [first, second] = operands;
  const [a = "", b = ""] = operands.map(({ array }) => array);
  switch (operation) {
    case "dot": {
      if (!first || !second) return a;
      const addend = recipe.hasAddend ? operands.at(-1) : undefined;
      const product = `matmul(${factor(first, recipe, words, false)}, ${factor(second, recipe, words, true)})`;
      return addend ? `${product} + ${factor(addend, recipe, words, false)}` : product;
    }
    case "scale":
      return `${a} * ${words.number(constant)}`;
    case "cap":
      return words.cap(a, constant);
    case "mask":
      return `${words.where}(allow, ${a}, ${words.lowest})`;
    case "unmask":
      return recipe.isMasked ? `${words.where}(allow, ${a}, ${words.number(0)})` : a;
    case "max":
      return folded(recipe, words, a, (rows) => words.largest(rows, guards.numbers));
    case "shift": {
      if (operands.length < 2) return `${a} / ${words.number(constant)}`;
      if (constant === 0) {
        const isMost = guards.rows ? `(${a} == ${b}) & (${b} > ${words.lowest})` : `${a} == ${b}`;
        return `${words.where}(${isMost}, ${words.number(0)}, ${words.lowest})`;
      }
      const divided = constant === 1 ? `${a} - ${b}` : `(${a} - ${b}) / ${words.number(constant)}`;
      return guards.rows ? `${words.where}(${b} > ${words.lowest}, ${divided}, ${words.lowest})` : divided;
    }
    case "exp":
      return `${words.exp}(${a})`;
    case "sum":
      return folded(recipe, words, a, (rows) => `total(${rows})`);
    case "divide":
      return guards.rows ? `${words.where}(${a} == 0, ${words.number(0)}, ${a} / ${b})` : `${a} / ${b}`;
    case "copy":
      return first?.axes.includes("columnHead") && heads > 1 ? words.joined(a) : a;
    case "multiply":
      return `${a} * ${b}`;
    case "add":
      return `${a} + ${b}`;
    default:
      throw new Error(`No program can say the operation "${operation}".`);
  }
}

/** Needed by every program: the sums of a figure, and how its matrices are printed. */
const sums = `def matmul(a, b):
    """a @ b, every product and every sum rounded to float32, the sums in their natural order."""
    return sum(a[..., t, None] * b[..., t, None, :] for t in range(a.shape[-1]))


def total(a):
    """The sum of each row, in its natural order."""
    return sum(a[..., j, None] for j in range(a.shape[-1]))
`;

const split = (heads: number) => `

def split(a):
    """The blocks of columns one behind another: [heads, rows, columns]."""
    return a.reshape(len(a), ${heads}, -1).swapaxes(0, 1)
`;

const show = `

def show(name, a):
    """Rows of numbers with all the digits of a float32; the heads one below another."""
    print(name)
    for table in a.reshape(-1, a.shape[-2], a.shape[-1]).tolist():
        for row in table:
            print(" ".join(f"{number:15.9g}" for number in row))
        print()
`;

/** The program as text. */
export function pythonProgram(program: Program, words: PythonWords): string {
  const head = program.notes.map((note) => `# ${note}\n`).join("");
  if (program.isEmpty) return `${head}# There is a side without words, so there is nothing to compute.\n`;
  const [recipe] = program.recipes;
  const needsSplit = program.recipes.some(({ operands }) => operands.some(({ axes }) => axes.includes("headColumn")));
  const inputs = program.inputs.map(
    (input) => `${input.array} = ${words.array(nested(input.data, sizesOf(input), pythonNumber))}\n`,
  );
  const { allow } = program;
  if (allow) {
    const truths = nested(allow.data, [allow.rows, allow.columns], (value) => (value ? "1" : "0"));
    inputs.push(`# 1 where a query may look at a key\nallow = ${words.truths(truths)}\n`);
  }
  const stages = program.recipes.map((each) => `${each.array} = ${expression(each, words)}\n`);
  const shown = program.recipes.map(({ stage, array }) => `show(${JSON.stringify(stage)}, ${array})\n`);
  return [
    head,
    words.preamble(program),
    "\n\n",
    sums,
    needsSplit && recipe && recipe.heads > 1 ? split(recipe.heads) : "",
    show,
    "\n\n",
    ...inputs,
    "\n",
    ...stages,
    "\n",
    ...shown,
  ].join("");
}
