// LiteRT (XNNPACK) on one thread; the model is compiled beforehand. Chromium only: it does not load in Node.

import { causalMask } from "../models/onnx.mjs";
import { attentionModel } from "../models/tflite.mjs";

/** @returns {import("./index.mjs").Contestant} */
export const liteRt = ({ loadAndCompile, Tensor }) => ({
  name: "LiteRT",
  kind: "peer",
  layout: "blocks",
  async prepare(task) {
    const mask = task.causal ? causalMask(task.tokens) : undefined;
    const model = await loadAndCompile(attentionModel(task, mask), { accelerator: "wasm" });
    const shape = [1, task.heads, task.tokens, task.d];
    const inputs = [task.blocks.q, task.blocks.k, task.blocks.v];
    return {
      async run() {
        const tensors = inputs.map((data) => new Tensor(data, shape));
        const [result] = await model.run(tensors);
        const output = result.toTypedArray();
        for (const tensor of [...tensors, result]) tensor.delete();
        return output;
      },
      release: () => model.delete(),
    };
  },
});
