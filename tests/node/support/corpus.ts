// A fixed set of 500 computations whose float32 bits are hashed. It runs in Node and in a page: no Node import here,
// and no function whose last digit differs between engines.

import type { Loom, Matrix } from "../../../web/core/types.ts";
import { makeCase, randomSpec } from "./cases.ts";
import { everything } from "./everything.ts";
import { type Random, random } from "./random.ts";

export const CORPUS_SIZE = 500;
const SEED = 500;
/** Up to sizes whose products leave the range of float32. */
const DEVIATIONS = [1, 0.1, 4, 20, 1e19] as const;

/** One of the functions that stand alone, in turn. */
function standalone(loom: Loom, r: Random, sd: number): ArrayLike<number>[] {
  const shape = [r.whole(0, 5), r.whole(1, 9), r.whole(1, 70)] as const;
  const width = shape[2];
  const data = r.numbers(shape[0] * shape[1] * width, sd);
  switch (r.whole(0, 5)) {
    case 0:
      return Object.values(loom.layerNorm({ data, shape, axis: r.whole(-2, -1) })).map((matrix: Matrix) => matrix.data);
    case 1:
      return [loom.rmsNorm({ data, shape, gamma: r.numbers(width) }).output.data];
    case 2:
      return [loom.gelu({ data }).data, loom.gelu({ data, approximate: "tanh" }).data, loom.relu({ data }).data];
    case 3:
      return (["neighbour", "half"] as const).map((pairing) => loom.rotary({ data, shape, pairing }).data);
    case 4:
      return [loom.sinusoid({ positions: shape[1], width, first: r.whole(0, 1000) }).data];
    default: {
      for (let at = 0; at < data.length; at++) if (r.chance(0.1)) data[at] = -Infinity;
      return [loom.softmax({ data, shape, axis: r.whole(-3, 2), log: r.chance(0.5) }).data];
    }
  }
}

/** Runs the corpus; the results one behind the other, as float32 bits. All NaN are written alike. */
export function corpusBits(loom: Loom): Uint32Array<ArrayBuffer> {
  const r = random(SEED);
  const results: ArrayLike<number>[] = [];
  for (let n = 0; n < CORPUS_SIZE; n++) {
    const sd = DEVIATIONS[n % DEVIATIONS.length] as number;
    if (n % 10 === 9) {
      results.push(...standalone(loom, r, sd));
      continue;
    }
    // Every fifth has any of all options: a batch, cached keys, patterns, rotary positions, norms, a feed-forward part.
    const input = n % 5 === 3 ? everything(r, 9).input : makeCase(randomSpec(r, { sd })).input;
    const { output, trace, emptyRows, notFiniteRows } = loom.attend({ ...input, trace: n % 4 === 0 });
    results.push(output.data, emptyRows.flat(), notFiniteRows.flat());
    for (const name of trace?.stages ?? []) results.push(trace?.stage(name).data ?? []);
  }
  const total = results.reduce((sum, result) => sum + result.length, 0);
  const numbers = new Float32Array(total);
  let at = 0;
  for (const result of results) {
    numbers.set(result, at);
    at += result.length;
  }
  const bits = new Uint32Array(numbers.buffer);
  for (let i = 0; i < total; i++) if (Number.isNaN(numbers[i])) bits[i] = 0x7fc00000;
  return bits;
}

/** SHA-256 in hexadecimal. Needs a secure context in a page (localhost is one). */
export async function sha256(bits: Uint32Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bits));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
