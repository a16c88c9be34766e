// Cases computed by PyTorch in float64, where they lie beside the project. Multi-head cases enter after the projections
// with biases, which the core does not offer yet; the one without biases enters with its tokens.

import { describe, expect, test } from "vitest";
import type { AttendInput, MatrixLike } from "../../web/core/types.ts";
import { expectClose, type Tolerance } from "./support/compare.ts";
import {
  broadcast,
  need,
  type OperatorCase,
  operatorCases,
  part,
  present,
  type Tensor,
} from "./support/conformance.ts";
import { loom } from "./support/loom.ts";
import { joinHeads, splitHeads } from "./support/plain.ts";

if (!present) console.log("conformance cases skipped: no folder ../shared/conformance beside the project");

function toleranceOf(c: OperatorCase): Tolerance {
  if (c.tolerance === undefined) throw new Error(`${c.name} has no tolerance`);
  return { absolute: c.tolerance.atol, relative: c.tolerance.rtol };
}

/** One entry of a (batch, heads, n, d) tensor as [n, heads·d]. */
function entry(tensor: Tensor, b: number): MatrixLike {
  const [batch, heads, n, d] = tensor.shape as [number, number, number, number];
  return { data: joinHeads(part(tensor.data, b, batch), heads, n, d), shape: [n, heads * d] };
}

/** Runs one entry of the batch and compares the stages that the case lists. */
function check(c: OperatorCase, b: number, batch: number, input: AttendInput, stages: Record<string, string>): void {
  const { trace, output } = loom.attend({ ...input, trace: true });
  if (trace === undefined) throw new Error("trace: true gave no trace");
  for (const [theirs, ours] of Object.entries(stages)) {
    const want = need(c.outputs, theirs);
    // Without a mask the core has no stage of that name: the scores stay as they are.
    const stage = trace.stage(ours === "masked" && !trace.stages.includes("masked") ? "scaled" : ours);
    expect(stage.shape, theirs).toEqual(want.shape.slice(1));
    expectClose(stage.data, part(want.data, b, batch), `${theirs}, batch entry ${b}`, toleranceOf(c));
  }
  const want = c.outputs.context ?? need(c.outputs, "output");
  const [heads, nQ, dV] = trace.stage("output").shape as [number, number, number];
  const got = want.shape.length === 4 ? splitHeads(output.data, heads, nQ, dV) : output.data;
  expectClose(got, part(want.data, b, batch), `output, batch entry ${b}`, toleranceOf(c));
}

describe.skipIf(!present)("PyTorch conformance cases", () => {
  const cases = operatorCases("torch");
  const of = (op: string) => cases.filter((c) => c.op === op);

  test("there are nine multi-head, three attention and one softmax case", () => {
    expect(["MultiheadAttention", "scaled_dot_product_attention", "Softmax"].map((op) => of(op).length)).toEqual([
      9, 3, 1,
    ]);
  });

  test.each(of("Softmax"))("Softmax: $name", (c) => {
    const input = need(c.inputs, "input");
    const got = loom.softmax({ data: input.data, shape: input.shape, axis: Number(c.attributes.axis) });
    expectClose(got.data, need(c.outputs, "output").data, "output", toleranceOf(c));
  });

  test.each(of("scaled_dot_product_attention"))("scaled_dot_product_attention: $name", (c) => {
    const [query, key, value] = [need(c.inputs, "query"), need(c.inputs, "key"), need(c.inputs, "value")];
    const [batch, heads, nQ] = query.shape as [number, number, number];
    const nK = key.shape[2] as number;
    const mask = c.inputs.attn_mask;
    const masks = mask && broadcast(mask, [batch, heads, nQ, nK], mask.dtype === "bool" ? 0 : -Infinity);
    for (let b = 0; b < batch; b++) {
      const input: AttendInput = {
        q: entry(query, b),
        k: entry(key, b),
        v: entry(value, b),
        heads,
        ...(c.attributes.scale !== undefined && { scale: Number(c.attributes.scale) }),
        ...(c.attributes.is_causal === true && { causal: "start" as const }),
        ...(masks && {
          [mask.dtype === "bool" ? "allow" : "add"]: { data: part(masks, b, batch), shape: [heads, nQ, nK] },
        }),
      };
      check(c, b, batch, input, { scaled_scores: "scaled", masked_scores: "masked", attn_weights: "weights" });
    }
  });

  test.each(of("MultiheadAttention"))("MultiheadAttention from its heads on: $name", (c) => {
    const [q, k, v] = [need(c.outputs, "q_heads"), need(c.outputs, "k_heads"), need(c.outputs, "v_heads")];
    const [batch, heads, nQ] = q.shape as [number, number, number];
    const nK = k.shape[2] as number;
    const padding = c.inputs.key_padding_mask;
    const mask = c.inputs.attn_mask;
    for (let b = 0; b < batch; b++) {
      // A 1 blocks here; keys appended by the module come after the given ones and are never masked.
      const allow = new Uint8Array(heads * nQ * nK).fill(1);
      let add: Float32Array | undefined;
      if (mask !== undefined && mask.dtype !== "bool") add = new Float32Array(mask.data);
      for (let g = 0; g < heads; g++)
        for (let i = 0; i < nQ; i++)
          for (let j = 0; j < nK; j++) {
            const width = padding?.shape[1] ?? mask?.shape.at(-1) ?? nK;
            if (j >= width) continue;
            const row = mask?.shape.length === 3 ? (b * heads + g) * nQ + i : i;
            const blocked = (mask?.dtype === "bool" && mask.data[row * width + j]) || padding?.data[b * width + j];
            if (blocked) allow[(g * nQ + i) * nK + j] = 0;
          }
      const input: AttendInput = {
        q: entry(q, b),
        k: entry(k, b),
        v: entry(v, b),
        heads,
        ...((padding !== undefined || mask?.dtype === "bool") && { allow: { data: allow, shape: [heads, nQ, nK] } }),
        ...(add && { add: { data: add, shape: [nQ, nK] } }),
      };
      check(c, b, batch, input, { scaled_scores: "scaled", masked_scores: "masked", head_weights: "weights" });
    }
  });

  test("MultiheadAttention without biases, from its tokens on: mha_self_per_head_no_bias", () => {
    const c = cases.find((one) => one.name === "mha_self_per_head_no_bias");
    if (c === undefined) throw new Error("the case is missing");
    const query = need(c.inputs, "query");
    const [batch, n, width] = query.shape as [number, number, number];
    const stacked = need(c.inputs, "in_proj_weight").data;
    // The module multiplies by the transpose: column c of ours is row c of theirs.
    const weight = (which: number): MatrixLike => ({
      data: Float32Array.from(
        { length: width * width },
        (_, at) => stacked[which * width * width + (at % width) * width + Math.floor(at / width)] as number,
      ),
      shape: [width, width],
    });
    for (let b = 0; b < batch; b++) {
      const x: MatrixLike = { data: part(query.data, b, batch), shape: [n, width] };
      const input: AttendInput = {
        x,
        wQ: weight(0),
        wK: weight(1),
        wV: weight(2),
        heads: Number(c.attributes.num_heads),
      };
      const stages = { q_heads: "queries", k_heads: "keys", v_heads: "values", scaled_scores: "scaled" };
      check(c, b, batch, input, { ...stages, head_weights: "weights" });
    }
  });
});
