// Random computations, each made from a short description (a Spec), so that a failing one can be shrunk and printed.

import type { AttendInput, AttendOptions } from "../../../web/core/types.ts";
import { product, splitHeads } from "./plain.ts";
import { type Random, random } from "./random.ts";

/** Token counts: none, one, around a vector of 4 floats, and around two and four of a block of 8 and 16. */
export const LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 0] as const;
/** Widths of a head's queries, keys and values. */
export const WIDTHS = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17] as const;
export const HEADS = [1, 2, 3, 4, 7] as const;
/** What decides who may look at whom. */
export const MASKS = ["none", "allow", "allowPerHead", "add", "addPerHead", "allowAndAdd"] as const;
export const CAUSALS = ["none", "start", "end", "offset"] as const;
export const FORMS = ["qkv", "x", "xKv"] as const;
/** How many query heads share a head of keys and values: none, two where their number is even, all. */
export const SHARING = ["none", "pairs", "all"] as const;
/** Patterns: nothing, keys near the query, blocks of keys, keys near it and a token that sees and is seen everywhere. */
export const WINDOWS = ["none", "near", "blocks", "global"] as const;

/** One random computation in a few words. The numbers in it follow from `seed`. */
export interface Spec {
  readonly nQ: number;
  readonly nK: number;
  readonly dK: number;
  readonly dV: number;
  readonly heads: number;
  readonly sharing: (typeof SHARING)[number];
  readonly form: (typeof FORMS)[number];
  readonly mask: (typeof MASKS)[number];
  readonly causal: (typeof CAUSALS)[number];
  readonly window: (typeof WINDOWS)[number];
  /** 0: none. */
  readonly softCap: number;
  readonly temperature: number;
  readonly scale: number | "default";
  /** Standard deviation of queries, keys and values (or of the tokens). */
  readonly sd: number;
  readonly seed: number;
}

/** A computation ready to run, with what a check needs to know about it. */
export interface Case extends Spec {
  readonly input: AttendInput;
  readonly kvHeads: number;
  /** Per head of the queries, as float32 arithmetic has them: [h, n, d]. Heads that share keys repeat them. */
  readonly queries: Float32Array;
  readonly keys: Float32Array;
  readonly values: Float32Array;
  readonly visible: (g: number, i: number, j: number) => boolean;
  readonly added: ((g: number, i: number, j: number) => number) | undefined;
  /** True where the mask stage is part of the computation. */
  readonly hasMask: boolean;
}

/** A description drawn at random. `fixed` overrides what the caller wants fixed. */
export function randomSpec(r: Random, fixed: Partial<Spec> = {}): Spec {
  const drawn: Spec = {
    nQ: r.pick(LENGTHS),
    nK: r.pick(LENGTHS),
    dK: r.pick(WIDTHS),
    dV: r.pick(WIDTHS),
    heads: r.pick(HEADS),
    sharing: r.pick(SHARING),
    form: r.pick(FORMS),
    mask: r.pick(MASKS),
    causal: r.pick(CAUSALS),
    window: r.pick(["none", "none", ...WINDOWS]),
    softCap: r.pick([0, 0, 2, 30]),
    temperature: r.pick([1, 1, 0.5, 2]),
    scale: r.pick(["default", "default", 0.5, 1]),
    sd: 1,
    seed: r.whole(0, 2 ** 31),
  };
  return { ...drawn, ...fixed };
}

/** Heads of keys and values of a description. */
export function kvHeadsOf({ heads, sharing }: Pick<Spec, "heads" | "sharing">): number {
  if (sharing === "pairs" && heads % 2 === 0) return heads / 2;
  return sharing === "all" ? 1 : heads;
}

/** [h_kv, n, d] → [h, n, d]: each head of keys or values as often as query heads share it. */
export function repeatHeads(stage: Float32Array, kvHeads: number, heads: number): Float32Array {
  if (kvHeads === heads) return stage;
  const [size, group] = [stage.length / kvHeads, heads / kvHeads];
  const result = new Float32Array(size * heads);
  for (let g = 0; g < heads; g++) {
    const from = Math.floor(g / group) * size;
    result.set(stage.subarray(from, from + size), g * size);
  }
  return result;
}

