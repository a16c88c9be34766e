// A fixed set of 500 computations whose float32 bits are hashed. It runs in Node and in a page: no Node import here,
// and no function whose last digit differs between engines.

import type { Loom } from "../../../web/core/types.ts";
import { makeCase, randomSpec } from "./cases.ts";
import { random } from "./random.ts";

export const CORPUS_SIZE = 500;
const SEED = 500;
/** Up to sizes whose products leave the range of float32. */
const DEVIATIONS = [1, 0.1, 4, 20, 1e19] as const;

/** Runs the corpus; the results one behind the other, as float32 bits. All NaN are written alike. */
export function corpusBits(loom: Loom): Uint32Array<ArrayBuffer> {
  const r = random(SEED);
  const results: ArrayLike<number>[] = [];
  for (let n = 0; n < CORPUS_SIZE; n++) {
    const sd = DEVIATIONS[n % DEVIATIONS.length] as number;
    if (n % 10 === 9) {
      const shape = [r.whole(0, 5), r.whole(1, 9), r.whole(0, 70)];
      const data = r.numbers(
        shape.reduce((product, size) => product * size, 1),
        sd,
      );
      for (let at = 0; at < data.length; at++) if (r.chance(0.1)) data[at] = -Infinity;
      results.push(loom.softmax({ data, shape, axis: r.whole(-3, 2), log: r.chance(0.5) }).data);
      continue;
    }
    const { input } = makeCase(randomSpec(r, { sd }));
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
