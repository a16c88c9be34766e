// How far the float32 of a figure may be from the same in double, stage by stage: R02's bound, as tests/cpp/float_bound.h
// has it, for what a figure can show.

import type { Reference, Trace } from "../../../web/core/types.ts";
import type { Model } from "../../../web/elements/state/index.ts";

/** What float32 arithmetic loses in one step, relative to the largest number. */
const ROUNDING = 3e-7;
/** Below 2^-126 a rounding loses up to 2^-150, however small the number: for up to 1,000 terms. */
const SUBNORMAL = 2 ** -140;
/** Of the number itself, beside the bound of its stage. */
const RELATIVE = 1e-6;

const largest = (data: ArrayLike<number>): number => {
  let most = 0;
  for (let i = 0; i < data.length; i++) {
    const size = Math.abs(data[i] as number);
    if (Number.isFinite(size)) most = Math.max(most, size);
  }
  return most;
};

/** How far a number may be off: by so much, and by so much of itself. */
export interface Bound {
  readonly absolute: number;
  readonly relative: number;
}

/** The largest difference by stage, in the order of the stages. */
export function boundsOf(model: Model, trace: Trace, twin: Reference): Map<string, Bound> {
  const { matrices, options } = model;
  const of = (name: string) => (twin.stages.includes(name) ? largest(twin.stage(name).data) : 0);
  const given = (name: keyof typeof matrices) => largest(matrices[name]?.data ?? []);
  /** What a product with these weights can make of an error of 1. */
  const weights = (name: keyof typeof matrices) => given(name) * (matrices[name]?.rows ?? 0);
  let error = 0;
  const product = (most: number, stretch: number) => {
    error = (1 + stretch) * (error + ROUNDING * most + SUBNORMAL);
  };
  const attention = () => {
    const queries = Math.max(of("queries"), given("q"));
    const keys = Math.max(of("keys"), given("k"));
    const values = Math.max(of("values"), given("v"));
    const width = trace.describe("scores").terms * Math.max(queries, keys);
    const { temperature = 1 } = options;
    const sharpness = Math.max(1, Math.abs(trace.scale), temperature === 0 ? 1 : 1 / temperature);
    const scores = Math.max(of("scores"), of("shifted"), trace.stages.includes("rowmax") ? 0 : of("masked"));
    error = (ROUNDING * (1 + scores) + error * (1 + width) * sharpness) * (1 + values);
  };
  const biases = Math.max(given("bQ"), given("bK"), given("bV"));
  const { shift = true, softmax = "rows" } = options;
  const bounds = new Map<string, Bound>();
  for (const stage of twin.stages) {
    if (stage === "queries" && matrices.wQ)
      product(Math.max(given("x"), given("xKv"), biases), Math.max(weights("wQ"), weights("wK"), weights("wV")));
    if (stage === "scores") attention();
    if (stage === "projected") product(Math.max(of("output"), given("bO")), weights("wO"));
    // Weights of a row that are no shares: as many as there are keys, each as large as any.
    if (stage === "output" && softmax !== "rows") error *= Math.max(1, trace.describe("output").terms);
    // Without the shift what is wrong with x is wrong with e^x many times over.
    const isMagnified = !shift && (stage === "exp" || stage === "rowsum");
    bounds.set(stage, { absolute: error, relative: isMagnified ? Math.max(error, RELATIVE) : RELATIVE });
  }
  return bounds;
}
