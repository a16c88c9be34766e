// From what a caller wrote to what the core is asked: every option checked by type and range, every shape against the others.

import { LoomRangeError, LoomTypeError, show } from "./errors.ts";
import { type Fields, knownFields } from "./fields.ts";
import { addends, allowed, type Incoming, numbers } from "./incoming/index.ts";
import type { RawOptions } from "./raw.ts";

/** One computation, ready to run: sizes and switches, and the matrices that fill the stages of the same name. */
export interface Problem {
  readonly options: RawOptions;
  /** Sizes that a 32-bit number cannot hold, by the name the core has for them: it was handed the largest one instead. */
  readonly asked: { readonly [param: string]: number };
  readonly inputs: readonly { readonly stage: string; readonly matrix: Incoming }[];
}

const QKV = ["q", "k", "v"] as const;
const TOKENS = ["x", "xKv", "wQ", "wK", "wV"] as const;
const SHARED = ["heads", "scale", "allow", "add", "causal", "temperature", "trace"] as const;
const CAUSAL: ReadonlySet<string> = new Set(["offset"]);
const KNOWN: ReadonlySet<string> = new Set<string>([...QKV, ...TOKENS, ...SHARED]);

/** Reads the options of `attend` and `reference`. Throws a LoomError that names the parameter and the value. */
export function readProblem(input: unknown): Problem {
  const fields = knownFields("attend", input, KNOWN);
  const given = "q" in fields || "k" in fields || "v" in fields;
  return given ? fromQkv(fields) : fromTokens(fields);
}

function required(fields: Fields, name: string, form: readonly string[]): Incoming {
  if (!(name in fields)) {
    throw new LoomTypeError(`${name} is missing: attend needs ${form.join(", ")}.`, {
      code: "option",
      parameter: name,
      value: undefined,
    });
  }
  return numbers(name, fields[name]);
}

function fromQkv(fields: Fields): Problem {
  const stray = TOKENS.find((name) => name in fields);
  if (stray !== undefined) {
    throw new LoomTypeError(`${stray} does not go with q, k, v: give either q, k, v or x, wQ, wK, wV.`, {
      code: "option",
      parameter: stray,
      value: fields[stray],
    });
  }
  const q = required(fields, "q", QKV);
  const k = required(fields, "k", QKV);
  const v = required(fields, "v", QKV);
  const heads = readHeads(fields);
  // Without rows there is nothing to take the width from: the other one decides.
  const width = q.widthKnown ? cols(q) : cols(k);
  same(k, "columns", k.widthKnown ? cols(k) : width, width, q);
  same(v, "rows", rows(v), rows(k), k);
  const options = baseOptions(fields, heads, rows(q), rows(k));
  options.dK = perHead("q", width, heads);
  options.dV = perHead("v", cols(v), heads);
  return finish(fields, options, [
    { stage: "queries", matrix: q },
    { stage: "keys", matrix: k },
    { stage: "values", matrix: v },
  ]);
}

function fromTokens(fields: Fields): Problem {
  const form = ["x", "wQ", "wK", "wV"] as const;
  const x = required(fields, "x", form);
  const crossed = "xKv" in fields;
  const xKv = crossed ? numbers("xKv", fields.xKv) : x;
  const wQ = required(fields, "wQ", form);
  const wK = required(fields, "wK", form);
  const wV = required(fields, "wV", form);
  const heads = readHeads(fields);
  const dModel = x.widthKnown ? cols(x) : rows(wQ);
  const dKv = crossed ? (xKv.widthKnown ? cols(xKv) : rows(wK)) : dModel;
  // A matrix without rows has no width to compare with: then the first of the others decided.
  const asking = x.widthKnown ? x : wQ;
  const answering = crossed ? (xKv.widthKnown ? xKv : wK) : asking;
  same(wQ, "rows", rows(wQ), dModel, asking);
  same(wK, "rows", rows(wK), dKv, answering);
  same(wV, "rows", rows(wV), dKv, answering);
  same(wK, "columns", cols(wK), cols(wQ), wQ);
  const options = baseOptions(fields, heads, rows(x), rows(xKv));
  options.project = true;
  options.crossed = crossed;
  options.dModel = dModel;
  options.dKv = dKv;
  options.dK = perHead("wQ", cols(wQ), heads);
  options.dV = perHead("wV", cols(wV), heads);
  const inputs = [
    { stage: "x", matrix: x },
    { stage: "wQ", matrix: wQ },
    { stage: "wK", matrix: wK },
    { stage: "wV", matrix: wV },
  ];
  if (crossed) inputs.push({ stage: "xKv", matrix: xKv });
  return finish(fields, options, inputs);
}

