/**
 * mulberry32, as in tests/node/support/random.ts (which bare Node 20 cannot import).
 * @param {number} seed
 * @returns {() => number} whole numbers from 0 to 2³² − 1
 */
export function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}
