// onnxruntime-web on one thread, in three forms; the session and its inputs are made beforehand.

import { attention, decomposed, multiHeadAttention } from "../models/onnx.mjs";

/** @returns {import("./index.mjs").Contestant} */
const form = (ort, name, layout, makeModel) => ({
  name: `onnxruntime-web, ${name}`,
  kind: "peer",
  layout,
  async prepare(task) {
    const { dims, bytes } = makeModel(task);
    const session = await ort.InferenceSession.create(bytes, {
      executionProviders: ["wasm"],
      graphOptimizationLevel: "all",
    });
    const feeds = Object.fromEntries(
      Object.entries(task[layout]).map(([key, data]) => [key, new ort.Tensor("float32", data, dims)]),
    );
    return {
      run: () => session.run(feeds).then(({ output }) => output.data),
      release: () => session.release(),
    };
  },
});

/** @returns {import("./index.mjs").Contestant[]} */
export const onnxRuntime = (ort) => [
  form(ort, "MatMul and Softmax", "blocks", decomposed),
  form(ort, "MultiHeadAttention", "rows", multiHeadAttention),
  form(ort, "Attention", "rows", attention),
];
