// The page of the measurements. Libraries lie beside it, see engines/chromium.mjs.

import { loadAndCompile, loadLiteRt, Tensor } from "@litertjs/core";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import * as tf from "@tensorflow/tfjs-core";
import { liteRt } from "../contestants/litert.mjs";
import { peakNames } from "../peaks/index.mjs";
import { work } from "../work.mjs";

/** Kept from the bundler: these are files of the site. */
const load = (address) => import(/* @vite-ignore */ address);

async function libraries() {
  const ort = await load("/ort/ort.wasm.min.mjs");
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = "/ort/";
  ort.env.logLevel = "error";
  setWasmPaths("/tfjs/");
  await tf.setBackend("wasm");
  await tf.ready();
  const more = [];
  const notes = [];
  try {
    await loadLiteRt("/litert/");
    more.push(liteRt({ loadAndCompile, Tensor }));
  } catch (error) {
    notes.push(`LiteRT: did not load, left out (${error})`);
  }
  return { ort, tf, more, notes };
}

const bytesOf = async (name) => new Uint8Array(await (await fetch(`/${name}.wasm`)).arrayBuffer());

window.bench = async (name, plan) => {
  const { loadLoom } = await load("/loom/index.js");
  const peaks = Object.fromEntries(await Promise.all(peakNames.map(async (each) => [each, await bytesOf(each)])));
  return work({ name, loadLoom, peaks, ...(await libraries()) }, plan, window.say);
};
