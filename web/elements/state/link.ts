// The state as a short text for a link, and back. What undo remembers does not travel.
//
//   1~term.weights.0.1.2~e=house-4x5~softCap=2~wK=3x3:0,-1,0,0,1,1,1,0,-1
//
// The version; the cursor (level, stage, head, row, column, term; zeros at the end are left out); then names and values:
// e is the example that the rest differs from (none: everything is written out), s the one that reset goes back to where
// that is another, q and k the words, code, ask and was what is on view (the tab of the program, the trail of a question,
// the numbers of the start), the others the matrices and options by their own names. Numbers are the shortest
// decimals that give the same float32; a matrix whose bits take fewer letters has those instead (2x2*AACAPwAA…).

import { CODE_LANGUAGES } from "../../draw/code/languages.ts";
import { type Cursor, LEVELS, type Level } from "../../draw/cursor.ts";
import { type AskedCell, MOST_TRAIL } from "./asked.ts";
import {
  type InputName,
  MOST_WORDS,
  type Model,
  type ModelOptions,
  mismatchOf,
  type Table,
  withMatrices,
  withOptions,
} from "./model.ts";
import { pack, unpack } from "./packed.ts";
import { initialState, type LoomState } from "./reducer.ts";

const VERSION = "1";
/** Longest link that is written or read, in characters. */
export const MOST_LINK = 64_000;
const MOST_SIDE = 1024;

/** A link that cannot be read or written: where in it, what was found there, and what was expected. */
export class LinkError extends Error {
  readonly part: string;
  readonly found: string;
  readonly expected: string;

  constructor(part: string, found: string, expected: string) {
    const shown = found.length > 40 ? `${found.slice(0, 40)}…` : found;
    super(`${part}: ${shown || "nothing"} where ${expected} was expected`);
    this.name = "LinkError";
    this.part = part;
    this.found = shown;
    this.expected = expected;
  }
}

/** What a link says. Parts with unknown names are left out, and named. */
export interface ParsedLink {
  readonly state: LoomState;
  readonly unknown: readonly string[];
}

/** The models of examples by name. */
export interface Examples {
  readonly names: readonly string[];
  model(name: string): Model | undefined;
}

function limitLength(text: string): void {
  if (text.length > MOST_LINK)
    throw new LinkError("link", `${text.length} characters`, `at most ${MOST_LINK} characters`);
}

interface Codec<T> {
  write(value: T): string;
  read(part: string, text: string): T;
}

/** A float32 has at most this many significant digits that say which one it is. */
const FLOAT_DIGITS = 9;

function writeNumber(value: number): string {
  if (Object.is(value, -0)) return "-0";
  for (let digits = 1; digits < FLOAT_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return String(short).replace("e+", "e");
  }
  return String(Number(value.toPrecision(FLOAT_DIGITS))).replace("e+", "e");
}

function readNumber(part: string, text: string): number {
  if (!/^-?\d+(\.\d+)?(e-?\d+)?$/.test(text)) throw new LinkError(part, text, "a number");
  const value = Math.fround(Number(text));
  if (!Number.isFinite(value)) throw new LinkError(part, text, "a number in the range of float32");
  return value;
}

function readCount(part: string, text: string, most: number, least = 0): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new LinkError(part, text, `a whole number from ${least} to ${most}`);
  return value;
}

const number: Codec<number> = { write: writeNumber, read: readNumber };

