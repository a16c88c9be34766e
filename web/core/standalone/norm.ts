import { type Fields, knownFields } from "../fields.ts";
import { vector } from "../incoming/index.ts";
import { finiteNumber } from "../problem/check.ts";
import type { LayerNorm, LayerNormInput, Matrix, RmsNorm, RmsNormInput } from "../types.ts";
import type { Workbench } from "../workbench.ts";
import { product, readArray, readAxis, readNumbers } from "./array.ts";

const RMS: ReadonlySet<string> = new Set(["data", "shape", "axis", "epsilon", "gamma"]);
const LAYER: ReadonlySet<string> = new Set([...RMS, "beta"]);

export function layerNorm(bench: Workbench, input: LayerNormInput): LayerNorm {
  const { output, mean, spread, reduced } = normalise(bench, knownFields("layerNorm", input, LAYER), false);
  return {
    output: { ...output, name: "layerNorm" },
    mean: { name: "mean", shape: reduced, data: mean },
    variance: { name: "variance", shape: [...reduced], data: spread },
  };
}

export function rmsNorm(bench: Workbench, input: RmsNormInput): RmsNorm {
  const { output, spread, reduced } = normalise(bench, knownFields("rmsNorm", input, RMS), true);
  return { output: { ...output, name: "rmsNorm" }, meanSquare: { name: "meanSquare", shape: reduced, data: spread } };
}

interface Normalised {
  readonly output: Omit<Matrix, "name">;
  readonly mean: Float32Array;
  /** The variance, or the mean square. */
  readonly spread: Float32Array;
  /** The shape with size 1 along the axes that were evened out. */
  readonly reduced: readonly number[];
}

function normalise(bench: Workbench, fields: Fields, rms: boolean): Normalised {
  const { data, shape } = readArray(fields);
  const axis = readAxis(fields, shape);
  const epsilon = "epsilon" in fields ? finiteNumber("epsilon", fields.epsilon, 0) : 1e-5;
  const rows = product(shape.slice(0, axis));
  const cols = product(shape.slice(axis));
  const optional = (name: string, otherwise: number) => {
    if (!(name in fields)) return new Float32Array(cols).fill(otherwise);
    vector(name, fields[name], cols, `the axes from ${axis} on`);
    return readNumbers(name, fields[name]);
  };
  const gamma = optional("gamma", 1);
  const beta = optional("beta", 0);
  const mean = new Float32Array(rows);
  const spread = new Float32Array(rows);
  if (data.length > 0) {
    bench.compute(data.length + 2 * (cols + rows), (core, heap, at) => {
      heap.set(data, at);
      heap.set(gamma, at + data.length);
      heap.set(beta, at + data.length + cols);
      if (core.normalise(rows, cols, rms, epsilon) !== 0) throw bench.lastError();
      const now = core.HEAPF32;
      const behind = at + data.length + 2 * cols;
      data.set(now.subarray(at, at + data.length));
      mean.set(now.subarray(behind, behind + rows));
      spread.set(now.subarray(behind + rows, behind + 2 * rows));
    });
  }
  return { output: { shape, data }, mean, spread, reduced: shape.map((size, i) => (i < axis ? size : 1)) };
}