function rows(matrix: Incoming): number {
  return matrix.shape[0] as number;
}

function cols(matrix: Incoming): number {
  return matrix.shape[1] as number;
}

function text(shape: readonly number[]): string {
  return `[${shape.join(", ")}]`;
}

function same(matrix: Incoming, what: "rows" | "columns", found: number, wanted: number, other: Incoming): void {
  if (found === wanted) return;
  const side = what === "rows" && (other.name === "x" || other.name === "xKv") ? "columns" : what;
  throw new LoomRangeError(
    `${matrix.name} is ${text(matrix.shape)}, but ${other.name} is ${text(other.shape)}: ${matrix.name} needs ${wanted} ${what}, as many as ${other.name} has ${side}.`,
    { code: "shape", parameter: matrix.name, value: matrix.shape },
  );
}

function perHead(name: string, width: number, heads: number): number {
  if (width % heads === 0) return width / heads;
  throw new LoomRangeError(
    `heads is ${heads}, but ${name} has ${width} columns: they must split into ${heads} equal blocks.`,
    { code: "shape", parameter: "heads", value: heads },
  );
}

function readHeads(fields: Fields): number {
  if (!("heads" in fields)) return 1;
  return wholeNumber("heads", fields.heads, 1);
}

function wholeNumber(name: string, value: unknown, lowest: number): number {
  const wanted = `a whole number${lowest === Number.NEGATIVE_INFINITY ? "" : ` of at least ${lowest}`}`;
  if (typeof value !== "number") {
    throw new LoomTypeError(`${name} must be ${wanted}, not ${show(value)}.`, { code: "type", parameter: name, value });
  }
  if (!Number.isInteger(value) || value < lowest) {
    throw new LoomRangeError(`${name} must be ${wanted}, not ${value}.`, { code: "range", parameter: name, value });
  }
  return value;
}

const LARGEST = 2 ** 31 - 1;

/** A size as the core can take it. What 32 bits cannot hold is beyond every limit, and refused by the core with its name. */
function within32Bits(asked: { [param: string]: number }, param: string, size: number): number {
  if (size <= LARGEST) return size;
  asked[param] = size;
  return LARGEST;
}

function finiteNumber(name: string, value: unknown, lowest: number): number {
  const wanted = `a finite number${lowest === 0 ? " of at least 0" : ""}`;
  if (typeof value !== "number") {
    throw new LoomTypeError(`${name} must be ${wanted}, not ${show(value)}.`, { code: "type", parameter: name, value });
  }
  // Finite as float32, which is what the core computes with.
  if (!Number.isFinite(Math.fround(value)) || value < lowest) {
    throw new LoomRangeError(`${name} must be ${wanted} in the range of float32, not ${value}.`, {
      code: Number.isFinite(value) ? "range" : "notFinite",
      parameter: name,
      value,
    });
  }
  return value + 0; // −0 becomes +0
}

