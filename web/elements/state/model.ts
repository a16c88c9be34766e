// What is computed: words, matrices and options, as plain JSON.

import type { AllowLike, AttendInput, AttendOptions, Causal, MatrixLike } from "../../core/types.ts";

/** A matrix as plain JSON. Keeps its width when it has no rows. `data` is row by row. */
export interface Table {
  readonly rows: number;
  readonly columns: number;
  readonly data: readonly number[];
}

/**
 * The matrices a reader can edit: tokens, projections and their biases (of one row), or queries, keys and values that
 * are given.
 */
export type InputName = "x" | "xKv" | "wQ" | "wK" | "wV" | "wO" | "bQ" | "bK" | "bV" | "bO" | "q" | "k" | "v";

/** The options of a computation. */
export interface ModelOptions {
  readonly heads?: number;
  readonly scale?: number;
  readonly causal?: Causal;
  readonly temperature?: number;
  readonly softCap?: number;
  /** Along which axis shares are taken; "none": the scores are the weights, and temperature and shift say nothing. */
  readonly softmax?: "rows" | "columns" | "none";
  /** False: the largest score is not taken away before the exponential. */
  readonly shift?: boolean;
  readonly allow?: Table;
}

/** Options to be set; one that is undefined goes back to its default. */
export type OptionChange = { readonly [Name in keyof ModelOptions]?: ModelOptions[Name] | undefined };

/** Most words of one side: a trace of 512 by 512 takes some 8 MB for each head. */
export const MOST_WORDS = 512;

/** Everything a computation starts from. Without `xKv` keys and values come from `x`, and the words are shared. */
export interface Model {
  readonly tokensQ: readonly string[];
  readonly tokensKv: readonly string[];
  readonly matrices: Readonly<Partial<Record<InputName, Table>>>;
  readonly options: ModelOptions;
}

/** Rows of numbers as a table. `columns` is the width to keep when there are no rows. */
export function tableOf(rows: readonly (readonly number[])[], columns = rows[0]?.length ?? 0): Table {
  return { rows: rows.length, columns, data: rows.flat() };
}

/** True where keys and values come from the same words as the queries. */
export function isSelf(model: Model): boolean {
  return model.matrices.x !== undefined && model.matrices.xKv === undefined;
}

const asMatrix = (table: Table): MatrixLike => ({ data: table.data, shape: [table.rows, table.columns] });

/** The model as the argument of `loom.attend`. */
export function attendInput(model: Model): AttendInput {
  const { x, xKv, wQ, wK, wV, wO, bQ, bK, bV, bO, q, k, v } = model.matrices;
  const { heads, scale, causal, temperature, softCap, softmax, shift, allow } = model.options;
  const softens = softmax !== "none";
  const options: AttendOptions = {
    trace: true,
    ...(heads !== undefined && { heads }),
    ...(scale !== undefined && { scale }),
    ...(causal !== undefined && { causal }),
    ...(temperature !== undefined && softens && { temperature }),
    ...(softmax !== undefined && { softmax }),
    ...(shift !== undefined && softens && { shift }),
    ...(softCap !== undefined && { softCap }),
    ...(wO && { wO: asMatrix(wO) }),
    ...(bO && { bO: bO.data }),
    ...(allow && { allow: { data: allow.data.map(Boolean), shape: [allow.rows, allow.columns] } satisfies AllowLike }),
  };
  if (x && wQ && wK && wV) {
    return {
      ...options,
      x: asMatrix(x),
      ...(xKv && { xKv: asMatrix(xKv) }),
      wQ: asMatrix(wQ),
      wK: asMatrix(wK),
      wV: asMatrix(wV),
      ...(bQ && { bQ: bQ.data }),
      ...(bK && { bK: bK.data }),
      ...(bV && { bV: bV.data }),
    };
  }
  if (q && k && v) return { ...options, q: asMatrix(q), k: asMatrix(k), v: asMatrix(v) };
  throw new Error("A model needs x, wQ, wK and wV, or q, k and v; some of them are missing.");
}

