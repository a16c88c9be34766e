// Random computations that use every option, small enough to ask every cell.

import type { Align, AttendInput, AttendQkv, AttendX, FlatArray } from "../../../web/core/types.ts";
import type { Random } from "./random.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Options = Mutable<Partial<AttendX & AttendQkv>>;

/** What a check needs to know of a random computation. */
export interface Sizes {
  readonly batch: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly nQ: number;
  readonly nNew: number;
  readonly nPast: number;
  readonly dK: number;
  readonly dV: number;
  readonly dModel: number;
  readonly dOut: number;
}

export interface Everything {
  readonly input: AttendInput;
  readonly sizes: Sizes;
  /** Lengths, form and options in words, for a failure. */
  readonly words: string;
}

/** Any computation of at most `most` tokens; each option is there with the given probability. */
export function everything(r: Random, most = 4, often = 0.5): Everything {
  const batch = r.chance(0.5) ? r.whole(1, 3) : 0;
  const kvHeads = r.pick([1, 1, 2]);
  const heads = kvHeads * r.pick([1, 2]);
  const nQ = r.whole(1, most);
  const form = r.pick(["qkv", "x", "xKv"] as const);
  const nNew = form === "x" || r.chance(0.5) ? nQ : r.whole(1, most);
  const nPast = r.chance(often) ? r.whole(1, most) : 0;
  const [dK, dV] = [r.whole(1, 4), r.whole(1, 4)];
  const dModel = r.whole(1, 5);
  const residual = form !== "qkv" && r.chance(often);
  const norm = form !== "qkv" && r.chance(often);
  const whole = residual || norm;
  const projected = whole || r.chance(often);
  const dOut = whole ? dModel : projected ? r.whole(1, 4) : heads * dV;
  const flat = (...shape: number[]): FlatArray => ({
    data: r.numbers(shape.reduce((all, size) => all * size, 1)),
    shape,
  });
  const batched = (...shape: number[]) => flat(...(batch > 0 ? [batch, ...shape] : shape));
  const vector = (length: number) => r.numbers(length);
  const options: Options = {};
  const maybe = <K extends keyof Options>(name: K, value: () => NonNullable<Options[K]>) => {
    if (r.chance(often)) options[name] = value();
  };

  options.heads = heads;
  options.kvHeads = kvHeads;
  const headsFirst = form === "qkv" && batch > 0 && r.chance(0.5);
  if (form === "qkv") {
    options.q = headsFirst ? flat(batch, heads, nQ, dK) : batched(nQ, heads * dK);
    options.k = headsFirst ? flat(batch, kvHeads, nNew, dK) : batched(nNew, kvHeads * dK);
    options.v = headsFirst ? flat(batch, kvHeads, nNew, dV) : batched(nNew, kvHeads * dV);
  } else {
    const dKv = form === "x" ? dModel : r.whole(1, 5);
    options.x = batched(nQ, dModel);
    options.wQ = flat(dModel, heads * dK);
    options.wK = flat(dKv, kvHeads * dK);
    options.wV = flat(dKv, kvHeads * dV);
    if (form === "xKv") {
      options.xKv = batched(nNew, dKv);
      maybe("positionsKv", () => (r.chance(0.5) ? "sinusoid" : flat(nNew, dKv)));
    }
    maybe("bQ", () => vector(heads * dK));
    maybe("bK", () => vector(kvHeads * dK));
    maybe("bV", () => vector(kvHeads * dV));
    maybe("positions", () => (r.chance(0.5) ? "sinusoid" : flat(nQ, dModel)));
    if (residual) options.residual = true;
    const twice = r.chance(often);
    if (norm) {
      const layer = r.chance(0.5);
      options.norm = {
        kind: layer ? "layer" : "rms",
        first: r.chance(0.5),
        ...(r.chance(0.5) && { epsilon: 0.125 }),
        ...(r.chance(0.5) && { gamma: vector(dModel) }),
        ...(layer && r.chance(0.5) && { beta: vector(dModel) }),
        ...(twice && r.chance(0.5) && { gamma2: vector(dModel) }),
        ...(twice && layer && r.chance(0.5) && { beta2: vector(dModel) }),
      };
    }
    if (twice) {
      const dFf = r.whole(1, 4);
      options.ffn = {
        w1: flat(dOut, dFf),
        w2: flat(dFf, dOut),
        ...(r.chance(0.5) && { b1: vector(dFf) }),
        ...(r.chance(0.5) && { b2: vector(dOut) }),
        activation: r.pick(["gelu", "geluTanh", "relu"] as const),
      };
    }
  }
  if (nPast > 0) {
    const first = batch > 0 && (headsFirst || r.chance(0.5));
    const past = (d: number) => (first ? flat(batch, kvHeads, nPast, d) : batched(nPast, kvHeads * d));
    options.past = { k: past(dK), v: past(dV) };
  }
  if (projected) {
    options.wO = flat(heads * dV, dOut);
    maybe("bO", () => vector(dOut));
  }
  if (r.chance(often)) {
    options.biasK = vector(kvHeads * dK);
    options.biasV = vector(kvHeads * dV);
  }
  maybe("addZeroAttn", () => true);
  maybe("gates", () => vector(heads));
  maybe("softCap", () => r.pick([0.5, 2]));
  maybe("scale", () => 0.75);
  maybe("temperature", () => r.pick([0.5, 2]));

  const maskable = nPast + nNew;
  const rank = () => r.pick([2, 3, 4]);
  const maskShape = () => {
    const full = [Math.max(batch, 1), heads, nQ, maskable];
    return full.slice(4 - rank()).map((size) => (r.chance(0.3) ? 1 : size));
  };
  maybe("allow", () => {
    const shape = maskShape();
    const data = Array.from({ length: shape.reduce((all, size) => all * size, 1) }, () => r.chance(0.7));
    return { data, shape };
  });
  maybe("add", () => {
    const shape = maskShape();
    const data = [...r.numbers(shape.reduce((all, size) => all * size, 1))].map((x) => (r.chance(0.2) ? -Infinity : x));
    return { data, shape };
  });
  maybe("keyCounts", () => {
    if (batch === 0 || r.chance(0.3)) return r.whole(0, maskable);
    return Array.from({ length: batch }, () => r.whole(0, maskable));
  });
  const align = (): Align => r.pick<Align>(["start", "end", { offset: r.whole(-2, 4) }]);
  maybe("causal", () => (nQ === nNew && r.chance(0.3) ? true : align()));
  maybe("window", () => ({ before: r.whole(0, 2), after: r.whole(0, 2) }));
  maybe("blocks", () => r.whole(1, 3));
  maybe("global", () => [r.whole(0, maskable - 1)]);
  maybe("random", () => ({ count: r.whole(1, 2), seed: r.whole(0, 1e6) }));
  maybe("alibi", () => (r.chance(0.5) ? true : vector(heads)));
  const placed = ["window", "blocks", "global", "random", "alibi"].some((name) => name in options);
  if (placed && options.causal === undefined && (nQ !== nNew || r.chance(0.5))) options.align = align();
  maybe("rotary", () => ({
    pairing: r.pick(["neighbour", "half"] as const),
    ...(r.chance(0.3) && { width: 2 * r.whole(0, Math.floor(dK / 2)) }),
    ...(r.chance(0.3) && { base: 100 }),
    ...(r.chance(0.3) && { offset: r.whole(0, 3) }),
  }));
  return {
    input: options as AttendInput,
    sizes: { batch, heads, kvHeads, nQ, nNew, nPast, dK, dV, dModel, dOut },
    words: `${form} B=${batch} h=${heads}/${kvHeads} n=${nQ}/${nPast}+${nNew} d=${dK}/${dV}: ${Object.keys(options).join(" ")} (seed ${r.seed})`,
  };
}

/** The same with one of the steps of the softmax taken out, or none. */
function withoutAStep(e: Everything, r: Random): Everything {
  const { temperature, ...rest } = e.input;
  const step = r.pick(["", "", "columns", "none", "shift", "columns and shift"]);
  const options: Options = {};
  if (step !== "") options.softmax = step === "none" ? "none" : step === "shift" ? "rows" : "columns";
  if (step.includes("shift")) options.shift = false;
  const input = step === "none" ? rest : e.input;
  return { ...e, input: { ...input, ...options } as AttendInput, words: `${step} ${e.words}` };
}

/** Runs `check` on `count` random computations; a failure names the computation and its seed. */
export function forEverything(
  count: number,
  seed: number,
  check: (e: Everything, r: Random) => void,
  make: (seed: number) => Random,
  most = 4,
): void {
  for (let i = 0; i < count; i++) {
    const r = make(seed + i);
    const e = withoutAStep(everything(r, most), r);
    try {
      check(e, r);
    } catch (error) {
      throw new Error(`${e.words}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
