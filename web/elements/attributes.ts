// Attributes and properties → model. Everything that comes in is data and is checked; a wrong value is one sentence.

import type { Causal } from "../core/types.ts";
import type { Strings } from "../strings/index.ts";
import { exampleModel, exampleNames } from "./examples.ts";
import { type InputName, isSelf, type Model, type ModelOptions, type Table, tableOf, withRows } from "./state/model.ts";

/** Most rows or columns a figure takes. */
export const MOST_ROWS = 512;
const MOST_COLUMNS = 1024;
const MOST_HEADS = 16;
const SHOWN = 60;

/** A value that cannot be used: code, attribute, value, and one sentence that says what is allowed. */
export class AttributeError extends Error {
  readonly code: string;
  readonly parameter: string;
  readonly value: string;

  constructor(message: string, code: string, parameter: string, value: string) {
    super(message);
    this.name = "AttributeError";
    this.code = code;
    this.parameter = parameter;
    this.value = value;
  }
}

/** What an element is given; attributes as text, properties as text or plain data. */
export interface Given {
  readonly example?: unknown;
  readonly tokens?: unknown;
  readonly tokensKv?: unknown;
  readonly x?: unknown;
  readonly xKv?: unknown;
  readonly wQ?: unknown;
  readonly wK?: unknown;
  readonly wV?: unknown;
  readonly q?: unknown;
  readonly k?: unknown;
  readonly v?: unknown;
  readonly heads?: unknown;
  readonly head?: unknown;
  readonly causal?: unknown;
  readonly scale?: unknown;
  readonly temperature?: unknown;
  readonly allow?: unknown;
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

function quoted(value: unknown): string {
  let text: string;
  try {
    text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    text = String(value);
  }
  return `“${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}”`;
}

function fail(strings: Strings, key: Parameters<Strings["text"]>[0], name: string, value: unknown, more = {}): never {
  const shown = quoted(value);
  throw new AttributeError(
    strings.text(key, { name, value: shown, ...more }),
    key.replace("error.", "attribute."),
    name,
    shown,
  );
}

/** Words from a JSON list of strings, or from text with blanks between them. An empty text has no words. */
export function parseWords(strings: Strings, name: string, value: unknown): string[] {
  let list: unknown = value;
  if (typeof value === "string") {
    const text = value.trim();
    if (!text.startsWith("[")) return limited(text === "" ? [] : text.split(/\s+/));
    try {
      list = JSON.parse(text);
    } catch {
      fail(strings, "error.list", name, value);
    }
  }
  if (!Array.isArray(list) || !list.every((word) => typeof word === "string")) fail(strings, "error.list", name, value);
  return limited(list as string[]);

  function limited(words: string[]): string[] {
    if (words.length > MOST_ROWS)
      fail(strings, "error.size", name, value, { rows: words.length, columns: 1, most: MOST_ROWS });
    return words;
  }
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A number as a person types it, a true minus sign included; not finite in float32 counts as wrong. */
export function parseNumber(text: string): number | undefined {
  const plain = text.trim().replace(/[−–]/g, "-");
  if (!NUMBER.test(plain)) return undefined;
  const value = Math.fround(Number(plain));
  return Number.isFinite(value) ? value : undefined;
}

/** A matrix from JSON rows, from "1 0; 0 1", or from nested arrays. */
export function parseMatrix(strings: Strings, name: string, value: unknown): Table {
  let rows: unknown = value;
  if (typeof value === "string") {
    const text = value.trim();
    if (text.startsWith("[")) {
      try {
        rows = JSON.parse(text);
      } catch {
        fail(strings, "error.matrix", name, value);
      }
    } else if (text === "") rows = [];
    else {
      const lines = text.replace(/;\s*$/, "").split(";");
      if (lines.length > MOST_ROWS)
        fail(strings, "error.size", name, value, { rows: lines.length, columns: 1, most: MOST_ROWS });
      rows = lines.map((line) =>
        line
          .trim()
          .split(/\s+/)
          .map((word) => parseNumber(word) ?? fail(strings, "error.matrix", name, value)),
      );
    }
  }
  if (!Array.isArray(rows)) fail(strings, "error.matrix", name, value);
  const list = rows as unknown[];
  const width = Array.isArray(list[0]) ? list[0].length : 0;
  if (list.length > MOST_ROWS || width > MOST_COLUMNS) {
    fail(strings, "error.size", name, value, { rows: list.length, columns: width, most: MOST_ROWS });
  }
  for (const row of list) {
    if (!Array.isArray(row)) fail(strings, "error.matrix", name, value);
    if (!(row as unknown[]).every((cell) => typeof cell === "number" && Number.isFinite(Math.fround(cell)))) {
      fail(strings, "error.matrix", name, value);
    }
    if ((row as unknown[]).length !== width) fail(strings, "error.ragged", name, value);
  }
  return tableOf((list as number[][]).map((row) => row.map(Math.fround)));
}

function parseFinite(strings: Strings, name: string, value: unknown, least = Number.NEGATIVE_INFINITY): number {
  const number = typeof value === "number" ? value : typeof value === "string" ? parseNumber(value) : undefined;
  if (number === undefined || !Number.isFinite(number) || number < least) {
    fail(strings, "error.number", name, value, {
      allowed: strings.text(least === 0 ? "allowed.temperature" : "allowed.number"),
    });
  }
  return number as number;
}

/** A whole number from 1 to `most`. */
export function parseCount(strings: Strings, name: string, value: unknown, most: number): number {
  const number = typeof value === "number" ? value : typeof value === "string" ? parseNumber(value) : undefined;
  if (number === undefined || !Number.isInteger(number) || number < 1 || number > most) {
    const allowed = name === "heads" ? strings.text("allowed.heads") : strings.text("allowed.head", { n: most });
    fail(strings, "error.number", name, value, { allowed });
  }
  return number as number;
}

/** One of a few words. */
export function parseChoice<T extends string>(
  strings: Strings,
  name: string,
  value: unknown,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === value);
  return (
    found ??
    fail(strings, "error.choice", name, value, { allowed: strings.text("allowed.or", { list: choices.join(", ") }) })
  );
}

function parseCausal(strings: Strings, value: unknown): Causal | undefined {
  if (value === false || value === "false") return undefined;
  if (value === true || value === "" || value === "true") return true;
  return parseChoice<"start" | "end">(strings, "causal", value, ["start", "end"]);
}

const attributeOf: Readonly<Record<InputName, string>> = {
  x: "x",
  xKv: "x-kv",
  wQ: "w-q",
  wK: "w-k",
  wV: "w-v",
  q: "q",
  k: "k",
  v: "v",
};

/**
 * The model that the attributes and properties say.
 *
 * @throws AttributeError naming the attribute, the value and what is allowed
 */
export function modelOf(strings: Strings, given: Given): Model {
  const table = (name: InputName): Table | undefined =>
    isGiven(given[name]) ? parseMatrix(strings, attributeOf[name], given[name]) : undefined;
  const [q, k, v, x, xKv, wQ, wK, wV] = (["q", "k", "v", "x", "xKv", "wQ", "wK", "wV"] as const).map(table);
  const example = isGiven(given.example) ? given.example : exampleNames[0];
  const base =
    exampleModel(String(example)) ??
    fail(strings, "error.choice", "example", example, {
      allowed: strings.text("allowed.or", { list: exampleNames.join(", ") }),
    });

  let model: Model;
  if (q || k || v) {
    if (!(q && k && v)) fail(strings, "error.missing", !q ? "q" : !k ? "k" : "v", "");
    model = {
      tokensQ: numberedWords("q", q.rows),
      tokensKv: numberedWords("k", k.rows),
      matrices: { q, k, v },
      options: {},
    };
  } else if (x) {
    if (!(wQ && wK && wV)) fail(strings, "error.missing", !wQ ? "w-q" : !wK ? "w-k" : "w-v", "");
    const tokensQ = numberedWords(xKv ? "q" : "t", x.rows);
    const tokensKv = xKv ? numberedWords("k", xKv.rows) : tokensQ;
    model = { tokensQ, tokensKv, matrices: { x, ...(xKv && { xKv }), wQ, wK, wV }, options: {} };
  } else {
    const changed = { ...(xKv && { xKv }), ...(wQ && { wQ }), ...(wK && { wK }), ...(wV && { wV }) };
    model = { ...base, matrices: { ...base.matrices, ...changed } };
    if (xKv && xKv.rows !== base.tokensKv.length) model = { ...model, tokensKv: numberedWords("k", xKv.rows) };
  }
  model = withGivenWords(strings, given, model, { q: Boolean(q || x), kv: Boolean(k || xKv || x) });
  return { ...model, options: optionsOf(strings, given, model) };
}

const numberedWords = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);

