// Reads operator cases written as plain JSON: flat data with dtype and shape, infinities as strings. LOOM_CONFORMANCE
// names their folder where it does not lie beside the project.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

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

const named = process.env.LOOM_CONFORMANCE;
const folder = named ? pathToFileURL(`${named}/`) : new URL("../../../../shared/conformance/", import.meta.url);

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
