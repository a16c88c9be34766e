// Changing the matrices of a random computation: rows in another order, a mask that says what all its masks say.

import type { AttendInput, AttendQkv, Trace } from "../../../web/core/types.ts";
import type { Case } from "./cases.ts";
import { loom } from "./loom.ts";
import { random } from "./random.ts";

export interface Flat {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** Queries, keys and values of a case that gives them, as the flat matrices they are. */
export function given(c: Case): { q: Flat; k: Flat; v: Flat } {
  const { q, k, v } = c.input as AttendQkv;
  return { q: q as Flat, k: k as Flat, v: v as Flat };
}

export function traced(input: AttendInput): Trace {
  const { trace } = loom.attend({ ...input, trace: true });
  if (trace === undefined) throw new Error("trace: true gave no trace");
  return trace;
}

/** The options of a case but what decides who may look at whom. */
export function unmasked(c: Case): Omit<AttendQkv, "q" | "k" | "v"> {
  const { allow: _, add: _a, causal: _c, window: _w, blocks: _b, global: _g, align: _l, ...rest } = c.input;
  return rest;
}

/** A mask [h, n_q, n_k] that says the same as all masks and patterns of the case. */
export function allowOf(c: Case, rowOrder?: readonly number[], keyOrder?: readonly number[]) {
  const [nQ, nK] = [rowOrder?.length ?? c.nQ, keyOrder?.length ?? c.nK];
  const data = new Uint8Array(c.heads * nQ * nK);
  for (let g = 0, at = 0; g < c.heads; g++)
    for (let i = 0; i < nQ; i++)
      for (let j = 0; j < nK; j++, at++) data[at] = c.visible(g, rowOrder?.[i] ?? i, keyOrder?.[j] ?? j) ? 1 : 0;
  return { data, shape: [c.heads, nQ, nK] };
}

/** The rows of a matrix in another order. */
export function reorder({ data, shape }: Flat, order: readonly number[]): Flat {
  const width = shape[1] as number;
  const moved = new Float32Array(order.length * width);
  for (const [to, from] of order.entries()) moved.set(data.subarray(from * width, (from + 1) * width), to * width);
  return { data: moved, shape: [order.length, width] };
}

/** 0 … n − 1 shuffled. */
export function shuffled(n: number, seed: number): number[] {
  const r = random(seed);
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = r.whole(0, i);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/** The stage that softmax is taken of. */
export const scoresOf = (c: Case): string => (c.hasMask ? "masked" : c.softCap > 0 ? "capped" : "scaled");

/** The core's capped scores, where there is a cap. */
export const cappedOf = (trace: Trace): Float32Array | undefined =>
  trace.stages.includes("capped") ? trace.stage("capped").data : undefined;

/** The largest finite size of the numbers. */
export function largest(numbers: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) {
    const size = Math.abs(numbers[i] as number);
    if (Number.isFinite(size) && size > most) most = size;
  }
  return most;
}