/** Words from the attributes. Where the rows were given too the counts have to agree; else the rows follow the words. */
function withGivenWords(strings: Strings, given: Given, model: Model, fixed: { q: boolean; kv: boolean }): Model {
  let next = model;
  for (const side of ["q", "kv"] as const) {
    const name = side === "q" ? "tokens" : "tokens-kv";
    const value = side === "q" ? given.tokens : given.tokensKv;
    if (!isGiven(value)) continue;
    const words = parseWords(strings, name, value);
    const self = isSelf(model);
    const rowNames: InputName[] = model.matrices.q
      ? side === "q"
        ? ["q"]
        : ["k", "v"]
      : side === "q" || self
        ? ["x"]
        : ["xKv"];
    const matrices = { ...next.matrices };
    for (const rowName of rowNames) {
      const table = matrices[rowName];
      if (!table || table.rows === words.length) continue;
      if (fixed[side]) fail(strings, "error.count", name, value, { found: words.length, expected: table.rows });
      matrices[rowName] = withRows(
        table,
        words.map((_, i) => (i < table.rows ? i : -1)),
      );
    }
    next = {
      ...next,
      matrices,
      tokensQ: side === "q" || self ? words : next.tokensQ,
      tokensKv: side === "kv" || self ? words : next.tokensKv,
    };
  }
  return next;
}

