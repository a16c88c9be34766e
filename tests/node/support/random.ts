// Seeded random numbers whose bits are the same in every engine: integer arithmetic, additions and one power of two.
// Nothing here calls Math.log, Math.cos or their like, whose last digits differ between engines.

/** A source of random numbers. */
export interface Random {
  /** The seed it started from, to be printed where a test fails. */
  readonly seed: number;
  /** 0 ≤ value < 1. */
  uniform(): number;
  /** Mean 0, standard deviation 1: twelve uniform numbers minus 6, so between −6 and 6. */
  normal(): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One of the list. */
  pick<T>(list: readonly T[]): T;
  /** `count` normal numbers times `sd`, rounded to float32. */
  numbers(count: number, sd?: number): Float32Array;
}

/** mulberry32: 32 bits of state, enough for test data. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

/** Random numbers that follow from `seed` alone. */
export function random(seed: number): Random {
  const next = mulberry32(seed);
  const uniform = () => next() / 4294967296;
  const normal = () => {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += uniform();
    return sum;
  };
  const whole = (low: number, high: number) => low + Math.floor(uniform() * (high - low + 1));
  return {
    seed,
    uniform,
    normal,
    whole,
    chance: (probability) => uniform() < probability,
    pick: <T>(list: readonly T[]) => list[whole(0, list.length - 1)] as T,
    numbers: (count, sd = 1) => Float32Array.from({ length: count }, () => normal() * sd),
  };
}
