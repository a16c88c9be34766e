import { knownFields } from "../fields.ts";
import { readWord } from "../problem/check.ts";
import type { ArrayInput, GeluInput, Matrix } from "../types.ts";
import type { Workbench } from "../workbench.ts";
import { readArray } from "./array.ts";

const RELU: ReadonlySet<string> = new Set(["data", "shape"]);
const GELU: ReadonlySet<string> = new Set([...RELU, "approximate"]);
/** As in cpp/trace/options.h. */
const KIND = { gelu: 0, geluTanh: 1, relu: 2 } as const;

export function gelu(bench: Workbench, input: GeluInput): Matrix {
  const fields = knownFields("gelu", input, GELU);
  const tanh = "approximate" in fields && readWord("approximate", fields.approximate, ["tanh"]) === 0;
  return activate(bench, fields as unknown as ArrayInput, tanh ? "geluTanh" : "gelu");
}

export function relu(bench: Workbench, input: ArrayInput): Matrix {
  return activate(bench, knownFields("relu", input, RELU) as unknown as ArrayInput, "relu");
}

function activate(bench: Workbench, fields: ArrayInput, name: keyof typeof KIND): Matrix {
  const { data, shape } = readArray({ ...fields });
  if (data.length > 0) {
    bench.compute(data.length, (core, heap, at) => {
      heap.set(data, at);
      if (core.activate(data.length, KIND[name]) !== 0) throw bench.lastError();
      data.set(core.HEAPF32.subarray(at, at + data.length));
    });
  }
  return { name, shape, data };
}
