// Reads operator cases written as plain JSON: flat data with dtype and shape, infinities as strings.

import { existsSync, readdirSync, readFileSync } from "node:fs";

/** One tensor of a case. */
export interface Tensor {
  readonly dtype: "float16" | "float32" | "float64" | "int64" | "bool";
  readonly shape: readonly number[];
  readonly data: number[];
}

/** One case. */
export interface OperatorCase {
  readonly name: string;
  readonly op: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly outputs: Readonly<Record<string, Tensor>>;
  readonly tolerance?: { readonly rtol: number; readonly atol: number };
}

const folder = new URL("../../../../shared/conformance/", import.meta.url);

/** True where the shared cases lie beside the project. */
export const present = existsSync(folder);

/** All cases of one source, by name. Empty where the folder is absent. */
export function operatorCases(source: "onnx" | "torch"): OperatorCase[] {
  if (!present) return [];
  const here = new URL(`${source}/`, folder);
  return readdirSync(here)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, here), "utf8");
      // "-Infinity" reads as −Infinity; every number stays what it is.
      return JSON.parse(text, (key, value) =>
        key === "data" && Array.isArray(value) ? value.map(Number) : value,
      ) as OperatorCase;
    });
}

/** A tensor by name; a missing one is a fault of the test. */
export function need(tensors: Readonly<Record<string, Tensor>>, name: string): Tensor {
  const tensor = tensors[name];
  if (tensor === undefined) throw new Error(`the case has no tensor ${name}, only ${Object.keys(tensors).join(", ")}`);
  return tensor;
}

/** Part number `b` of `parts` equal parts of flat data. */
export function part(data: readonly number[], b: number, parts: number): number[] {
  const size = data.length / parts;
  return data.slice(b * size, (b + 1) * size);
}

/** Any mask, broadcast from the right to [batch, heads, rows, columns]; columns that are missing get `missing`. */
export function broadcast(mask: Tensor, to: readonly [number, number, number, number], missing: number): number[] {
  const shape = [...new Array<number>(4 - mask.shape.length).fill(1), ...mask.shape] as [
    number,
    number,
    number,
    number,
  ];
  const result: number[] = [];
  for (let b = 0; b < to[0]; b++)
    for (let g = 0; g < to[1]; g++)
      for (let i = 0; i < to[2]; i++)
        for (let j = 0; j < to[3]; j++) {
          const at = [b, g, i, j].map((place, axis) => (shape[axis] === 1 ? 0 : place)) as [
            number,
            number,
            number,
            number,
          ];
          const flat = ((at[0] * shape[1] + at[1]) * shape[2] + at[2]) * shape[3] + at[3];
          result.push(at[3] < shape[3] ? (mask.data[flat] as number) : missing);
        }
  return result;
}
