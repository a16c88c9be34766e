// Attributes and properties → model. Everything that comes in is data and is checked; a wrong value is one sentence.

import type { Strings } from "../strings/index.ts";
import { exampleModel, exampleNames } from "./examples.ts";
import { withGivenBiases } from "./given-biases.ts";
import {
  fail,
  parseCausal,
  parseChoice,
  parseCount,
  parseFinite,
  parseMatrix,
  parseOnOff,
  parseWords,
} from "./parse.ts";
import {
  type InputName,
  isSelf,
  type Model,
  type ModelOptions,
  type Table,
  withMatrices,
  withRows,
} from "./state/model.ts";

const MOST_HEADS = 16;

/** The properties that say what is computed, and their attributes. */
export const GIVEN = {
  example: "example",
  tokens: "tokens",
  tokensKv: "tokens-kv",
  x: "x",
  xKv: "x-kv",
  wQ: "w-q",
  wK: "w-k",
  wV: "w-v",
  wO: "w-o",
  bQ: "b-q",
  bK: "b-k",
  bV: "b-v",
  bO: "b-o",
  q: "q",
  k: "k",
  v: "v",
  heads: "heads",
  head: "head",
  causal: "causal",
  scale: "scale",
  temperature: "temperature",
  softCap: "soft-cap",
  softmax: "softmax",
  shift: "shift",
  allow: "allow",
} as const;

/** What an element is given; attributes as text, properties as text or plain data. */
export type Given = Readonly<Partial<Record<keyof typeof GIVEN, unknown>>>;

/** Neither an attribute that is absent nor a property that was never set. */
export const isGiven = (value: unknown) => value !== undefined && value !== null;

/**
 * The model that the attributes and properties say.
 *
 * @throws AttributeError naming the attribute, the value and what is allowed
 */
export function modelOf(strings: Strings, given: Given): Model {
  const table = (name: InputName): Table | undefined =>
    isGiven(given[name]) ? parseMatrix(strings, GIVEN[name], given[name]) : undefined;
  const [q, k, v, x, xKv, wQ, wK, wV, wO] = (["q", "k", "v", "x", "xKv", "wQ", "wK", "wV", "wO"] as const).map(table);
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
  if (wO) model = withMatrices(model, { wO });
  model = withGivenBiases(strings, given, model);
  model = withGivenWords(strings, given, model, { q: Boolean(q || x), kv: Boolean(k || xKv || x) });
  return { ...model, options: { ...model.options, ...optionsOf(strings, given, model) } };
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
  const softCap = isGiven(given.softCap) ? parseFinite(strings, "soft-cap", given.softCap, 0) : undefined;
  const softmax = isGiven(given.softmax)
    ? parseChoice(strings, "softmax", given.softmax, ["rows", "columns", "none"] as const)
    : undefined;
  const shift = isGiven(given.shift) ? parseOnOff(strings, "shift", given.shift) : undefined;
  if (shift === false && softmax !== "none" && temperature === 0) {
    fail(strings, "error.number", "temperature", given.temperature, { allowed: strings.text("allowed.above0") });
  }
  const causal = isGiven(given.causal) ? parseCausal(strings, given.causal) : undefined;
  const allow = isGiven(given.allow) ? parseMatrix(strings, "allow", given.allow) : undefined;
  const { wQ, wK, wV, q, k, v } = model.matrices;
  for (const table of [wQ, wK, wV, q, k, v]) {
    if (heads !== undefined && table && table.columns % heads !== 0) {
      fail(strings, "error.number", "heads", given.heads, { allowed: strings.text("allowed.heads") });
    }
  }
  if (isGiven(given.head)) parseCount(strings, "head", given.head, heads ?? model.options.heads ?? 1);
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
    ...(softCap !== undefined && { softCap }),
    ...(softmax !== undefined && { softmax }),
    ...(shift !== undefined && { shift }),
    ...(causal !== undefined && { causal }),
    ...(allow && { allow }),
  };
}
