// The measurements in Node, as a process of its own:
//   node --experimental-wasm-relaxed-simd tests/bench/engines/node.mjs PLAN.json RESULT.json

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compilePeaks } from "../peaks/compile.mjs";
import { work } from "../work.mjs";

const [planFile, resultFile] = process.argv.slice(2);
const require = createRequire(import.meta.url);

async function libraries() {
  const ort = await import("onnxruntime-web");
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  // The CommonJS builds are the ones for Node: the modules look for a browser.
  const tf = require("@tensorflow/tfjs-core");
  require("@tensorflow/tfjs-backend-wasm");
  await tf.setBackend("wasm");
  await tf.ready();
  return { ort, tf };
}

const { loadLoom } = await import(new URL("../../../dist/node.js", import.meta.url).href);
const engine = { name: `node ${process.versions.node}`, loadLoom, peaks: await compilePeaks(), ...(await libraries()) };
const result = await work(engine, JSON.parse(readFileSync(planFile, "utf8")), (line) => console.log(`  node: ${line}`));
writeFileSync(resultFile, JSON.stringify(result));
