// Attention as ONNX models, written field by field (numbers of the fields: onnx.proto3 of ONNX, IR version 10).

import { bytes, float, int, message } from "./protobuf.mjs";

const FLOAT = 1;

const attribute = (name, value) =>
  Number.isInteger(value) && name !== "scale" && name !== "alpha"
    ? message(bytes(1, name), int(3, value), int(20, 2))
    : message(bytes(1, name), float(2, value), int(20, 1));
const integers = (name, values) => message(bytes(1, name), ...values.map((value) => int(8, value)), int(20, 7));

const node = (type, inputs, output, attributes = [], domain = "") =>
  bytes(
    1,
    message(
      ...inputs.map((name) => bytes(1, name)),
      bytes(2, output),
      bytes(4, type),
      ...attributes.map((each) => bytes(5, each)),
      bytes(7, domain),
    ),
  );

function constant(name, dims, data) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return bytes(5, message(...dims.map((size) => int(1, size)), int(2, FLOAT), bytes(8, name), bytes(9, raw)));
}

function value(field, name, dims) {
  const shape = message(...dims.map((size) => bytes(1, message(int(1, size)))));
  return bytes(field, message(bytes(1, name), bytes(2, message(bytes(1, message(int(1, FLOAT), bytes(2, shape)))))));
}

function model(dims, nodes) {
  const values = [...["q", "k", "v"].map((name) => value(11, name, dims)), value(12, "output", dims)];
  const operators = [message(bytes(1, ""), int(2, 23)), message(bytes(1, "com.microsoft"), int(2, 1))];
  return message(
    int(1, 10),
    bytes(2, "bench"),
    bytes(7, message(...nodes, bytes(2, "attention"), ...values)),
    ...operators.map((operator) => bytes(8, operator)),
  );
}

/** [tokens, tokens]: 0 where query i sees key j, else −∞. */
export function causalMask(tokens) {
  const mask = new Float32Array(tokens * tokens);
  for (let i = 0; i < tokens; i++) mask.fill(Number.NEGATIVE_INFINITY, i * tokens + i + 1, (i + 1) * tokens);
  return mask;
}

/**
 * MatMul, Softmax, MatMul; the runtime fuses what it can (transposition into the product). The scale is on the queries,
 * where it costs least. Inputs and output [heads, tokens, d]. `mask`: [tokens, tokens], added to the scores.
 */
export function decomposed({ heads, tokens, d, causal, mask = causal ? causalMask(tokens) : undefined }) {
  const nodes = [
    constant("scale", [1], Float32Array.of(1 / Math.sqrt(d))),
    node("Mul", ["q", "scale"], "queries"),
    node("Transpose", ["k"], "keys", [integers("perm", [0, 2, 1])]),
    node("MatMul", ["queries", "keys"], "scores"),
    ...(mask ? [constant("mask", [1, tokens, tokens], mask), node("Add", ["scores", "mask"], "masked")] : []),
    node("Softmax", [mask ? "masked" : "scores"], "weights"),
    node("MatMul", ["weights", "v"], "output"),
  ];
  return { dims: [heads, tokens, d], bytes: model([heads, tokens, d], nodes) };
}

/** ONNX Runtime's own fused operator. Inputs and output [1, tokens, heads·d]. */
export function multiHeadAttention({ heads, tokens, d, causal }) {
  const attributes = [attribute("num_heads", heads), attribute("unidirectional", causal ? 1 : 0)];
  const dims = [1, tokens, heads * d];
  const nodes = [node("MultiHeadAttention", ["q", "k", "v"], "output", attributes, "com.microsoft")];
  return { dims, bytes: model(dims, nodes) };
}

/** The standard's operator (ONNX 1.18, opset 23). Inputs and output [1, tokens, heads·d]. */
export function attention({ heads, tokens, d, causal }) {
  const attributes = [
    attribute("q_num_heads", heads),
    attribute("kv_num_heads", heads),
    attribute("is_causal", causal ? 1 : 0),
  ];
  const dims = [1, tokens, heads * d];
  return { dims, bytes: model(dims, [node("Attention", ["q", "k", "v"], "output", attributes)]) };
}
