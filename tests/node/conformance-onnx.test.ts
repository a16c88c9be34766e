// The node test data of ONNX for Attention, FlexAttention, Softmax and LogSoftmax, where it lies beside the project.
// The adapter renames and loops over the batch; it computes nothing.

import { describe, expect, test } from "vitest";
import type { AttendInput } from "../../web/core/types.ts";
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

/** Half a unit of float16 rounding is 4.9e-4 of the value; the inputs themselves are exact. */
const FLOAT16: Tolerance = { absolute: 1e-5, relative: 1e-3 };
const FLOAT32: Tolerance = { absolute: 1e-6, relative: 1e-5 };

/** Which stage the second output shows. */
const STAGE_OF_MODE: Readonly<Record<number, string>> = { 0: "scaled", 2: "masked", 3: "weights" };

interface Layout {
  batch: number;
  heads: number;
  n: number;
  d: number;
}

/** Sizes of a 3D (batch, n, heads·d) or 4D (batch, heads, n, d) tensor. */
function layout(tensor: Tensor, heads: unknown): Layout {
  const [batch, a, b, c] = tensor.shape as [number, number, number, number | undefined];
  return c === undefined
    ? { batch, heads: Number(heads), n: a, d: b / Number(heads) }
    : { batch, heads: a, n: b, d: c };
}

/** One entry of the batch as [n, heads·d]. */
function entry(
  tensor: Tensor,
  b: number,
  { batch, heads, n, d }: Layout,
): { data: number[] | Float32Array; shape: number[] } {
  const data = part(tensor.data, b, batch);
  return { data: tensor.shape.length === 4 ? joinHeads(data, heads, n, d) : data, shape: [n, heads * d] };
}

/** Why a case needs what the core does not offer yet, or undefined. */
function leftOut(c: OperatorCase): string | undefined {
  if (c.inputs.past_key !== undefined) return "past keys and values";
  if (c.inputs.nonpad_kv_seqlen !== undefined) return "key counts for a padded cache";
  if (Number(c.attributes.softcap ?? 0) !== 0) return "soft cap";
  const q = layout(need(c.inputs, "Q"), c.attributes.q_num_heads);
  const k = layout(need(c.inputs, "K"), c.attributes.kv_num_heads);
  if (q.heads !== k.heads) return "grouped heads";
  return undefined;
}

function checkAttention(c: OperatorCase): void {
  const [Q, K, V] = [need(c.inputs, "Q"), need(c.inputs, "K"), need(c.inputs, "V")];
  const q = layout(Q, c.attributes.q_num_heads);
  const k = layout(K, c.attributes.kv_num_heads);
  const v = layout(V, c.attributes.kv_num_heads);
  const mask = c.inputs.attn_mask;
  const isBool = mask?.dtype === "bool";
  const masks = mask && broadcast(mask, [q.batch, q.heads, q.n, k.n], isBool ? 0 : -Infinity);
  const tolerance = Q.dtype === "float16" ? FLOAT16 : FLOAT32;
  const Y = need(c.outputs, "Y");
  const matmul = c.outputs.qk_matmul_output;
  for (let b = 0; b < q.batch; b++) {
    const input: AttendInput = {
      q: entry(Q, b, q),
      k: entry(K, b, k),
      v: entry(V, b, v),
      heads: q.heads,
      ...(c.attributes.scale !== undefined && { scale: Number(c.attributes.scale) }),
      ...(c.attributes.is_causal === 1 && { causal: "start" as const }),
      ...(masks && {
        [isBool ? "allow" : "add"]: { data: part(masks, b, q.batch), shape: [q.heads, q.n, k.n] },
      }),
      trace: true,
    };
    const { output, trace } = loom.attend(input);
    const want = part(Y.data, b, q.batch);
    const got = Y.shape.length === 4 ? splitHeads(output.data, q.heads, q.n, v.d) : output.data;
    expectClose(got, want, `Y, batch entry ${b}`, tolerance);
    if (matmul !== undefined) {
      const stage = STAGE_OF_MODE[Number(c.attributes.qk_matmul_output_mode ?? 0)];
      if (stage === undefined) throw new Error(`mode ${c.attributes.qk_matmul_output_mode} has no stage`);
      const shown = trace?.stage(stage);
      expect(shown?.shape).toEqual(matmul.shape.slice(1));
      expectClose(shown?.data ?? [], part(matmul.data, b, q.batch), `qk_matmul_output, batch entry ${b}`, tolerance);
    }
  }
}