/** Makes the numbers of a description. */
export function makeCase(spec: Spec): Case {
  const r = random(spec.seed);
  const { heads, nQ, dK, dV, form, sd } = spec;
  const nK = form === "x" ? nQ : spec.nK;
  const kvHeads = kvHeadsOf(spec);
  const widthQ = heads * dK;
  const widthK = kvHeads * dK;
  const widthV = kvHeads * dV;
  const matrix = (rows: number, columns: number, deviation: number) => ({
    data: r.numbers(rows * columns, deviation),
    shape: [rows, columns],
  });

  let given: AttendInput;
  let q: ArrayLike<number>;
  let k: ArrayLike<number>;
  let v: ArrayLike<number>;
  if (form === "qkv") {
    const [mq, mk, mv] = [matrix(nQ, widthQ, sd), matrix(nK, widthK, sd), matrix(nK, widthV, sd)];
    given = { q: mq, k: mk, v: mv };
    [q, k, v] = [mq.data, mk.data, mv.data];
  } else {
    const dModel = r.pick(WIDTHS);
    const dKv = form === "x" ? dModel : r.pick(WIDTHS);
    const x = matrix(nQ, dModel, sd);
    const other = form === "x" ? x : matrix(nK, dKv, sd);
    // Weights of this size keep queries, keys and values at the standard deviation of the tokens.
    const wQ = matrix(dModel, widthQ, 1 / Math.sqrt(dModel));
    const wK = matrix(dKv, widthK, 1 / Math.sqrt(dKv));
    const wV = matrix(dKv, widthV, 1 / Math.sqrt(dKv));
    given = form === "x" ? { x, wQ, wK, wV } : { x, xKv: other, wQ, wK, wV };
    q = product(x.data, wQ.data, nQ, dModel, widthQ);
    k = product(other.data, wK.data, nK, dKv, widthK);
    v = product(other.data, wV.data, nK, dKv, widthV);
  }

  const options: { -readonly [K in keyof AttendOptions]: AttendOptions[K] } = {};
  if (heads !== 1) options.heads = heads;
  if (kvHeads !== heads) options.kvHeads = kvHeads;
  if (spec.softCap > 0) options.softCap = spec.softCap;
  if (spec.scale !== "default") options.scale = spec.scale;
  if (spec.temperature !== 1) options.temperature = spec.temperature;

  const perHead = spec.mask === "allowPerHead" || spec.mask === "addPerHead";
  const maskShape = perHead ? [heads, nQ, nK] : [nQ, nK];
  const maskCell = (g: number, i: number, j: number) => ((perHead ? g * nQ : 0) + i) * nK + j;
  const cells = (perHead ? heads : 1) * nQ * nK;
  // Now and then nearly everything is blocked, so that empty rows come up at every size.
  const share = r.pick([0.5, 0.8, 0.1, 0.97]);
  let allow: Uint8Array | undefined;
  let add: Float32Array | undefined;
  if (spec.mask === "allow" || spec.mask === "allowPerHead" || spec.mask === "allowAndAdd") {
    allow = Uint8Array.from({ length: cells }, () => (r.chance(share) ? 1 : 0));
    options.allow = { data: allow, shape: maskShape };
  }
  if (spec.mask === "add" || spec.mask === "addPerHead" || spec.mask === "allowAndAdd") {
    add = Float32Array.from({ length: cells }, () => (r.chance(share) ? r.normal() : -Infinity));
    options.add = { data: add, shape: maskShape };
  }
  let offset = Number.POSITIVE_INFINITY;
  if (spec.causal === "start") offset = 0;
  if (spec.causal === "end") offset = nK - nQ;
  if (spec.causal === "offset") offset = r.whole(-2, 3);
  if (spec.causal !== "none") options.causal = spec.causal === "offset" ? { offset } : spec.causal;

  // Without `causal` to say where the queries stand, here they stand at the first keys.
  const shift = spec.causal === "none" ? 0 : offset;
  const [before, after, size] = [r.whole(0, 5), r.whole(0, 5), r.whole(1, 9)];
  const pattern = spec.window !== "none";
  const near = spec.window === "near" || spec.window === "global";
  const special = spec.window === "global" && nK > 0 ? r.whole(0, nK - 1) : -1;
  if (near) options.window = { before, after };
  if (spec.window === "blocks") options.blocks = size;
  if (special >= 0) options.global = [special];
  if (pattern && spec.causal === "none") options.align = "start";
  const inPattern = (i: number, j: number) => {
    const at = i + shift;
    if (j === at) return true;
    if (spec.window === "blocks") return Math.floor(at / size) === Math.floor(j / size);
    return (near && j >= at - before && j <= at + after) || (special >= 0 && (at === special || j === special));
  };

  const visible = (g: number, i: number, j: number) =>
    j <= i + offset &&
    (!pattern || inPattern(i, j)) &&
    (allow === undefined || allow[maskCell(g, i, j)] === 1) &&
    (add === undefined || add[maskCell(g, i, j)] !== -Infinity);
  const addedNumbers = add;
  const added =
    addedNumbers === undefined
      ? undefined
      : (g: number, i: number, j: number) => addedNumbers[maskCell(g, i, j)] as number;

  return {
    ...spec,
    nK,
    kvHeads,
    input: { ...given, ...options },
    queries: splitHeads(q, heads, nQ, dK),
    keys: repeatHeads(splitHeads(k, kvHeads, nK, dK), kvHeads, heads),
    values: repeatHeads(splitHeads(v, kvHeads, nK, dV), kvHeads, heads),
    visible,
    added,
    hasMask: spec.mask !== "none" || spec.causal !== "none" || pattern,
  };
}

/** One line that names a case. */
export function nameOf(spec: Spec): string {
  return Object.entries(spec)
    .filter(([, value]) => typeof value !== "object" && typeof value !== "function")
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}
