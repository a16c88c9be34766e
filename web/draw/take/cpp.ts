// The whole program in C++17, without any library: the loops of every stage, one after another. It prints the very float32s
// of the figure.

import { type CppWords, cppLoops } from "../code/cpp.ts";
import { cppNumber } from "../code/literal.ts";
import { lineText } from "../code/piece.ts";
import type { Recipe } from "../code/recipe.ts";
import type { Program, ProgramInput } from "./program.ts";

const top = `#include <algorithm>
#include <cmath>
#include <cstdio>

// A product is rounded before it is added, also where a machine could do both at once.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif
`;

const exp = `
// e to the x as the figure has it, to the bit: 2^n * e^r (Cody and Waite 1980), 0 below -87.33654, infinite above 88.72283.
static float e_to(float x) {
  if (!(x >= -87.33654f)) return x < 0 ? 0 : x;  // no number stays none
  if (x > 88.72283f) return INFINITY;
  const float n = std::nearbyint(x * 1.44269504f);
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float q = 0.008368796633329229f + 0.0013814443108926056f * r;
  q = 0.04166839563776414f + q * r;
  q = 0.1666651997419115f + q * r;
  q = 0.4999999340389461f + q * r;
  return std::ldexp((r + (r * r) * q) + 1.0f, static_cast<int>(n));
}
`;

const cap = `
// cap * tanh(x / cap) as the figure has it, to the bit: tanh by a polynomial below 0.625, else by e^(-2|x|).
static float soft_cap(float x, float cap) {
  const float ratio = x / cap, size = std::fabs(ratio), square = size * size;
  if (size < 0x1p-13f) return x;
  float p = -0.005704987157463932f * square + 0.020639087469314237f;
  p = p * square - 0.053739715188794007f;
  p = p * square + 0.1333144219996122f;
  p = p * square - 0.33333281942095294f;
  const float e = e_to(size * -2.0f);
  const float tanh = size < 0.625f ? size + size * (square * p) : (1.0f - e) / (1.0f + e);
  return cap * std::copysign(tanh, ratio);
}
`;

const show = `
// Rows of numbers with all the digits of a float32; the heads one below another.
static void show(const char* name, const float* numbers, int heads, int rows, int columns) {
  std::printf("%s\\n", name);
  for (int h = 0; h < heads; ++h) {
    for (int i = 0; i < rows; ++i) {
      for (int c = 0; c < columns; ++c) std::printf("%15.9g%c", double(*numbers++), c + 1 < columns ? ' ' : '\\n');
    }
    std::printf("\\n");
  }
}
`;

/** Rows of numbers in braces, one row to a line. */
function nested<T>(cells: readonly T[], sizes: readonly number[], write: (value: T) => string): string {
  const [size = 0, ...inner] = sizes;
  if (inner.length === 0) return `{${cells.map(write).join(", ")}}`;
  const step = cells.length / Math.max(1, size);
  const parts = Array.from({ length: size }, (_, i) => nested(cells.slice(i * step, (i + 1) * step), inner, write));
  return `{${parts.join(",\n ")}}`;
}

const brackets = (sizes: readonly number[]) => sizes.map((size) => `[${size}]`).join("");

function inputText({ array, isVector, heads, rows, columns, data }: ProgramInput): string {
  const sizes = isVector ? [columns] : heads > 1 ? [heads, rows, columns] : [rows, columns];
  return `static const float ${array}${brackets(sizes)} = ${nested(Array.from(data), sizes, cppNumber)};\n`;
}

function shown({ stage, array, loops, heads, operation, isPerKey }: Recipe): string {
  const hasHeads = heads > 1 && loops[0]?.letter === "h";
  const [rows = 1, columns = 1] = loops.slice(hasHeads ? 1 : 0).map(({ size }) => size);
  const first = `&${array}${"[0]".repeat(loops.length)}`;
  const isFold = operation === "max" || operation === "sum";
  const [shownRows, shownColumns] = !isFold ? [rows, columns] : isPerKey ? [1, rows] : [rows, 1];
  return `  show(${JSON.stringify(stage)}, ${first}, ${hasHeads ? heads : 1}, ${shownRows}, ${shownColumns});\n`;
}

const words: CppWords = { exp: (x) => `e_to(${x})`, cap: (x, most) => `soft_cap(${x}, ${most})` };

/** The program as text. */
export function cppProgram(program: Program): string {
  const head = program.notes.map((note) => `// ${note}\n`).join("");
  if (program.isEmpty)
    return `${head}// There is a side without words, so there is nothing to compute.\nint main() {}\n`;
  const { allow, recipes } = program;
  const has = (operation: Recipe["operation"]) => recipes.some((recipe) => recipe.operation === operation);
  const allowed = allow
    ? `// 1 where a query may look at a key\nstatic const bool allow${brackets([allow.rows, allow.columns])} = ${nested(allow.data, [allow.rows, allow.columns], (value) => (value ? "1" : "0"))};\n`
    : "";
  const arrays = recipes.map(
    ({ array, loops }) => `static float ${array}${brackets(loops.map(({ size }) => size))};\n`,
  );
  const stages = recipes.map((recipe) => {
    const lines = cppLoops(recipe, words).map((line) => `  ${lineText(line)}\n`);
    return `  // ${recipe.stage}\n${lines.join("")}${shown(recipe)}`;
  });
  return [
    head,
    "// c++ -std=c++17 attention.cpp && ./a.out\n\n",
    top,
    has("exp") || has("cap") ? exp : "",
    has("cap") ? cap : "",
    show,
    "\n",
    ...program.inputs.map(inputText),
    allowed,
    "\n",
    ...arrays,
    "\nint main() {\n",
    stages.join("\n"),
    "}\n",
  ].join("");
}
