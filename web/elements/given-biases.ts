// Biases from attributes and properties: one row of numbers each, added behind a projection.

import type { Strings } from "../strings/index.ts";
import { fail, parseMatrix } from "./parse.ts";
import { type InputName, type Model, type Table, withMatrices } from "./state/model.ts";

/** Each bias and the matrix whose columns it is added to, with the attributes of both. */
const BIASES = [
  ["bQ", "b-q", "wQ", "w-q"],
  ["bK", "b-k", "wK", "w-k"],
  ["bV", "b-v", "wV", "w-v"],
  ["bO", "b-o", "wO", "w-o"],
] as const satisfies readonly (readonly [InputName, string, InputName, string])[];

/** One row: as a matrix of one row, or as a plain list. */
function parseRow(strings: Strings, name: string, value: unknown): Table {
  const text = typeof value === "string" ? value.trim() : "";
  if (/^\[\s*[^[\s]/.test(text)) return parseMatrix(strings, name, `[${text}]`);
  const isList = Array.isArray(value) && !value.some(Array.isArray);
  return parseMatrix(strings, name, isList ? [value] : value);
}

/**
 * The model with the biases that are given.
 *
 * @throws AttributeError where its matrix is missing or has another count of columns
 */
export function withGivenBiases(strings: Strings, given: Readonly<Record<string, unknown>>, model: Model): Model {
  let next = model;
  for (const [bias, name, matrix, matrixName] of BIASES) {
    const value = given[bias];
    if (value === undefined || value === null) continue;
    const columns = model.matrices[matrix]?.columns;
    const row = parseRow(strings, name, value);
    const allowed =
      columns === undefined
        ? strings.text("allowed.with", { name: matrixName })
        : strings.text("allowed.row", { n: columns, name: matrixName });
    if (row.rows !== 1 || row.columns !== columns) fail(strings, "error.number", name, value, { allowed });
    next = withMatrices(next, { [bias]: row });
  }
  return next;
}
