import { knownFields } from "../fields.ts";
import { readSwitch } from "../problem/check.ts";
import type { Matrix, SoftmaxInput } from "../types.ts";
import type { Workbench } from "../workbench.ts";
import { product, readArray, readAxis } from "./array.ts";

const KNOWN: ReadonlySet<string> = new Set(["data", "shape", "axis", "log"]);

export function softmax(bench: Workbench, input: SoftmaxInput): Matrix {
  const fields = knownFields("softmax", input, KNOWN);
  const { data, shape } = readArray(fields, "", true);
  const axis = readAxis(fields, shape);
  const log = "log" in fields && readSwitch("log", fields.log);
  const length = shape[axis] as number;
  if (data.length > 0) {
    bench.compute(data.length, (core, heap, at) => {
      heap.set(data, at);
      const failed = core.softmax(product(shape.slice(0, axis)), length, product(shape.slice(axis + 1)), log);
      if (failed !== 0) throw bench.lastError();
      data.set(core.HEAPF32.subarray(at, at + data.length));
    });
  }
  return { name: log ? "logSoftmax" : "softmax", shape, data };
}
