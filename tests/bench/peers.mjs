// The core against other implementations on random input: node tests/bench/peers.mjs [cases for each peer]
// Both compute in float32, in another order: 1e-5 + 1e-4·|x| is what may lie between them at standard deviation 1.

import { createRequire } from "node:module";
import { onnxRuntime } from "./contestants/onnx.mjs";
import { tensorFlow } from "./contestants/tfjs.mjs";
import { normal, toBlocks } from "./numbers.mjs";
import { mulberry32 } from "./random.mjs";

const SEED = 31;
const count = Number(process.argv[2] ?? 2000);
const require = createRequire(import.meta.url);
const TOKENS = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65];
const WIDTHS = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17];

const ort = await import("onnxruntime-web");
ort.env.wasm.numThreads = 1;
ort.env.logLevel = "error";
const tf = require("@tensorflow/tfjs-core");
require("@tensorflow/tfjs-backend-wasm");
await tf.setBackend("wasm");
await tf.ready();
const { loadLoom } = await import(new URL("../../dist/node.js", import.meta.url).href);
const loom = await loadLoom();

/** Columns of heads side by side, each as often as `group` query heads share it. */
function repeated(rows, { tokens, d, heads }, group) {
  const width = (heads / group) * d;
  const result = new Float32Array(tokens * heads * d);
  for (let i = 0; i < tokens; i++)
    for (let h = 0; h < heads; h++) {
      const from = i * width + Math.floor(h / group) * d;
      result.set(rows.subarray(from, from + d), (i * heads + h) * d);
    }
  return result;
}

/** A computation for both: what the core is asked, and the peer's task with shared heads repeated. */
function makeCase(next, anyMask) {
  const pick = (list) => list[Math.floor((next() / 2 ** 32) * list.length)];
  const group = pick([1, 2, 3]);
  const size = { heads: group * pick([1, 2]), tokens: pick(TOKENS), d: pick(WIDTHS) };
  const { heads, tokens, d } = size;
  const kvHeads = heads / group;
  const kind = pick(anyMask ? ["none", "causal", "mask"] : ["none", "causal"]);
  const q = normal(next, tokens * heads * d);
  const [k, v] = [normal(next, tokens * kvHeads * d), normal(next, tokens * kvHeads * d)];
  // Each query sees itself: peers have no answer to a row without keys.
  const mask = Float32Array.from({ length: tokens * tokens }, (_, at) => {
    const hidden = next() / 2 ** 32 < 0.3 && at % tokens !== Math.floor(at / tokens);
    return hidden ? Number.NEGATIVE_INFINITY : 0;
  });
  const flat = (data, columns) => ({ data, shape: [tokens, columns] });
  const input = {
    q: flat(q, heads * d),
    k: flat(k, kvHeads * d),
    v: flat(v, kvHeads * d),
    heads,
    kvHeads,
    ...(kind === "causal" && { causal: true }),
    ...(kind === "mask" && { add: flat(mask, tokens) }),
  };
  const rows = { q, k: repeated(k, size, group), v: repeated(v, size, group) };
  const blocks = Object.fromEntries(Object.entries(rows).map(([name, data]) => [name, toBlocks(data, size)]));
  const task = { ...size, causal: kind === "causal", rows, blocks, ...(kind === "mask" && { mask }) };
  return { input, task, words: `heads ${heads}/${kvHeads}, ${tokens} tokens, width ${d}, ${kind}` };
}

/** Runs `count` cases against the forms in turn. @returns {Promise<number>} how many differ */
async function compare(name, forms) {
  const next = mulberry32(SEED);
  let differ = 0;
  let worst = 0;
  for (let n = 0; n < count; n++) {
    const form = forms[n % forms.length];
    // Only what is made of products and a softmax takes any mask.
    const { input, task, words } = makeCase(next, form.layout === "blocks");
    const peer = await form.prepare(task);
    const theirs = await peer.run();
    const rows = loom.attend(input).output.data;
    const ours = form.layout === "blocks" ? toBlocks(rows, task) : rows;
    let off = theirs.length === ours.length ? 0 : Number.POSITIVE_INFINITY;
    for (let i = 0; i < ours.length; i++) {
      const share = Math.abs(theirs[i] - ours[i]) / (1e-5 + 1e-4 * Math.abs(theirs[i]));
      if (!(share <= off)) off = share;
    }
    await peer.release?.();
    if (!(off <= 1)) {
      differ++;
      console.error(`✗ ${form.name}, case ${n}: ${words}: ${off} times what is allowed`);
    } else worst = Math.max(worst, off);
  }
  const words = `${name}: ${count} cases, seed ${SEED}, ${differ} differ, largest difference ${worst.toFixed(3)}`;
  console.log(`${differ > 0 ? "✗" : "✓"} ${words} of what is allowed`);
  return differ;
}

const differ = (await compare("onnxruntime-web", onnxRuntime(ort))) + (await compare("tfjs on wasm", [tensorFlow(tf)]));
process.exit(differ > 0 ? 1 : 0);