const table: Codec<Table> = {
  write({ rows, columns, data }) {
    const [decimals, letters] = [data.map(writeNumber).join(","), pack(data)];
    return `${rows}x${columns}${letters.length < decimals.length ? `*${letters}` : `:${decimals}`}`;
  },
  read(part, text) {
    const [, rowText = "", columnText = "", form = "", list = ""] = /^(\d+)x(\d+)([:*])(.*)$/.exec(text) ?? [];
    if (rowText === "") throw new LinkError(part, text, "a matrix such as 2x2:1,0,0,1");
    const rows = readCount(part, rowText, MOST_SIDE);
    const columns = readCount(part, columnText, MOST_SIDE);
    const numbers =
      form === "*" ? unpack(list) : list === "" ? [] : list.split(",").map((one) => readNumber(part, one));
    if (!numbers) throw new LinkError(part, list, "the letters of float32 numbers");
    if (numbers.length !== rows * columns) {
      throw new LinkError(part, `${numbers.length} numbers`, `${rows * columns} numbers for ${rows} by ${columns}`);
    }
    return { rows, columns, data: numbers };
  },
};

/** Zeros and ones as one row of digits. */
const mask: Codec<Table> = {
  write: ({ rows, columns, data }) => `${rows}x${columns}:${data.map((open) => (open ? 1 : 0)).join("")}`,
  read(part, text) {
    const [, rowText = "", columnText = "", digits = ""] = /^(\d+)x(\d+):([01]*)$/.exec(text) ?? [];
    if (rowText === "") throw new LinkError(part, text, "a mask such as 2x2:1011");
    const rows = readCount(part, rowText, MOST_WORDS);
    const columns = readCount(part, columnText, MOST_WORDS);
    if (digits.length !== rows * columns) {
      throw new LinkError(part, `${digits.length} digits`, `${rows * columns} digits for ${rows} by ${columns}`);
    }
    return { rows, columns, data: [...digits].map(Number) };
  },
};

const causal: Codec<NonNullable<ModelOptions["causal"]>> = {
  write: String,
  read(part, text) {
    if (text === "true") return true;
    if (text === "start" || text === "end") return text;
    throw new LinkError(part, text, "true, start or end");
  },
};

/** One of a few words. */
const choice = <T extends string>(words: readonly T[]): Codec<T> => ({
  write: String,
  read(part, text) {
    const word = words.find((word) => word === text);
    if (word === undefined) throw new LinkError(part, text, words.join(", "));
    return word;
  },
});

const yes = choice(["true", "false"]);

const words: Codec<readonly string[]> = {
  write: (list) =>
    list
      .map((word) => encodeURIComponent(word.replace(/\p{Surrogate}/gu, "\uFFFD")).replaceAll("~", "%7E") || "%")
      .join(","),
  read(part, text) {
    const list = text === "" ? [] : text.split(",");
    if (list.length > MOST_WORDS) throw new LinkError(part, `${list.length} words`, `at most ${MOST_WORDS} words`);
    return list.map((word) => {
      try {
        return word === "%" ? "" : decodeURIComponent(word);
      } catch {
        throw new LinkError(part, word, "a word written as in an address");
      }
    });
  },
};

/** Every option has its codec: without one this does not compile. */
const OPTIONS: { readonly [Name in keyof Required<ModelOptions>]: Codec<NonNullable<ModelOptions[Name]>> } = {
  heads: { write: String, read: (part, text) => readCount(part, text, 16, 1) },
  scale: number,
  causal,
  temperature: number,
  softCap: number,
  softmax: choice(["rows", "columns", "none"]),
  shift: { write: String, read: (part, text) => yes.read(part, text) === "true" },
  allow: mask,
};

/** The cells of a question: o for where it comes from, f for what it feeds, * where long lists are whole. */
const trail: Codec<readonly AskedCell[]> = {
  write: (cells) =>
    cells
      .map(({ stage, index, about, whole }) => [
        `${about === "origin" ? "o" : "f"}${whole ? "*" : ""}${stage}`,
        ...index,
      ])
      .map((parts) => parts.join("."))
      .join(","),
  read(part, text) {
    const cells = text.split(",");
    if (cells.length > MOST_TRAIL) throw new LinkError(part, `${cells.length} cells`, `at most ${MOST_TRAIL} cells`);
    return cells.map((cell) => {
      const [, about, whole, stage, index] = /^([of])(\*?)([a-zA-Z]{1,40})((?:\.\d+){1,4})$/.exec(cell) ?? [];
      if (!stage || !index) throw new LinkError(part, cell, "a cell such as oweights.0.1.2");
      const places = index.slice(1).split(".");
      return {
        stage,
        index: places.map((place) => readCount(part, place, 999_999)),
        about: about === "o" ? ("origin" as const) : ("feeds" as const),
        ...(whole && { whole: true }),
      };
    });
  },
};

