// The goals, and what was measured of each. Ratios are of medians of one interleaved run; those of minima beside them.

import { median } from "../measure.mjs";
import { flops } from "../numbers.mjs";

const LARGE = ["12,128,64", "12,512,64", "12,1024,64", "1,2048,64"];
const LONGEST = "1,4096,64";
const MIB = 1024 * 1024;

const sizeOf = (shape) => {
  const [heads, tokens, d] = shape.split(",").map(Number);
  return { heads, tokens, d };
};
const least = (list) => Math.min(...list);
const two = (value) => value.toPrecision(2);

/** The same number by medians and by minima. */
const both = (make) => ({ value: make(median), minima: make(least) });

/**
 * One line of the table.
 * @typedef {{ goal: number, what: string, unit?: string, atLeast?: boolean, must: number, aim: number, value: number,
 *   minima?: number, detail: string }} Line
 */

/** Of several lines the worst one, with all of them named. */
function worst(lines) {
  if (lines.length === 0) return [];
  const excess = ({ must, value, atLeast }) => (atLeast ? must / value : value / must);
  const last = lines.reduce((a, b) => (excess(b) > excess(a) ? b : a));
  return [{ ...last, detail: lines.map(({ detail, value }) => `${detail}: ${two(value)}`).join("; ") }];
}

