// Time of one `attend` on small sizes against plain JavaScript loops, end to end: Float32Arrays in, a fresh Float32Array
// out. Rounds are interleaved, so that a busy machine slows both alike; only the ratios of one run count.
// Prints a Markdown table:  node tests/bench/small.mjs

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { emitCore } from "../node/support/emit-core.mjs";
import { mulberry32 } from "./random.mjs";

/** [heads, tokens, width of one head] */
const SIZES = [
  [1, 4, 3],
  [1, 8, 16],
  [4, 64, 32],
  [12, 128, 64],
];
const ROUNDS = 41;
const ROUND_MS = 12;

/**
 * Attention as one writes it in a hurry: arrays of rows made on the way.
 * @param {Float32Array} q [n, heads·d], likewise k and v
 */
function naive(q, k, v, heads, n, d) {
  const width = heads * d;
  const output = new Float32Array(n * width);
  for (let g = 0; g < heads; g++) {
    for (let i = 0; i < n; i++) {
      const row = [];
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let t = 0; t < d; t++) sum += q[i * width + g * d + t] * k[j * width + g * d + t];
        row.push(sum / Math.sqrt(d));
      }
      const most = Math.max(...row);
      const powers = row.map((value) => Math.exp(value - most));
      const total = powers.reduce((sum, value) => sum + value, 0);
      for (let c = 0; c < d; c++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += (powers[j] / total) * v[j * width + g * d + c];
        output[i * width + g * d + c] = sum;
      }
    }
  }
  return output;
}

const scratch = { row: new Float64Array(0), sums: new Float64Array(0) };

/** The same written well: scratch kept, V read row by row, one division per row. */
function careful(q, k, v, heads, n, d) {
  if (scratch.row.length < n) scratch.row = new Float64Array(n);
  if (scratch.sums.length < d) scratch.sums = new Float64Array(d);
  const { row, sums } = scratch;
  const width = heads * d;
  const scale = 1 / Math.sqrt(d);
  const output = new Float32Array(n * width);
  for (let g = 0; g < heads; g++) {
    const left = g * d;
    for (let i = 0; i < n; i++) {
      const query = i * width + left;
      let most = -Infinity;
      for (let j = 0; j < n; j++) {
        const key = j * width + left;
        let sum = 0;
        for (let t = 0; t < d; t++) sum += q[query + t] * k[key + t];
        sum *= scale;
        row[j] = sum;
        if (sum > most) most = sum;
      }
      let total = 0;
      for (let c = 0; c < d; c++) sums[c] = 0;
      for (let j = 0; j < n; j++) {
        const power = Math.exp(row[j] - most);
        total += power;
        const value = j * width + left;
        for (let c = 0; c < d; c++) sums[c] += power * v[value + c];
      }
      const part = 1 / total;
      for (let c = 0; c < d; c++) output[query + c] = sums[c] * part;
    }
  }
  return output;
}

/** In double precision, to check the others before they are timed. */
function exact(q, k, v, heads, n, d) {
  const width = heads * d;
  const output = new Float64Array(n * width);
  for (let g = 0; g < heads; g++) {
    for (let i = 0; i < n; i++) {
      const scores = Array.from({ length: n }, (_, j) => {
        let sum = 0;
        for (let t = 0; t < d; t++) sum += q[i * width + g * d + t] * k[j * width + g * d + t];
        return sum / Math.sqrt(d);
      });
      const most = scores.reduce((a, b) => Math.max(a, b));
      const total = scores.reduce((sum, value) => sum + Math.exp(value - most), 0);
      for (let c = 0; c < d; c++) {
        for (let j = 0; j < n; j++) {
          output[i * width + g * d + c] += (Math.exp(scores[j] - most) / total) * v[j * width + g * d + c];
        }
      }
    }
  }
  return output;
}

/** Largest error as a multiple of 1 + |x|. NaN counts as infinite. */
function error(got, want) {
  if (got.length !== want.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 0; i < want.length; i++) {
    const off = Math.abs(got[i] - want[i]) / (1 + Math.abs(want[i]));
    if (!(off <= most)) most = Number.isNaN(off) ? Number.POSITIVE_INFINITY : off;
  }
  return most;
}

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const time = (microseconds) =>
  microseconds < 1000 ? `${microseconds.toPrecision(3)} µs` : `${(microseconds / 1000).toPrecision(3)} ms`;

const folder = mkdtempSync(join(tmpdir(), "loom-bench-"));
try {
  const { loadLoom } = await import(pathToFileURL(emitCore(folder)).href);
  const loom = await loadLoom();
  const next = mulberry32(1);
  const numbers = (count) => {
    const one = () => {
      let sum = -6;
      for (let i = 0; i < 12; i++) sum += next() / 4294967296;
      return sum;
    };
    return Float32Array.from({ length: count }, one);
  };

  console.log(`${loom.buildInfo().compiler}, ${loom.buildInfo().target}; node ${process.version}; median of ${ROUNDS}`);
  console.log();
  console.log(
    "| heads, T, d | attend | with trace | careful JS | naive JS | attend / careful | attend / naive | error |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const [heads, n, d] of SIZES) {
    const shape = [n, heads * d];
    const [q, k, v] = [numbers(n * heads * d), numbers(n * heads * d), numbers(n * heads * d)];
    const input = { q: { data: q, shape }, k: { data: k, shape }, v: { data: v, shape }, heads };
    const traced = { ...input, trace: true };
    const ways = {
      attend: () => loom.attend(input).output.data,
      trace: () => loom.attend(traced).output.data,
      careful: () => careful(q, k, v, heads, n, d),
      naive: () => naive(q, k, v, heads, n, d),
    };
    const want = exact(q, k, v, heads, n, d);
    for (const [name, way] of Object.entries(ways)) {
      const off = error(way(), want);
      if (!(off <= 2e-6)) throw new Error(`${name} at (${heads}, ${n}, ${d}) is off by ${off}·(1 + |x|)`);
    }
    // As many calls per round as fill it; at first also to let the compiler see the code.
    const calls = {};
    for (const [name, way] of Object.entries(ways)) {
      for (let i = 0; i < 20; i++) way();
      let count = 0;
      const until = performance.now() + 4 * ROUND_MS;
      while (performance.now() < until) {
        way();
        count++;
      }
      calls[name] = Math.max(1, Math.round(count / 4));
    }
    const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, way] of Object.entries(ways)) {
        const start = performance.now();
        for (let i = 0; i < calls[name]; i++) way();
        times[name].push(((performance.now() - start) * 1000) / calls[name]);
      }
    }
    const ratio = (a, b) => median(times[a].map((value, round) => value / times[b][round])).toFixed(2);
    const ratios = [ratio("attend", "careful"), ratio("attend", "naive")];
    const cells = ["attend", "trace", "careful", "naive"].map((name) => time(median(times[name])));
    const off = error(ways.attend(), want).toExponential(1);
    console.log(`| ${heads}, ${n}, ${d} | ${cells.join(" | ")} | ${ratios.join(" | ")} | ${off} |`);
  }
  loom.dispose();
} finally {
  rmSync(folder, { recursive: true });
}
