// Attention as a TensorFlow Lite model, written field by field (numbers of the fields and operators: schema.fbs of LiteRT).

import { Builder } from "flatbuffers";

const MUL = 18;
const ADD = 0;
const SOFTMAX = 25;
const BATCH_MATMUL = 126;
/** Members of the union BuiltinOptions. */
const options = { softmax: 9, add: 11, mul: 21, batchMatMul: 101 };

/** @param {(builder: Builder) => void} fill @returns {number} where the table is */
function table(builder, fields, fill) {
  builder.startObject(fields);
  fill(builder);
  return builder.endObject();
}

function int32s(builder, values) {
  builder.startVector(4, values.length, 4);
  for (const value of [...values].reverse()) builder.addInt32(value);
  return builder.endVector();
}

function offsets(builder, values) {
  builder.startVector(4, values.length, 4);
  for (const value of [...values].reverse()) builder.addOffset(value);
  return builder.endVector();
}

/** A buffer of the model; where the numbers of constants are. */
function buffer(builder, data) {
  if (data === undefined) return table(builder, 1, () => {});
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  builder.startVector(1, bytes.length, 16);
  builder.space -= bytes.length;
  builder.bb.bytes().set(bytes, builder.space);
  const content = builder.endVector();
  return table(builder, 1, () => builder.addFieldOffset(0, content, 0));
}

function tensor(builder, name, shape, at) {
  const [dims, text] = [int32s(builder, shape), builder.createString(name)];
  return table(builder, 4, () => {
    builder.addFieldOffset(0, dims, 0);
    builder.addFieldInt8(1, 0, 0); // float32
    builder.addFieldInt32(2, at, 0);
    builder.addFieldOffset(3, text, 0);
  });
}

function operatorCode(builder, code) {
  return table(builder, 4, () => {
    builder.addFieldInt8(0, Math.min(code, 127), 0);
    builder.addFieldInt32(2, 1, 1);
    builder.addFieldInt32(3, code, 0);
  });
}

function operator(builder, index, inputs, output, kind, details) {
  const [from, to] = [int32s(builder, inputs), int32s(builder, [output])];
  return table(builder, 5, () => {
    builder.addFieldInt32(0, index, 0);
    builder.addFieldOffset(1, from, 0);
    builder.addFieldOffset(2, to, 0);
    builder.addFieldInt8(3, kind, 0);
    builder.addFieldOffset(4, details, 0);
  });
}

/**
 * The scale is on the queries. Inputs and output [1, heads, tokens, d].
 * @param {Float32Array} [mask] [tokens, tokens], added to the scores
 */
export function attentionModel({ heads, tokens, d }, mask) {
  const builder = new Builder(1024 + (mask?.byteLength ?? 0));
  const constants = [Float32Array.of(1 / Math.sqrt(d)), ...(mask ? [mask] : [])];
  // Buffer 0 is the empty one, by the schema's rule.
  const buffers = offsets(builder, [buffer(builder), ...constants.map((data) => buffer(builder, data))]);
  const [rows, square] = [
    [1, heads, tokens, d],
    [1, heads, tokens, tokens],
  ];
  const shapes = { q: rows, k: rows, v: rows, scale: [1], scaled: rows, scores: square, weights: square, output: rows };
  if (mask) Object.assign(shapes, { mask: [1, 1, tokens, tokens], masked: square });
  const names = Object.keys(shapes);
  const held = { scale: 1, mask: 2 };
  const tensors = offsets(
    builder,
    names.map((name) => tensor(builder, name, shapes[name], held[name] ?? 0)),
  );
  const codes = offsets(
    builder,
    [MUL, BATCH_MATMUL, SOFTMAX, ADD].map((code) => operatorCode(builder, code)),
  );
  const at = (...list) => list.map((name) => names.indexOf(name));
  const empty = () => table(builder, 2, () => {});
  const product = (transposed) => table(builder, 3, () => builder.addFieldInt8(1, transposed, 0));
  const one = table(builder, 1, () => builder.addFieldFloat32(0, 1, 0));
  const scores = mask ? "masked" : "scores";
  const operators = offsets(builder, [
    operator(builder, 0, at("q", "scale"), ...at("scaled"), options.mul, empty()),
    operator(builder, 1, at("scaled", "k"), ...at("scores"), options.batchMatMul, product(1)),
    ...(mask ? [operator(builder, 3, at("scores", "mask"), ...at("masked"), options.add, empty())] : []),
    operator(builder, 2, at(scores), ...at("weights"), options.softmax, one),
    operator(builder, 1, at("weights", "v"), ...at("output"), options.batchMatMul, product(0)),
  ]);
  const [inputs, outputs] = [int32s(builder, at("q", "k", "v")), int32s(builder, at("output"))];
  const name = builder.createString("attention");
  const graph = table(builder, 5, () => {
    for (const [field, offset] of [tensors, inputs, outputs, operators, name].entries())
      builder.addFieldOffset(field, offset, 0);
  });
  const graphs = offsets(builder, [graph]);
  const model = table(builder, 5, () => {
    builder.addFieldInt32(0, 3, 0);
    builder.addFieldOffset(1, codes, 0);
    builder.addFieldOffset(2, graphs, 0);
    builder.addFieldOffset(4, buffers, 0);
  });
  builder.finish(model, "TFL3");
  return builder.asUint8Array();
}