function replaced<T>(list: readonly T[], position: number, value: T): T[] {
  const copy = [...list];
  copy[position] = value;
  return copy;
}

/** A copy with one number replaced; the same table where the place is outside. */
export function withCell(table: Table, row: number, column: number, value: number): Table {
  if (row < 0 || row >= table.rows || column < 0 || column >= table.columns) return table;
  return { ...table, data: replaced(table.data, row * table.columns + column, value) };
}

/** A copy whose row i is row `from[i]` of the table, or zeros where that is −1. */
export function withRows(table: Table, from: readonly number[]): Table {
  const width = table.columns;
  const data = from.flatMap((row) =>
    row < 0 ? new Array<number>(width).fill(0) : table.data.slice(row * width, (row + 1) * width),
  );
  return { rows: from.length, columns: width, data };
}

/**
 * For every new word the position of the same word among the old ones, −1 for a new one: the longest common
 * subsequence, so that a word put in or taken out leaves all others with their numbers.
 */
export function matchWords(before: readonly string[], after: readonly string[]): number[] {
  const width = after.length + 1;
  const best = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number) => best[i * width + j] as number;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      best[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const from = new Array<number>(after.length).fill(-1);
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (before[i] === after[j]) from[j++] = i++;
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return from;
}

/** The model with options set or taken away. */
export function withOptions(model: Model, change: OptionChange): Model {
  const options: Record<string, unknown> = { ...model.options, ...change };
  for (const name of Object.keys(options)) if (options[name] === undefined) delete options[name];
  return { ...model, options };
}

/** Whole matrices to be set; one that is undefined is taken away. */
export type MatrixChange = { readonly [Name in InputName]?: Table | undefined };

/** The model with whole matrices replaced or taken away. */
export function withMatrices(model: Model, change: MatrixChange): Model {
  const matrices: Partial<Record<InputName, Table | undefined>> = { ...model.matrices, ...change };
  for (const name of Object.keys(matrices) as InputName[]) if (!matrices[name]) delete matrices[name];
  return { ...model, matrices: matrices as Model["matrices"] };
}

