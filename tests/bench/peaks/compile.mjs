// From text to wasm, with wabt.

import { readFileSync } from "node:fs";
import wabt from "wabt";
import { peakNames } from "./index.mjs";

/** @returns {Promise<Record<string, Uint8Array>>} */
export async function compilePeaks() {
  const { parseWat } = await wabt();
  return Object.fromEntries(
    peakNames.map((name) => {
      const text = readFileSync(new URL(`${name}.wat`, import.meta.url), "utf8");
      const module = parseWat(`${name}.wat`, text, { simd: true, relaxed_simd: true });
      module.validate();
      return [name, module.toBinary({}).buffer];
    }),
  );
}