describe.skipIf(!present)("ONNX conformance cases", () => {
  const cases = operatorCases("onnx");
  const attention = cases.filter((c) => c.op === "Attention" || c.op === "FlexAttention");
  const covered = attention.filter((c) => leftOut(c) === undefined);

  test.each(covered)("$op: $name", checkAttention);

  test.each(cases.filter((c) => c.op === "Softmax" || c.op === "LogSoftmax"))("$op: $name", (c) => {
    const input = need(c.inputs, "input");
    const output = need(c.outputs, "output");
    const got = loom.softmax({
      data: input.data,
      shape: input.shape,
      axis: Number(c.attributes.axis ?? -1),
      log: c.op === "LogSoftmax",
    });
    expect(got.shape).toEqual(output.shape);
    expectClose(got.data, output.data, "output", FLOAT32);
  });

  // What is left out is named, so that a case cannot drop out in silence.
  test("of 49 Attention and 6 FlexAttention cases exactly those left out need a feature that is not offered yet", () => {
    expect(attention.map((c) => c.op).filter((op) => op === "Attention")).toHaveLength(49);
    expect(attention).toHaveLength(55);
    const reasons = attention
      .filter((c) => leftOut(c) !== undefined)
      .map((c) => `${c.name.replace("test_", "")}: ${leftOut(c)}`);
    expect(reasons).toEqual(LEFT_OUT);
    expect(covered.length + reasons.length).toBe(55);
  });
});

const LEFT_OUT: readonly string[] = [
  "attention_3d_diff_heads_sizes_softcap: soft cap",
  "attention_3d_gqa: grouped heads",
  "attention_3d_gqa_attn_mask: grouped heads",
  "attention_3d_gqa_scaled: grouped heads",
  "attention_3d_softcap: soft cap",
  "attention_3d_with_past_and_present: past keys and values",
  "attention_3d_with_past_and_present_qk_matmul_bias: past keys and values",
  "attention_3d_with_past_and_present_qk_matmul_softmax: past keys and values",
  "attention_4d_causal_nonpad_batch_prefill: key counts for a padded cache",
  "attention_4d_causal_nonpad_continued_prefill: key counts for a padded cache",
  "attention_4d_diff_heads_mask4d_padded_kv: key counts for a padded cache",
  "attention_4d_diff_heads_with_past_and_present: past keys and values",
  "attention_4d_diff_heads_with_past_and_present_mask4d: past keys and values",
  "attention_4d_gqa: grouped heads",
  "attention_4d_gqa_causal: grouped heads",
  "attention_4d_gqa_causal_nonpad_decode_fp16: key counts for a padded cache",
  "attention_4d_gqa_softcap: soft cap",
  "attention_4d_gqa_with_past_and_present: past keys and values",
  "attention_4d_softcap: soft cap",
  "attention_4d_softcap_neginf_mask: soft cap",
  "attention_4d_with_past_and_present: past keys and values",
  "attention_4d_with_past_and_present_qk_matmul: past keys and values",
  "attention_4d_with_past_and_present_qk_matmul_bias_3d_mask: past keys and values",
  "attention_4d_with_past_and_present_qk_matmul_bias_3d_mask_causal: past keys and values",
  "attention_4d_with_past_and_present_qk_matmul_bias_4d_mask: past keys and values",
  "attention_4d_with_qk_matmul_softcap: soft cap",
  "flexattention_gqa: grouped heads",
];