/** What does not fit together in a model: where, what is there, and what would fit. */
export interface Mismatch {
  readonly part: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * Why a model is none, as far as the core cannot tell: it is given matrices and never sees a word. Nothing where words
 * and rows agree.
 */
export function mismatchOf(model: Model): Mismatch | undefined {
  const { tokensQ, tokensKv, matrices } = model;
  const { x, xKv, wQ, wK, wV, bQ, bK, bV, q, k, v } = matrices;
  const isProjected = x !== undefined && wQ !== undefined && wK !== undefined && wV !== undefined && !q && !k && !v;
  const projects = [x, xKv, wQ, wK, wV, bQ, bK, bV].some(Boolean);
  const isGiven = q !== undefined && k !== undefined && v !== undefined && !projects;
  if (!isProjected && !isGiven) {
    const found = Object.keys(matrices).join(", ");
    return { part: "matrices", found, expected: "x, wQ, wK and wV, or else q, k and v" };
  }
  for (const [side, words] of [
    ["q", tokensQ],
    ["kv", tokensKv],
  ] as const) {
    const part = `words ${side === "q" ? "q" : "k"}`;
    if (words.length > MOST_WORDS) return { part, found: String(words.length), expected: `at most ${MOST_WORDS}` };
    for (const name of sideOf(model, side).rows) {
      const rows = matrices[name]?.rows;
      if (rows !== words.length)
        return { part, found: String(words.length), expected: `one for each of the ${rows} rows of ${name}` };
    }
  }
  if (isSelf(model) && JSON.stringify(tokensQ) !== JSON.stringify(tokensKv))
    return { part: "words k", found: tokensKv.join(" "), expected: "the words q, which look at themselves" };
  return undefined;
}

/** Rows and columns from and to, both ends included, in either order. */
export interface Area {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
}

/** Who may look at whom, as a table of 0 and 1: the mask that is given and what a causal rule leaves of it. */
export function allowOf(model: Model): Table {
  const rows = model.tokensQ.length;
  const columns = model.tokensKv.length;
  const { allow, causal } = model.options;
  const ahead = causal === "end" ? columns - rows : 0;
  const data = Array.from({ length: rows * columns }, (_, i) =>
    causal && (i % columns) - Math.floor(i / columns) > ahead ? 0 : (allow?.data[i] ?? 1),
  );
  return { rows, columns, data };
}

/** The mask made anew from what `mayLook` says of each pair; none at all where it shows everything. */
export function withMask(model: Model, mayLook: (row: number, column: number) => boolean): Model {
  const { rows, columns } = allowOf(model);
  const data = Array.from({ length: rows * columns }, (_, i) =>
    mayLook(Math.floor(i / columns), i % columns) ? 1 : 0,
  );
  return withOptions(model, { causal: undefined, allow: data.includes(0) ? { rows, columns, data } : undefined });
}

/** The mask with one area of it opened or closed. */
export function withMaskArea(model: Model, { rows, columns }: Area, isOpen: boolean): Model {
  const allow = allowOf(model);
  const isIn = (at: number, [a, b]: readonly [number, number]) => at >= Math.min(a, b) && at <= Math.max(a, b);
  return withMask(model, (row, column) =>
    isIn(row, rows) && isIn(column, columns) ? isOpen : allow.data[row * allow.columns + column] === 1,
  );
}

/** Which words a side has, and which matrices have a row for each of them. */
export function sideOf(model: Model, side: "q" | "kv"): { words: readonly string[]; rows: readonly InputName[] } {
  const given = model.matrices.q !== undefined;
  if (side === "q") return { words: model.tokensQ, rows: given ? ["q"] : ["x"] };
  return { words: model.tokensKv, rows: given ? ["k", "v"] : isSelf(model) ? ["x"] : ["xKv"] };
}

/** All words of one side at once. Words that stay keep their rows; new ones start with zeros. */
export function withWords(model: Model, side: "q" | "kv", words: readonly string[]): Model {
  const { words: before, rows } = sideOf(model, side);
  const from = matchWords(before, words);
  const matrices = { ...model.matrices };
  for (const name of rows) {
    const table = matrices[name];
    if (table) matrices[name] = withRows(table, from);
  }
  const allow = model.options.allow && reshapeAllow(model, side, from);
  const self = isSelf(model);
  return {
    ...model,
    matrices,
    tokensQ: side === "q" || self ? [...words] : model.tokensQ,
    tokensKv: side === "kv" || self ? [...words] : model.tokensKv,
    options: allow ? { ...model.options, allow } : model.options,
  };
}

/** The mask follows the words: rows and columns that stay keep their marks, new ones may look and be looked at. */
function reshapeAllow(model: Model, side: "q" | "kv", from: readonly number[]): Table {
  const allow = model.options.allow as Table;
  const self = isSelf(model);
  const identity = (n: number) => Array.from({ length: n }, (_, i) => i);
  const rows = side === "q" || self ? from : identity(allow.rows);
  const columns = side === "kv" || self ? from : identity(allow.columns);
  const data = rows.flatMap((row) =>
    columns.map((column) => (row < 0 || column < 0 ? 1 : (allow.data[row * allow.columns + column] ?? 1))),
  );
  return { rows: rows.length, columns: columns.length, data };
}

/** How many of the words are not among those that the side has; a word that comes twice counts twice. */
export function countNewWords(model: Model, side: "q" | "kv", words: readonly string[]): number {
  const known = [...sideOf(model, side).words];
  return words.filter((word) => {
    const at = known.indexOf(word);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  }).length;
}

/** One word renamed; its numbers stay. */
export function withWord(model: Model, side: "q" | "kv", position: number, word: string): Model {
  const rename = (words: readonly string[]) => (position in words ? replaced(words, position, word) : words);
  const self = isSelf(model);
  return {
    ...model,
    tokensQ: side === "q" || self ? rename(model.tokensQ) : model.tokensQ,
    tokensKv: side === "kv" || self ? rename(model.tokensKv) : model.tokensKv,
  };
}