/** What is on view beside the cursor. */
type View = Pick<LoomState, "code" | "asked" | "isComparing">;

/** Each part of the view: its value as text, empty where it is as it always begins, and back. */
const VIEWS: Readonly<Record<string, { write(view: View): string; read(part: string, text: string): Partial<View> }>> =
  {
    code: {
      write: ({ code }) => (code === CODE_LANGUAGES[0] ? "" : code),
      read: (part, text) => ({ code: choice(CODE_LANGUAGES).read(part, text) }),
    },
    ask: {
      write: ({ asked = [] }) => trail.write(asked),
      read: (part, text) => ({ asked: trail.read(part, text) }),
    },
    was: {
      write: ({ isComparing }) => (isComparing ? "shown" : ""),
      read: (part, text) => ({ isComparing: choice(["shown"]).read(part, text) === "shown" }),
    },
  };

/** Every matrix: without its name here this does not compile. */
const MATRICES: Readonly<Record<InputName, true>> = {
  x: true,
  xKv: true,
  wQ: true,
  wK: true,
  wV: true,
  wO: true,
  bQ: true,
  bK: true,
  bV: true,
  bO: true,
  q: true,
  k: true,
  v: true,
};

const matrixNames = Object.keys(MATRICES) as InputName[];
const optionNames = Object.keys(OPTIONS) as (keyof ModelOptions)[];
/** As JSON, which has no −0 of its own. */
const textOf = (value: unknown) => JSON.stringify(value, (_, part) => (Object.is(part, -0) ? "-0" : part));
const isSame = (a: unknown, b: unknown) => textOf(a) === textOf(b);
const NOTHING: Model = { tokensQ: [], tokensKv: [], matrices: {}, options: {} };

function writeCursor({ level, stage, head, row, column, term }: Cursor): string {
  const places = [head, row, column, term];
  while (places.length > 0 && places.at(-1) === 0) places.pop();
  return [level, stage, ...places].join(".");
}

function readCursor(text: string): Cursor {
  const [level = "", stage = "", ...places] = text.split(".");
  if (!LEVELS.includes(level as Level)) throw new LinkError("cursor", level, LEVELS.join(", "));
  if (!/^[a-zA-Z]{0,40}$/.test(stage)) throw new LinkError("cursor", stage, "the name of a stage");
  if (places.length > 4) throw new LinkError("cursor", text, "at most head, row, column and term");
  const [head = 0, row = 0, column = 0, term = 0] = places.map((place) => readCount("cursor", place, 999_999));
  return { level: level as Level, stage, head, row, column, term };
}

/** The link of a state as what differs from `example`; without one everything is written out. */
function writeAgainst(example: string | undefined, start: string | undefined, state: LoomState, base: Model): string {
  const { model, cursor } = state;
  const parts: string[] = [VERSION, writeCursor(cursor)];
  const put = (name: string, text: string) => parts.push(`${name}=${text}`);
  if (example !== undefined) put("e", example);
  if (start !== undefined && start !== example) put("s", start);
  if (!isSame(model.tokensQ, base.tokensQ)) put("q", words.write(model.tokensQ));
  if (!isSame(model.tokensKv, base.tokensKv)) put("k", words.write(model.tokensKv));
  for (const name of matrixNames) {
    const own = model.matrices[name];
    // "-": the example has this matrix, and here it is gone. Keys that are given are written as "K", beside their words.
    if (!isSame(own, base.matrices[name])) put(keyOf(name), own ? table.write(own) : "-");
  }
  for (const name of optionNames) {
    const value = model.options[name];
    if (!isSame(value, base.options[name])) put(name, value === undefined ? "-" : writeOption(name, value));
  }
  for (const [name, { write }] of Object.entries(VIEWS)) {
    const text = write(state);
    if (text !== "") put(name, text);
  }
  return parts.join("~");
}

