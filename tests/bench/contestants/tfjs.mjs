// TensorFlow.js on its wasm backend. One matMul per head: batches do not reach XNNPACK, nor do
// transposed operands (a tenth of the speed), so the keys are transposed first. The scale is on the queries.

import { causalMask } from "../models/onnx.mjs";

/** @returns {import("./index.mjs").Contestant} */
export const tensorFlow = (tf) => ({
  name: "tfjs-wasm",
  kind: "peer",
  layout: "blocks",
  prepare({ heads, tokens, d, causal, blocks, mask: given = causal ? causalMask(tokens) : undefined }) {
    const size = tokens * d;
    const scale = tf.scalar(1 / Math.sqrt(d));
    const mask = given ? tf.tensor2d(given, [tokens, tokens]) : undefined;
    const head = (h) => {
      const [q, k, v] = [blocks.q, blocks.k, blocks.v].map((data) =>
        tf.tensor2d(data.subarray(h * size, (h + 1) * size), [tokens, d]),
      );
      const scores = tf.matMul(tf.mul(q, scale), tf.transpose(k));
      return tf.matMul(tf.softmax(mask ? tf.add(scores, mask) : scores), v);
    };
    return {
      run() {
        const output = new Float32Array(heads * size);
        for (let h = 0; h < heads; h++) {
          // Read outside of `tidy`, which would walk through the array that it is given back.
          const result = tf.tidy(() => head(h));
          output.set(result.dataSync(), h * size);
          result.dispose();
        }
        return output;
      },
      release() {
        scale.dispose();
        mask?.dispose();
      },
    };
  },
});
