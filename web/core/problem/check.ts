// Checks that every option uses.

import { LoomRangeError, wrongShape } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { knownFields } from "../fields.ts";
import { type Incoming, wrongKind } from "../incoming/incoming.ts";

export function rows({ shape }: Incoming): number {
  return shape[shape.length - 2] as number;
}

export function cols({ shape }: Incoming): number {
  return shape[shape.length - 1] as number;
}

export function text(shape: readonly number[]): string {
  return `[${shape.join(", ")}]`;
}

/** `2 queries`, `1 key` */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

export function wrongRange(name: string, wanted: string, value: unknown, code: "range" | "notFinite" = "range"): Error {
  return new LoomRangeError(`${name} must be ${wanted}, not ${String(value)}.`, { code, parameter: name, value });
}

export function wholeNumber(name: string, value: unknown, lowest = Number.NEGATIVE_INFINITY): number {
  const wanted = () => `a whole number${lowest === Number.NEGATIVE_INFINITY ? "" : ` of at least ${lowest}`}`;
  if (typeof value !== "number") throw wrongKind(name, wanted(), value);
  if (!Number.isInteger(value) || value < lowest) throw wrongRange(name, wanted(), value);
  return value;
}

/** At least `lowest`, or with `above` larger than that; finite as float32, which is what the core computes with. */
export function finiteNumber(
  name: string,
  value: unknown,
  lowest = Number.NEGATIVE_INFINITY,
  above: "above" | "" = "",
): number {
  const bound = lowest === Number.NEGATIVE_INFINITY ? "" : above ? ` above ${lowest}` : ` of at least ${lowest}`;
  if (typeof value !== "number") throw wrongKind(name, `a finite number${bound}`, value);
  const single = Math.fround(value);
  if (!Number.isFinite(single) || value < lowest || (above && single <= lowest)) {
    const code = Number.isFinite(value) ? "range" : "notFinite";
    throw wrongRange(name, `a finite number${bound} in the range of float32`, value, code);
  }
  return value + 0; // −0 becomes +0
}

export function readSwitch(name: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw wrongKind(name, "true or false", value);
}

/** One of a few words, as its place in the list. */
export function readWord(name: string, value: unknown, words: readonly string[]): number {
  const place = words.indexOf(value as string);
  if (place >= 0) return place;
  throw wrongKind(name, words.map((word) => JSON.stringify(word)).join(" or "), value);
}

/** An option that has options of its own, all of `needed` among them. */
export function subFields(name: string, value: unknown, known: ReadonlySet<string>, ...needed: string[]): Fields {
  const fields = knownFields(name, value, known, name);
  const missing = needed.find((one) => !(one in fields));
  if (missing === undefined) return fields;
  throw wrongKind(`${name}.${missing}`, "given", undefined);
}

/** `found` and `wanted` rows or columns of two matrices that have to fit. */
export function same(
  matrix: Incoming,
  what: "rows" | "columns",
  found: number,
  wanted: number,
  other: Incoming,
  side: "rows" | "columns" = what,
): void {
  if (found === wanted) return;
  throw mismatch(matrix, other, `${matrix.name} needs ${wanted} ${what}, as many as ${other.name} has ${side}`);
}

export function mismatch(matrix: Incoming, other: Incoming, why: string): Error {
  const { name, shape } = matrix;
  return wrongShape(name, shape, `${name} is ${text(shape)}, but ${other.name} is ${text(other.shape)}: ${why}.`);
}

/** All of them with a batch axis or heads in front, or none; and then of one batch. */
export function sameAxes(matrix: Incoming, other: Incoming): void {
  const rank = matrix.shape.length;
  if (rank !== other.shape.length) {
    const [more, less] = rank > other.shape.length ? [matrix, other] : [other, matrix];
    throw mismatch(more, less, "either all of them have the same axes in front of rows and columns, or none");
  }
  if (rank > 2 && matrix.shape[0] !== other.shape[0]) {
    throw mismatch(matrix, other, "their batches must have the same number of entries");
  }
}

export function perHead(name: string, width: number, heads: number, option = "heads"): number {
  if (width % heads === 0) return width / heads;
  throw wrongShape(
    option,
    heads,
    `${option} is ${heads}, but ${name} has ${width} columns: they must split into ${heads} equal blocks.`,
  );
}
