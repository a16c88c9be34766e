// What takes part. Each gets Float32Arrays and gives a Float32Array; what can be made beforehand is.

import { own, takesInto } from "./loom.mjs";
import { naive } from "./naive.mjs";
import { onnxRuntime } from "./onnx.mjs";
import { tensorFlow } from "./tfjs.mjs";
import { tiled } from "./tiled.mjs";

/**
 * One way to compute a task. `kind`: the project's own core, a peer in wasm, or plain JavaScript.
 * @typedef {object} Contestant
 * @property {string} name
 * @property {"own" | "peer" | "plain"} kind
 * @property {"simd128" | "relaxed"} [build] of the own core
 * @property {boolean} [into] writes into an array that is passed
 * @property {"rows" | "blocks"} layout of what it takes and gives, see numbers.mjs
 * @property {(task: import("../numbers.mjs").Task) => Ready | Promise<Ready>} prepare
 * @typedef {{ run: () => Float32Array | Promise<Float32Array>, release?: () => unknown }} Ready
 */

/**
 * What an engine brings: its own ways to load the core and the libraries.
 * @typedef {object} Engine
 * @property {(options?: { simd: "relaxed" }) => Promise<any>} loadLoom
 * @property {any} [ort]
 * @property {any} [tf]
 * @property {Contestant[]} [more] that only this engine has
 * @property {string[]} [notes] what it could not bring
 */

/** @param {Engine} engine @returns {Promise<{ cores: object, contestants: Contestant[], notes: string[] }>} */
export async function allContestants({ loadLoom, ort, tf, more = [] }) {
  const notes = [];
  const cores = { simd128: await loadLoom() };
  try {
    cores.relaxed = await loadLoom({ simd: "relaxed" });
    // A core may fall back to SIMD128 where the engine has no relaxed SIMD: that would be the same build twice.
    if (cores.relaxed.buildInfo().compileFlags === cores.simd128.buildInfo().compileFlags) {
      delete cores.relaxed;
      notes.push("relaxed build: not used by this engine, left out");
    }
  } catch (error) {
    notes.push(`relaxed build: not offered, left out (${error.message})`);
  }
  const ours = Object.entries(cores).flatMap(([build, loom]) => own(loom, build, takesInto(loom)));
  if (!ours.some(({ into }) => into)) notes.push("attend({ into }): not offered, left out");
  const peers = [...(ort ? onnxRuntime(ort) : []), ...(tf ? [tensorFlow(tf)] : []), ...more];
  return { cores, contestants: [...ours, ...peers, naive, tiled], notes };
}
