// The node test data of ONNX, where it lies beside the project: Attention, FlexAttention, norms, activations, rotary
// positions and softmax. The adapters rename and look up; they compute nothing.

import { describe, expect, test } from "vitest";
import type { AttendInput, FlatArray, Matrix } from "../../web/core/types.ts";
import { expectBits, expectClose, type Tolerance } from "./support/compare.ts";
import { need, type OperatorCase, operatorCases, present, type Tensor } from "./support/conformance.ts";
import { loom } from "./support/loom.ts";

if (!present) console.log("conformance cases skipped: no folder ../shared/conformance beside the project");

/** Half a unit of float16 rounding is 4.9e-4 of the value; the inputs themselves are exact. */
const FLOAT16: Tolerance = { absolute: 1e-5, relative: 1e-3 };
const FLOAT32: Tolerance = { absolute: 1e-6, relative: 1e-5 };

const flat = ({ data, shape }: Tensor): FlatArray => ({ data, shape });

function expectMatrix(got: Matrix, want: Tensor, what: string, tolerance = FLOAT32): void {
  expect(got.shape, what).toEqual(want.shape);
  expectClose(got.data, want.data, what, tolerance);
}

/** What the operator calls its causal rule: aligned by the past, by the number of real keys, or at the start. */
function causalOf({ attributes, inputs }: OperatorCase): Pick<AttendInput, "causal"> {
  if (attributes.is_causal !== 1) return {};
  if (inputs.past_key !== undefined) return { causal: { offset: inputs.past_key.shape[2] as number } };
  return { causal: inputs.nonpad_kv_seqlen === undefined ? "start" : "end" };
}

function inputOf(c: OperatorCase): AttendInput {
  const { attributes, inputs } = c;
  const Q = need(inputs, "Q");
  const mask = inputs.attn_mask;
  return {
    q: flat(Q),
    k: flat(need(inputs, "K")),
    v: flat(need(inputs, "V")),
    ...(Q.shape.length === 3 && { heads: Number(attributes.q_num_heads), kvHeads: Number(attributes.kv_num_heads) }),
    ...(inputs.past_key && { past: { k: flat(inputs.past_key), v: flat(need(inputs, "past_value")) } }),
    ...(attributes.scale !== undefined && { scale: Number(attributes.scale) }),
    ...(Number(attributes.softcap ?? 0) > 0 && { softCap: Number(attributes.softcap) }),
    ...(mask && { [mask.dtype === "bool" ? "allow" : "add"]: flat(mask), shortMasks: "block" }),
    ...(inputs.nonpad_kv_seqlen && { keyCounts: inputs.nonpad_kv_seqlen.data }),
    ...causalOf(c),
  };
}

/** Which stage the second output shows: with the scale, capped, masked, weights. The first that there is. */
const STAGES_OF_MODE: Readonly<Record<number, readonly string[]>> = {
  0: ["scaled"],
  1: ["capped", "scaled"],
  2: ["masked", "capped", "scaled"],
  3: ["weights"],
};

function checkAttention(c: OperatorCase): void {
  const { inputs, outputs, attributes } = c;
  const input = inputOf(c);
  const { output, trace } = loom.attend({ ...input, trace: true });
  const Y = need(outputs, "Y");
  const tolerance = need(inputs, "Q").dtype === "float16" ? FLOAT16 : FLOAT32;
  // Heads first, as the stage has them, or side by side, as the result has them.
  expectMatrix(Y.shape.length === 4 ? trace.stage("output") : output, Y, "Y", tolerance);
  expectBits(loom.attend(input).output.data, output.data, "without a trace");
  for (const [theirs, ours] of [
    ["present_key", "keys"],
    ["present_value", "values"],
  ] as const) {
    const want = outputs[theirs];
    if (want !== undefined) expectMatrix(trace.stage(ours), want, theirs, tolerance);
  }
  if (outputs.qk_matmul_output === undefined) return;
  const names = STAGES_OF_MODE[Number(attributes.qk_matmul_output_mode ?? 0)] as readonly string[];
  const stage = names.find((name) => trace.stages.includes(name)) as string;
  expectMatrix(trace.stage(stage), outputs.qk_matmul_output, "qk_matmul_output", tolerance);
}

function normOf({ attributes }: OperatorCase, x: Tensor, scale: Tensor) {
  return {
    ...flat(x),
    gamma: scale.data,
    axis: Number(attributes.axis ?? -1),
    ...(attributes.epsilon !== undefined && { epsilon: Number(attributes.epsilon) }),
  };
}