function optionsOf(strings: Strings, given: Given, model: Model): ModelOptions {
  const heads = isGiven(given.heads) ? parseCount(strings, "heads", given.heads, MOST_HEADS) : undefined;
  const scale = isGiven(given.scale) ? parseFinite(strings, "scale", given.scale) : undefined;
  const temperature = isGiven(given.temperature)
    ? parseFinite(strings, "temperature", given.temperature, 0)
    : undefined;
  const causal = isGiven(given.causal) ? parseCausal(strings, given.causal) : undefined;
  const allow = isGiven(given.allow) ? parseMatrix(strings, "allow", given.allow) : undefined;
  const { wQ, wK, wV, q, k, v } = model.matrices;
  for (const table of [wQ, wK, wV, q, k, v]) {
    if (heads !== undefined && table && table.columns % heads !== 0) {
      fail(strings, "error.number", "heads", given.heads, { allowed: strings.text("allowed.heads") });
    }
  }
  if (isGiven(given.head)) parseCount(strings, "head", given.head, heads ?? 1);
  if (allow) {
    const expectedRows = model.tokensQ.length;
    const expectedColumns = model.tokensKv.length;
    if (
      allow.rows !== expectedRows ||
      allow.columns !== expectedColumns ||
      allow.data.some((cell) => cell !== 0 && cell !== 1)
    ) {
      fail(strings, "error.mask", "allow", given.allow, {
        rows: allow.rows,
        columns: allow.columns,
        expectedRows,
        expectedColumns,
      });
    }
  }
  return {
    ...(heads !== undefined && { heads }),
    ...(scale !== undefined && { scale }),
    ...(temperature !== undefined && { temperature }),
    ...(causal !== undefined && { causal }),
    ...(allow && { allow }),
  };
}