function baseOptions(fields: Fields, heads: number, nQ: number, nK: number): RawOptions {
  const options: RawOptions = {
    project: false,
    crossed: false,
    nQ,
    nK,
    heads,
    dK: 0,
    dV: 0,
    dModel: 0,
    dKv: 0,
    allowHeads: 0,
    addHeads: 0,
    causal: false,
    causalOffset: 0,
    defaultScale: true,
    scale: 1,
    temperature: 1,
    trace: false,
  };
  if ("scale" in fields) {
    options.scale = finiteNumber("scale", fields.scale, Number.NEGATIVE_INFINITY);
    options.defaultScale = false;
  }
  if ("temperature" in fields) options.temperature = finiteNumber("temperature", fields.temperature, 0);
  if ("trace" in fields) options.trace = readSwitch("trace", fields.trace);
  if ("causal" in fields) readCausal(fields.causal, options);
  return options;
}

function readSwitch(name: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new LoomTypeError(`${name} must be true or false, not ${show(value)}.`, {
    code: "type",
    parameter: name,
    value,
  });
}

function readCausal(value: unknown, options: RawOptions): void {
  if (value === false) return;
  const { nQ, nK } = options;
  options.causal = true;
  if (value === true) {
    if (nQ !== nK) {
      throw new LoomRangeError(
        `causal: true needs as many queries as keys, but there are ${nQ} queries and ${nK} keys. Say "start", "end" or { offset }.`,
        { code: "option", parameter: "causal", value },
      );
    }
    return;
  }
  if (value === "start") return;
  if (value === "end") {
    options.causalOffset = nK - nQ;
    return;
  }
  if (typeof value === "object" && value !== null && "offset" in value) {
    knownFields("causal", value, CAUSAL);
    // Beyond the sizes that exist, a larger offset hides and shows the same keys.
    const offset = wholeNumber("causal.offset", value.offset, Number.NEGATIVE_INFINITY);
    options.causalOffset = Math.max(Math.min(offset, LARGEST), -LARGEST);
    return;
  }
  throw new LoomTypeError(`causal must be true, false, "start", "end" or { offset }, not ${show(value)}.`, {
    code: "type",
    parameter: "causal",
    value,
  });
}

function finish(fields: Fields, options: RawOptions, inputs: { stage: string; matrix: Incoming }[]): Problem {
  const mask = (stage: "allow" | "add", matrix: Incoming): number => {
    const { nQ, nK, heads } = options;
    const shape = matrix.shape;
    const fits = [nQ, nK].every((size, axis) => shape[shape.length - 2 + axis] === size);
    // Nested rows of nothing say nothing of their width: [] and [[], []] stand for any mask without queries.
    const empty = nQ === 0 && shape.every((size, axis) => size === 0 || axis === 0);
    const headsFit = empty || shape.length === 2 || shape[0] === heads;
    if (!(fits || empty) || !headsFit) {
      throw new LoomRangeError(
        `${stage} is ${text(shape)}, but ${nQ} queries and ${nK} keys need [${nQ}, ${nK}]${heads > 1 ? ` or, for each head, [${heads}, ${nQ}, ${nK}]` : ""}.`,
        { code: "shape", parameter: stage, value: shape },
      );
    }
    inputs.push({ stage, matrix });
    return shape.length === 3 && heads > 1 ? heads : 1;
  };
  if ("allow" in fields) options.allowHeads = mask("allow", allowed("allow", fields.allow));
  if ("add" in fields) options.addHeads = mask("add", addends("add", fields.add));
  const asked: { [param: string]: number } = {};
  const { project } = options;
  options.nQ = within32Bits(asked, "queries", options.nQ);
  options.nK = within32Bits(asked, "keys", options.nK);
  options.heads = within32Bits(asked, "heads", options.heads);
  options.dK = within32Bits(asked, project ? "wQ" : "q", options.dK);
  options.dV = within32Bits(asked, project ? "wV" : "v", options.dV);
  options.dModel = within32Bits(asked, "modelWidth", options.dModel);
  options.dKv = within32Bits(asked, "modelWidth", options.dKv);
  return { options, asked, inputs };
}
