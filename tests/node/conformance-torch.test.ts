// Cases computed by PyTorch in float64, where they lie beside the project: multi-head attention from tokens to the output
// projection, scaled dot-product attention, softmax. The adapters rename and transpose; they compute nothing.

import { describe, expect, test } from "vitest";
import type { AttendInput, AttendX, FlatArray, Matrix, Trace } from "../../web/core/types.ts";
import { expectBits, expectClose, type Tolerance } from "./support/compare.ts";
import { need, type OperatorCase, operatorCases, present, type Tensor } from "./support/conformance.ts";
import { loom } from "./support/loom.ts";

if (!present) console.log("conformance cases skipped: no folder ../shared/conformance beside the project");

/** Tighter than what the cases ask for (rtol 1e-4, atol 1e-5), but for the softmax, which brings 1e-5 and 1e-7. */
const FLOAT32: Tolerance = { absolute: 1e-6, relative: 1e-5 };

const flat = ({ data, shape }: Tensor): FlatArray => ({ data, shape });

function expectMatrix(got: Matrix, want: Tensor, what: string, tolerance = FLOAT32): void {
  expect(got.shape, what).toEqual(want.shape);
  expectClose(got.data, want.data, what, tolerance);
}

/** Compares the stages that the case lists. `masked` is the scores as they are where nothing masks. */
function checkStages(c: OperatorCase, trace: Trace, stages: Readonly<Record<string, string>>): void {
  for (const [theirs, ours] of Object.entries(stages)) {
    const stage = ours === "masked" && !trace.stages.includes("masked") ? "scaled" : ours;
    expectMatrix(trace.stage(stage), need(c.outputs, theirs), theirs);
  }
}

/** The module multiplies by the transpose. */
function transposed({ data, shape }: FlatArray): FlatArray {
  const [rows, cols] = shape as [number, number];
  return {
    data: Array.from({ length: rows * cols }, (_, at) => data[(at % rows) * cols + Math.floor(at / rows)] as number),
    shape: [cols, rows],
  };
}

const slice = (data: readonly number[], from: number, count: number) => data.slice(from, from + count);

/** The weights of queries, keys and values: stacked in one matrix, or one by one. */
function weightsOf({ inputs }: OperatorCase, width: number): [FlatArray, FlatArray, FlatArray] {
  const stacked = inputs.in_proj_weight;
  const one = (which: number, name: string) =>
    transposed(
      stacked
        ? { data: slice(stacked.data, which * width * width, width * width), shape: [width, width] }
        : flat(need(inputs, name)),
    );
  return [one(0, "q_proj_weight"), one(1, "k_proj_weight"), one(2, "v_proj_weight")];
}

/** Key and value tokens side by side, each with zeros for weights where the other stands. */
function sideBySide(key: Tensor, value: Tensor, wK: FlatArray, wV: FlatArray): Pick<AttendX, "xKv" | "wK" | "wV"> {
  const [batch, n, dKey] = key.shape as [number, number, number];
  const dValue = value.shape[2] as number;
  const rows = Array.from({ length: batch * n }, (_, i) => [
    ...slice(key.data, i * dKey, dKey),
    ...slice(value.data, i * dValue, dValue),
  ]);
  const zeros = (count: number) => new Array<number>(count).fill(0);
  const [keyCols, valueCols] = [wK.shape[1] as number, wV.shape[1] as number];
  return {
    xKv: { data: rows.flat(), shape: [batch, n, dKey + dValue] },
    wK: { data: [...wK.data, ...zeros(dValue * keyCols)], shape: [dKey + dValue, keyCols] },
    wV: { data: [...zeros(dKey * valueCols), ...wV.data], shape: [dKey + dValue, valueCols] },
  };
}

