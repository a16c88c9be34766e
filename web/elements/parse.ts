// Attributes as text → words, numbers, matrices. A wrong value is one sentence that says what is allowed.

import type { Causal } from "../core/types.ts";
import type { Strings } from "../strings/index.ts";
import { MOST_WORDS, type Table, tableOf } from "./state/model.ts";

/** Most rows of a matrix that has no row for each word. */
const MOST_ROWS = 512;
const MOST_COLUMNS = 1024;
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

function quoted(value: unknown): string {
  let text: string;
  try {
    text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    text = String(value);
  }
  return `“${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}”`;
}

/** Throws the sentence of a wrong value. */
export function fail(
  strings: Strings,
  key: Parameters<Strings["text"]>[0],
  name: string,
  value: unknown,
  more = {},
): never {
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
    if (words.length > MOST_WORDS) fail(strings, "error.words", name, value, { found: words.length, most: MOST_WORDS });
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

/** Throws where a matrix is too large. The projections have a row for each feature, all others one for each word. */
function limitSize(strings: Strings, name: string, value: unknown, rows: number, columns: number): void {
  if (!name.startsWith("w-") && rows > MOST_WORDS)
    fail(strings, "error.words", name, value, { found: rows, most: MOST_WORDS });
  if (rows > MOST_ROWS || columns > MOST_COLUMNS)
    fail(strings, "error.size", name, value, { rows, columns, most: MOST_ROWS });
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
      limitSize(strings, name, value, lines.length, 1);
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
  limitSize(strings, name, value, list.length, width);
  for (const row of list) {
    if (!Array.isArray(row)) fail(strings, "error.matrix", name, value);
    if (!(row as unknown[]).every((cell) => typeof cell === "number" && Number.isFinite(Math.fround(cell)))) {
      fail(strings, "error.matrix", name, value);
    }
    if ((row as unknown[]).length !== width) fail(strings, "error.ragged", name, value);
  }
  return tableOf((list as number[][]).map((row) => row.map(Math.fround)));
}

/** A finite float32, from `least` on. */
export function parseFinite(strings: Strings, name: string, value: unknown, least = Number.NEGATIVE_INFINITY): number {
  const number =
    typeof value === "number" ? Math.fround(value) : typeof value === "string" ? parseNumber(value) : undefined;
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

/** A switch that is on where nothing is said. */
export function parseOnOff(strings: Strings, name: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  return parseChoice(strings, name, value, ["on", "off"]) === "on";
}

/** How the mask of the past is aligned, or none. */
export function parseCausal(strings: Strings, value: unknown): Causal | undefined {
  if (value === false || value === "false") return undefined;
  if (value === true || value === "" || value === "true") return true;
  return parseChoice<"start" | "end">(strings, "causal", value, ["start", "end"]);
}