function checkLayerNorm(c: OperatorCase): void {
  const B = c.inputs.B;
  const { output, mean, variance } = loom.layerNorm({
    ...normOf(c, need(c.inputs, "X"), need(c.inputs, "Scale")),
    ...(B && { beta: B.data }),
  });
  expectMatrix(output, need(c.outputs, "Y"), "Y");
  if (c.outputs.Mean !== undefined) expectMatrix(mean, c.outputs.Mean, "Mean");
  const inverse = c.outputs.InvStdDev;
  if (inverse === undefined) return;
  // The operator shows the divisor upside down.
  const epsilon = Number(c.attributes.epsilon ?? 1e-5);
  const data = variance.data.map((value) => 1 / Math.sqrt(value + epsilon));
  expectMatrix({ ...variance, data }, inverse, "InvStdDev");
}

/** The row of a table for each row of the data: by position, or by batch entry and place. */
function rowsOf(table: Tensor, c: OperatorCase, heads: number, n: number, headsFirst: boolean): FlatArray {
  const positions = c.inputs.position_ids;
  const width = table.shape.at(-1) as number;
  const batch = need(c.inputs, "X").shape[0] as number;
  const data: number[] = [];
  for (let row = 0; row < batch * heads * n; row++) {
    const b = Math.floor(row / (heads * n));
    const place = headsFirst ? row % n : Math.floor(row / heads) % n;
    const at = positions === undefined ? b * n + place : (positions.data[b * n + place] as number);
    data.push(...table.data.slice(at * width, (at + 1) * width));
  }
  return { data, shape: [batch * heads * n, width] };
}

function checkRotary(c: OperatorCase): void {
  const X = need(c.inputs, "X");
  const [batch, a, b, d] = X.shape as [number, number, number, number | undefined];
  const headsFirst = d !== undefined;
  const heads = headsFirst ? a : Number(c.attributes.num_heads);
  const n = headsFirst ? b : a;
  const got = loom.rotary({
    data: X.data,
    shape: headsFirst ? X.shape : [batch, n, heads, b / heads],
    pairing: c.attributes.interleaved === 1 ? "neighbour" : "half",
    ...(c.attributes.rotary_embedding_dim !== undefined && { width: Number(c.attributes.rotary_embedding_dim) }),
    cosines: rowsOf(need(c.inputs, "cos_cache"), c, heads, n, headsFirst),
    sines: rowsOf(need(c.inputs, "sin_cache"), c, heads, n, headsFirst),
  });
  expectClose(got.data, need(c.outputs, "Y").data, "Y", FLOAT32);
}

/** One adapter for each operator. */
const CHECKS: Readonly<Record<string, (c: OperatorCase) => void>> = {
  Attention: checkAttention,
  FlexAttention: checkAttention,
  LayerNormalization: checkLayerNorm,
  RMSNormalization: (c) => {
    const { output } = loom.rmsNorm(normOf(c, need(c.inputs, "X"), need(c.inputs, "scale")));
    expectMatrix(output, need(c.outputs, "Y"), "Y");
  },
  RotaryEmbedding: checkRotary,
  Gelu: (c) => {
    const tanh = c.attributes.approximate === "tanh";
    const got = loom.gelu({ ...flat(need(c.inputs, "X")), ...(tanh && { approximate: "tanh" as const }) });
    expectMatrix(got, need(c.outputs, "Y"), "Y");
  },
  Softmax: (c) => checkSoftmax(c, false),
  LogSoftmax: (c) => checkSoftmax(c, true),
};

function checkSoftmax(c: OperatorCase, log: boolean): void {
  const got = loom.softmax({ ...flat(need(c.inputs, "input")), axis: Number(c.attributes.axis ?? -1), log });
  expectMatrix(got, need(c.outputs, "output"), "output");
}

/** What is not computed here, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  LinearAttention: "a recurrence over a state, without softmax: nothing of the attention that is taught here",
};

describe.skipIf(!present)("ONNX conformance cases", () => {
  const cases = operatorCases("onnx");

  test.each(cases.filter((c) => !(c.op in LEFT_OUT)))("$op: $name", (c) => {
    const check = CHECKS[c.op];
    if (check === undefined) throw new Error(`nothing is known of ${c.op}`);
    check(c);
  });

  // Counted, so that a case cannot drop out in silence.
  test("there are 133 cases, of which only the 14 of LinearAttention are left out", () => {
    const counts: Record<string, number> = {};
    for (const { op } of cases) counts[op] = (counts[op] ?? 0) + 1;
    expect(counts).toEqual({
      Attention: 49,
      FlexAttention: 6,
      LinearAttention: 14,
      RotaryEmbedding: 8,
      Gelu: 4,
      Softmax: 7,
      LogSoftmax: 7,
      LayerNormalization: 19,
      RMSNormalization: 19,
    });
    expect(Object.keys(counts).filter((op) => !(op in CHECKS))).toEqual(Object.keys(LEFT_OUT));
  });
});