/** A 1 blocks in this module; a row for each head of each entry. */
function masksOf({ inputs }: OperatorCase, heads: number): Pick<AttendInput, "allow" | "add"> {
  const { attn_mask: mask, key_padding_mask: padding } = inputs;
  if (mask !== undefined && padding !== undefined) throw new Error("no case has both masks");
  const may = ({ data }: Tensor) => data.map((blocked) => 1 - blocked);
  if (padding !== undefined) {
    const [batch, n] = padding.shape as [number, number];
    return { allow: { data: may(padding), shape: [batch, 1, 1, n] } };
  }
  if (mask === undefined) return {};
  const [first, ...rest] = mask.shape as [number, ...number[]];
  const shape = mask.shape.length === 3 ? [first / heads, heads, ...rest] : mask.shape;
  return mask.dtype === "bool" ? { allow: { data: may(mask), shape } } : { add: { data: mask.data, shape } };
}

function moduleInput(c: OperatorCase): AttendX {
  const { inputs, attributes } = c;
  const query = need(inputs, "query");
  const key = need(inputs, "key");
  const value = need(inputs, "value");
  const width = query.shape[2] as number;
  const heads = Number(attributes.num_heads);
  const [wQ, wK, wV] = weightsOf(c, width);
  const bias = inputs.in_proj_bias?.data;
  const [outBias, biasK, biasV] = [inputs.out_proj_bias, inputs.bias_k, inputs.bias_v];
  return {
    x: flat(query),
    wQ,
    ...sideBySide(key, value, wK, wV),
    heads,
    ...(bias && {
      bQ: slice(bias, 0, width),
      bK: slice(bias, width, width),
      bV: slice(bias, 2 * width, width),
    }),
    ...(biasK && biasV && { biasK: biasK.data, biasV: biasV.data }),
    ...(attributes.add_zero_attn === true && { addZeroAttn: true }),
    ...masksOf(c, heads),
    wO: transposed(flat(need(inputs, "out_proj_weight"))),
    ...(outBias && { bO: outBias.data }),
  };
}

describe.skipIf(!present)("PyTorch conformance cases", () => {
  const cases = operatorCases("torch");
  const of = (op: string) => cases.filter((c) => c.op === op);

  test("there are nine multi-head, three attention and one softmax case", () => {
    expect(["MultiheadAttention", "scaled_dot_product_attention", "Softmax"].map((op) => of(op).length)).toEqual([
      9, 3, 1,
    ]);
    expect(cases).toHaveLength(13);
  });

  test.each(of("Softmax"))("Softmax: $name", (c) => {
    const got = loom.softmax({ ...flat(need(c.inputs, "input")), axis: Number(c.attributes.axis) });
    expectMatrix(got, need(c.outputs, "output"), "output", { absolute: 1e-7, relative: 1e-5 });
  });

  test.each(of("scaled_dot_product_attention"))("scaled_dot_product_attention: $name", (c) => {
    const { inputs, attributes } = c;
    const mask = inputs.attn_mask;
    const input: AttendInput = {
      q: flat(need(inputs, "query")),
      k: flat(need(inputs, "key")),
      v: flat(need(inputs, "value")),
      ...(attributes.scale !== undefined && { scale: Number(attributes.scale) }),
      ...(attributes.is_causal === true && { causal: "start" as const }),
      ...(mask && { [mask.dtype === "bool" ? "allow" : "add"]: flat(mask) }),
    };
    const { trace, output } = loom.attend({ ...input, trace: true });
    checkStages(c, trace, {
      scaled_scores: "scaled",
      masked_scores: "masked",
      attn_weights: "weights",
      output: "output",
    });
    expectBits(loom.attend(input).output.data, output.data, "without a trace");
  });

  test.each(of("MultiheadAttention"))("MultiheadAttention from tokens to the output projection: $name", (c) => {
    const input = moduleInput(c);
    const { trace, output } = loom.attend({ ...input, trace: true });
    checkStages(c, trace, {
      q_heads: "queries",
      k_heads: "keys",
      v_heads: "values",
      scaled_scores: "scaled",
      masked_scores: "masked",
      head_weights: "weights",
      context: "concat",
    });
    expectMatrix(output, need(c.outputs, "output"), "output");
    expectBits(loom.attend(input).output.data, output.data, "without a trace");
  });
});