/**
 * The link of a state: the shortest that there is, against one of the examples or none.
 *
 * @throws LinkError where it would be longer than {@link MOST_LINK}
 */
export function writeLink(state: LoomState, examples: Examples): string {
  const known = examples.names.map((name) => ({ name, model: examples.model(name) ?? NOTHING }));
  const start = known.find(({ model }) => isSame(model, state.start))?.name;
  const links = known.map(({ name, model }) => writeAgainst(name, start, state, model));
  const text = [...links, writeAgainst(undefined, start, state, NOTHING)].reduce((best, one) =>
    one.length < best.length ? one : best,
  );
  limitLength(text);
  return text;
}

const writeOption = (name: keyof ModelOptions, value: unknown) => (OPTIONS[name] as Codec<unknown>).write(value);

/** A bias is one row. */
function readMatrix(part: string, text: string): Table {
  const read = table.read(part, text);
  if (/^b[QKVO]$/.test(part) && read.rows !== 1) throw new LinkError(part, text, "one row");
  return read;
}

/** The names q and k are those of the words. */
const keyOf = (name: InputName): string => (name === "q" || name === "k" || name === "v" ? name.toUpperCase() : name);
const byKey: ReadonlyMap<string, InputName> = new Map(matrixNames.map((name) => [keyOf(name), name]));

/**
 * The state that a link says. Whether its matrices fit each other is for the core to say.
 *
 * @throws LinkError naming the part, what was found and what was expected
 */
export function readLink(text: string, examples: Examples): ParsedLink {
  limitLength(text);
  const [version = "", cursorText = "", ...fields] = text.split("~");
  if (version !== VERSION) throw new LinkError("version", version, VERSION);
  const cursor = readCursor(cursorText);
  const values = new Map<string, string>();
  for (const field of fields) {
    const at = field.indexOf("=");
    if (at < 1) throw new LinkError("link", field, "name=value");
    const name = field.slice(0, at);
    if (values.has(name)) throw new LinkError(name, "it twice", "each name once");
    values.set(name, field.slice(at + 1));
  }
  const exampleAt = (part: "e" | "s") => {
    const name = values.get(part);
    const found = name === undefined ? undefined : examples.model(name);
    if (name !== undefined && !found) throw new LinkError(part, name, `one of ${examples.names.join(", ")}`);
    return found;
  };
  const base = exampleAt("e") ?? NOTHING;

  let model: Model = base;
  let view: Partial<View> = {};
  const unknown: string[] = [];
  for (const [name, value] of values) {
    const matrix = byKey.get(name);
    if (name === "e" || name === "s") continue;
    if (name === "q") model = { ...model, tokensQ: words.read(name, value) };
    else if (name === "k") model = { ...model, tokensKv: words.read(name, value) };
    else if (matrix) model = withMatrices(model, { [matrix]: value === "-" ? undefined : readMatrix(name, value) });
    else if (Object.hasOwn(OPTIONS, name)) {
      const option = name as keyof ModelOptions;
      const read = value === "-" ? undefined : OPTIONS[option].read(name, value);
      model = withOptions(model, { [option]: read });
    } else if (Object.hasOwn(VIEWS, name)) view = { ...view, ...VIEWS[name]?.read(name, value) };
    else unknown.push(name);
  }
  const mismatch = mismatchOf(model);
  if (mismatch) throw new LinkError(mismatch.part, mismatch.found, mismatch.expected);
  // Without an example nothing stands behind the numbers, and reset comes back to them.
  const start = exampleAt("s") ?? exampleAt("e") ?? model;
  return { state: { ...initialState(model, cursor), ...view, start }, unknown };
}
