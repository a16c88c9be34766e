// Positions: turned into the rows of an array, or as codes of their own.

import { wrongOption, wrongShape } from "../errors.ts";
import { type Fields, knownFields } from "../fields.ts";
import { finiteNumber, readWord, text, wholeNumber, wrongRange } from "../problem/check.ts";
import type { Matrix, RotaryInput, SinusoidInput } from "../types.ts";
import type { Workbench } from "../workbench.ts";
import { readArray, readNumbers, readSubArray } from "./array.ts";

const ROTARY: ReadonlySet<string> = new Set([
  "data",
  "shape",
  "pairing",
  "width",
  "base",
  "positions",
  "cosines",
  "sines",
]);
const SINUSOID: ReadonlySet<string> = new Set(["positions", "width", "base", "first"]);

export function rotary(bench: Workbench, input: RotaryInput): Matrix {
  const fields = knownFields("rotary", input, ROTARY);
  const { data, shape } = readArray(fields);
  if (shape.length < 2) {
    throw wrongShape(
      "shape",
      shape,
      `shape is ${text(shape)}, but rotary needs [..., n, d]: rows that stand at positions.`,
    );
  }
  const d = shape[shape.length - 1] as number;
  const n = shape[shape.length - 2] as number;
  const neighbours = readWord("pairing", fields.pairing, ["neighbour", "half"]) === 0;
  const width = "width" in fields ? wholeNumber("width", fields.width, 0) : d - (d % 2);
  if (width % 2 !== 0 || width > d) throw wrongRange("width", `even and at most ${d}, the columns of a row`, width);
  const base = "base" in fields ? finiteNumber("base", fields.base, 0, "above") : 10000;
  const tables = "cosines" in fields || "sines" in fields;
  if (data.length === 0) return { name: "rotary", shape, data };
  const rows = data.length / d;
  const pairs = width / 2;
  const angles = tables ? readTables(fields, rows, n, pairs) : readPositions(fields, n);
  const total = rows * (d + 2 * pairs) + (tables ? 0 : rows);
  bench.compute(total, (core, heap, at) => {
    heap.set(data, at);
    let to = at + data.length + (tables ? 0 : 2 * rows * pairs);
    // A row of the table for each position serves all that stands before the last two axes.
    for (const table of angles) {
      const size = tables ? pairs : 1;
      for (let row = 0; row < rows; row++, to += size) {
        const from = (table.length === rows * size ? row : row % n) * size;
        heap.set(table.subarray(from, from + size), to);
      }
    }
    if (core.rotate(rows, d, width, neighbours, tables, base) !== 0) throw bench.lastError();
    data.set(core.HEAPF32.subarray(at, at + data.length));
  });
  return { name: "rotary", shape, data };
}

function readPositions(fields: Fields, n: number): readonly Float32Array[] {
  if (!("positions" in fields)) return [Float32Array.from({ length: n }, (_, i) => i)];
  const positions = readNumbers("positions", fields.positions);
  if (positions.length === n) return [positions];
  throw wrongShape(
    "positions",
    positions.length,
    `positions has ${positions.length} numbers, but there are ${n} rows.`,
  );
}

function readTables(fields: Fields, rows: number, n: number, pairs: number): readonly Float32Array[] {
  for (const name of ["positions", "base"]) {
    if (name in fields)
      throw wrongOption(name, fields[name], `${name} does not go with cosines and sines, which say the angles.`);
  }
  return ["cosines", "sines"].map((name) => {
    const { data, shape } = readSubArray(name, fields[name]);
    const isTable = shape.length === 2 && shape[1] === pairs && (shape[0] === n || shape[0] === rows);
    if (isTable) return data;
    throw wrongShape(
      name,
      shape,
      `${name} is ${text(shape)}, but needs ${text([n, pairs])}, or a row for each row of the data, ${text([rows, pairs])}.`,
    );
  });
}

export function sinusoid(bench: Workbench, input: SinusoidInput): Matrix {
  const fields = knownFields("sinusoid", input, SINUSOID);
  const rows = wholeNumber("positions", fields.positions, 0);
  const cols = wholeNumber("width", fields.width, 0);
  const base = "base" in fields ? finiteNumber("base", fields.base, 0, "above") : 10000;
  const first = "first" in fields ? wholeNumber("first", fields.first, 0) : 0;
  if (!Number.isSafeInteger(first)) throw wrongRange("first", "below 2^53", first);
  const shape = [rows, cols];
  if (rows * cols === 0) return { name: "sinusoid", shape, data: new Float32Array(0) };
  const data = bench.compute(rows * cols, (core, _, at) => {
    core.sinusoid(first, rows, cols, base);
    return core.HEAPF32.slice(at, at + rows * cols);
  });
  return { name: "sinusoid", shape, data };
}