/** @returns {Line[]} for one engine's result */
export function goals(result) {
  const inChromium = !result.engine.startsWith("node");
  const builds = [...new Set(result.contestants.filter(({ kind }) => kind === "own").map(({ build }) => build))];
  const named = (test) => result.contestants.filter(test).map(({ name }) => name);
  const own = (build, into = false) => named((each) => each.build === build && each.into === into)[0];
  const of = (shape, causal) => result.shapes.find((each) => each.shape === shape && each.causal === causal);
  const measured = (shapes, causal) => shapes.map((shape) => of(shape, causal)).filter(Boolean);
  const has = ({ times }, name) => times[name] !== undefined;
  const fastest = ({ times }, names, pick) =>
    least(names.filter((name) => times[name]).map((name) => pick(times[name])));

  const others = named(({ kind }) => kind !== "own");
  const plain = named(({ kind }) => kind === "plain");
  const againstPeers = (at, build) => both((pick) => pick(at.times[own(build)]) / fastest(at, others, pick));
  const shareOf = (at, build, peak) =>
    both((pick) => {
      const rate = flops(sizeOf(at.shape)) / pick(at.times[own(build)]) / 1e6;
      return rate / (pick === least ? Math.max(...at.peaks[peak]) : median(at.peaks[peak]));
    });

  /** @type {Line[]} */
  const lines = [];
  const peers = (goal, what, build, shapes, causal, must, aim) =>
    lines.push(
      ...worst(
        measured(shapes, causal)
          .filter((at) => has(at, own(build)))
          .map((at) => ({ goal, what, must, aim, ...againstPeers(at, build), detail: at.shape })),
      ),
    );
  const share = (goal, what, build, peak, must, aim) =>
    lines.push(
      ...worst(
        measured([...LARGE.slice(1), LONGEST], false)
          .filter((at) => has(at, own(build)) && at.peaks[peak])
          .map((at) => ({ goal, what, atLeast: true, must, aim, ...shareOf(at, build, peak), detail: at.shape })),
      ),
    );
  const pairs = (goal, what, list, must, aim) => {
    for (const build of builds) {
      const ratio = ({ sizes: [a, b], times }) =>
        both((pick) => {
          const [x, y] = times[own(build)].map(pick);
          return goal === 15 ? x / flops(a) / (y / flops(b)) : x / y;
        });
      const found = list.map((each) => {
        const { heads, tokens, d } = each.sizes[0];
        return { goal, what: `${what}, ${build}`, must, aim, ...ratio(each), detail: `${heads},${tokens},${d}` };
      });
      lines.push(...worst(found));
    }
  };

  const relaxed = builds.includes("relaxed");
  if (relaxed) {
    peers(1, "time / best peer, relaxed, n = 128 to 2048", "relaxed", LARGE, false, 0.62, 0.5);
    peers(2, "time / best peer, relaxed, n = 4096", "relaxed", [LONGEST], false, 0.65, 0.52);
  }
  const bounds = inChromium ? [0.75, 0.62] : [0.8, 0.68];
  peers(3, "time / best peer, SIMD128, n = 128 to 4096", "simd128", [...LARGE, LONGEST], false, ...bounds);
  if (relaxed) share(4, "rate / fused peak, relaxed, n ≥ 512", "relaxed", "fused", 0.64, 0.75);
  share(
    5,
    "rate / GEMM kernel's, SIMD128, n ≥ 512",
    "simd128",
    "gemm-simd128",
    ...(inChromium ? [0.7, 0.82] : [0.65, 0.75]),
  );
  const at512 = result.causal.filter(({ sizes }) => sizes[0].tokens === 512);
  const beyond = result.causal.filter(({ sizes }) => sizes[0].tokens > 512);
  pairs(6, "causal / own not causal, n = 512", at512, 0.6, 0.54);
  pairs(6, "causal / own not causal, n > 512", beyond, 0.56, 0.5);
  const causalShapes = [...LARGE.slice(1), LONGEST];
  if (relaxed) peers(7, "causal / best peer, relaxed, n ≥ 512", "relaxed", causalShapes, true, 0.33, 0.25);
  peers(7, "causal / best peer, SIMD128, n ≥ 512", "simd128", causalShapes, true, 0.4, 0.32);
  for (const into of [false, true]) {
    const name = own("simd128", into);
    const [must, aim] = into ? [0.4, 0.2] : [0.6, 0.38];
    const what = `(1, 8, 16) / best plain JS, ${into ? "target passed" : "fresh result"}`;
    for (const at of measured(["1,8,16"], false).filter((each) => has(each, name))) {
      const numbers = both((pick) => pick(at.times[name]) / fastest(at, plain, pick));
      const naive = median(at.times[name]) / median(at.times["plain JS, naive"]);
      lines.push({ goal: 8, what, must, aim, ...numbers, detail: `against the naive loops ${two(naive)}` });
    }
  }
  for (const at of measured(["1,4,3"], false).filter((each) => has(each, own("simd128")))) {
    const numbers = both((pick) => pick(at.times[own("simd128")]) / pick(at.times["plain JS, naive"]));
    lines.push({ goal: 9, what: "(1, 4, 3) / naive JS", must: 1.6, aim: 1, ...numbers, detail: "" });
  }
  const [many, long] = result.memory;
  const mib = (bytes) => `${(bytes / MIB).toFixed(2)} MiB`;
  lines.push(
    {
      goal: 10,
      what: "wasm memory after (12, 1024, 64) / inputs and output",
      must: 1.15,
      aim: 1.04,
      value: many.wasmBytes / many.inputsAndOutput,
      detail: mib(many.wasmBytes),
    },
    {
      goal: 11,
      what: "wasm memory after (1, 4096, 64)",
      unit: "MiB",
      must: 6,
      aim: 5.3,
      value: long.wasmBytes / MIB,
      detail: "",
    },
  );
  if (result.download) {
    const { files, bytes } = result.download;
    const detail = Object.entries(files).map(([path, size]) => `${path.split("/").pop()} ${(size / 1000).toFixed(1)}`);
    const what = "JS and wasm of the core alone, gzip";
    lines.push({ goal: 12, what, unit: "kB", must: 30, aim: 20, value: bytes / 1000, detail: detail.join(", ") });
  }
  if (result.cold) {
    const ratio = (page) => both((pick) => pick(result.cold["cold-loom"]) / pick(result.cold[page]));
    const ms = Object.entries(result.cold).map(([page, times]) => `${page.slice(5)} ${median(times).toFixed(0)} ms`);
    const detail = `${ms.join(", ")}; against the page with tiled loops ${two(ratio("cold-tiled").value)}`;
    lines.push({ goal: 13, what: "cold start / naive JS's page", must: 1, aim: 0.65, ...ratio("cold-naive"), detail });
  }
  const errorsOf = (names) => [
    ...result.shapes.flatMap(({ errors }) => names.map((name) => errors[name] ?? 0)),
    ...[...result.odd, ...result.causal].flatMap(({ errors }) => names.flatMap((name) => errors[name] ?? [])),
  ];
  const peersOff = Math.max(...errorsOf(named(({ kind }) => kind === "peer")), 0);
  for (const build of builds) {
    const value = Math.max(...errorsOf(named((each) => each.build === build)));
    const detail = `peers up to ${peersOff.toExponential(1)}`;
    lines.push({ goal: 14, what: `error / (1 + |x|), ${build}`, must: 1e-6, aim: 5e-7, value, detail });
  }
  pairs(15, "odd sizes: time per FLOP / nearest multiples of 8", result.odd, 1.15, 1.06);
  return lines.sort((a, b) => a.goal - b.goal);
}

/** "held", or by how much not. */
export function verdict({ must, aim, value, atLeast }) {
  const beyond = (bound) => (atLeast ? 1 - value / bound : value / bound - 1);
  const percent = (bound) => `${(100 * beyond(bound)).toFixed(beyond(bound) < 0.1 ? 1 : 0)} %`;
  if (!(beyond(must) <= 0)) return `**must missed by ${percent(must)}**`;
  return beyond(aim) <= 0 ? "goal held" : `must held, goal missed by ${percent(aim)}`;
}
