// What the machine could do at most at this moment: small loops in wasm, timed in the same rounds as the contestants.

/** Floating-point operations of one turn of each loop. */
const peaks = {
  "multiply-add": 12 * 4,
  "gemm-simd128": 64 * 4 * 8 * 2,
  fused: 12 * 4 * 2,
  "gemm-relaxed": 64 * 4 * 8 * 2,
};

export const peakNames = Object.keys(peaks);

/** About this many floating-point operations in one run. */
const WORK = 2e6;

/**
 * @param {Record<string, Uint8Array>} binaries the compiled loops by name
 * @returns {Promise<{ name: string, flops: number, run: () => number }[]>} those that the engine accepts
 */
export async function loadPeaks(binaries) {
  const ready = [];
  for (const [name, flops] of Object.entries(peaks)) {
    const bytes = binaries[name];
    if (!bytes || !WebAssembly.validate(bytes)) continue;
    const { instance } = await WebAssembly.instantiate(bytes);
    const { run, memory } = instance.exports;
    if (memory) new Float32Array(memory.buffer, 0, 2048).fill(0.5);
    const turns = Math.round(WORK / flops);
    ready.push({ name, flops: turns * flops, run: () => run(turns) });
  }
  return ready;
}
