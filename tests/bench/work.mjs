// What every engine does: check each contestant, then time it. Knows neither Node nor browsers.

import { allContestants } from "./contestants/index.mjs";
import { measure } from "./measure.mjs";
import { largestError, makeTask, toBlocks, truth } from "./numbers.mjs";
import { loadPeaks } from "./peaks/index.mjs";
import { key } from "./shapes.mjs";

/** Above this a result is wrong, and its time worth nothing. As a multiple of 1 + |x|. */
const WRONG = 1e-5;

/**
 * One shape.
 * @typedef {{ shape: string, causal: boolean, times: Record<string, number[]>, errors: Record<string, number>,
 *   failures: Record<string, string>, peaks: Record<string, number[]> }} Measured `peaks` in GFLOP/s
 */

/** Checks and times all contestants on one shape. @returns {Promise<Measured>} */
async function one(size, contestants, peaks, options) {
  const task = makeTask(size);
  const want = truth(task);
  const [errors, failures, ready] = [{}, {}, []];
  for (const { name, kind, layout, prepare } of contestants) {
    try {
      const { run, release } = await prepare(task);
      const start = performance.now();
      const got = await run();
      const known = performance.now() - start;
      const error = largestError(layout === "rows" ? toBlocks(got, task) : got, want);
      errors[name] = error;
      if (error > WRONG) throw new Error(`wrong: off by ${error.toExponential(1)}·(1 + |x|)`);
      ready.push({ name, run, release, known, stays: kind === "own" });
    } catch (error) {
      failures[name] = String(error?.message ?? error).split("\n")[0];
    }
  }
  const limits = peaks.map((peak) => ({ ...peak, stays: true, limit: true }));
  const all = await measure([...ready, ...limits], options);
  for (const { release } of ready) await release?.();
  const rates = Object.fromEntries(peaks.map(({ name, flops }) => [name, all[name].map((ms) => flops / ms / 1e6)]));
  const times = Object.fromEntries(ready.map(({ name }) => [name, all[name]]));
  return { shape: key(size), causal: size.causal === true, times, errors, failures, peaks: rates };
}

/**
 * Two sizes in the same rounds, for their ratio; own contestants only.
 * @returns {Promise<{ sizes: object[], times: Record<string, number[][]>, errors: Record<string, number[]> }>} by name,
 *   then one entry for each size
 */
async function pair(sizes, contestants, options) {
  const [ready, errors] = [[], {}];
  for (const size of sizes) {
    const task = makeTask(size);
    const want = truth(task);
    for (const { name, prepare } of contestants) {
      const { run } = await prepare(task);
      const list = errors[name] ?? [];
      errors[name] = list;
      list.push(largestError(toBlocks(await run(), task), want));
      ready.push({ name: `${name} ${list.length}`, run, stays: true });
    }
  }
  const all = await measure(ready, options);
  const times = Object.fromEntries(contestants.map(({ name }) => [name, [all[`${name} 1`], all[`${name} 2`]]]));
  return { sizes, times, errors };
}

/** Wasm memory of a core that computed one shape and nothing else. */
async function memoryAfter(size, loadLoom) {
  const loom = await loadLoom();
  const { rows } = makeTask(size);
  const shape = [size.tokens, size.heads * size.d];
  const matrix = (data) => ({ data, shape });
  loom.attend({ q: matrix(rows.q), k: matrix(rows.k), v: matrix(rows.v), heads: size.heads });
  const { wasmBytes } = loom.memory();
  loom.dispose();
  return { shape: key(size), wasmBytes, inputsAndOutput: 4 * rows.q.byteLength };
}

/**
 * @param {import("./contestants/index.mjs").Engine & { name: string, peaks: Record<string, Uint8Array> }} engine
 * @param {{ shapes: object[], oddPairs: object[][], growth: Record<string, object[]>, rounds: number, slowRounds: number,
 *   roundMs: number }} plan
 * @param {(line: string) => void} say
 */
export async function work(engine, plan, say) {
  const { contestants, cores, notes } = await allContestants(engine);
  notes.push(...(engine.notes ?? []));
  for (const note of notes) say(note);
  const peaks = await loadPeaks(engine.peaks);
  const ours = contestants.filter(({ kind, into }) => kind === "own" && !into);
  const info = cores.simd128.buildInfo();
  const list = contestants.map(({ name, kind, build, into }) => ({ name, kind, build, into: into === true }));
  const result = { engine: engine.name, core: `${info.target}, ${info.compiler}`, notes, contestants: list };

  result.shapes = [];
  for (const size of plan.shapes) {
    for (const causal of [false, true]) {
      say(`(${key(size)})${causal ? " causal" : ""}`);
      result.shapes.push(await one({ ...size, causal }, contestants, peaks, plan));
    }
  }
  result.odd = [];
  for (const sizes of plan.oddPairs) {
    say(`(${key(sizes[0])}) against (${key(sizes[1])})`);
    result.odd.push(await pair(sizes, ours, plan));
  }
  result.causal = [];
  for (const size of plan.shapes.filter(({ tokens }) => tokens >= 512)) {
    say(`(${key(size)}) causal against not`);
    result.causal.push(await pair([{ ...size, causal: true }, size], ours, plan));
  }
  // Growth: few rounds, and without those that would take minutes.
  const growers = contestants.filter(({ name, into }) => !into && !name.includes("naive"));
  result.growth = {};
  for (const [axis, sizes] of Object.entries(plan.growth)) {
    say(`growth with ${axis}`);
    result.growth[axis] = [];
    for (const size of sizes) {
      const { shape, times } = await one(size, growers, [], { rounds: 5, slowRounds: 1, roundMs: 10 });
      result.growth[axis].push({ shape, times });
    }
  }
  say("memory");
  result.memory = [];
  for (const size of [
    { heads: 12, tokens: 1024, d: 64 },
    { heads: 1, tokens: 4096, d: 64 },
  ])
    result.memory.push(await memoryAfter(size, engine.loadLoom));
  return result;
}
