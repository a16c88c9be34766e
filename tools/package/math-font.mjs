// The math font of the figures in other people's pages: STIX Two Math, which has the tables that formulas need, cut down to
// their characters, as a module that the element loads when it is first drawn. The site declares a larger one itself.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { inProject } from "../setup/paths.mjs";

const require = createRequire(import.meta.url);

/** The family that the figures ask for. */
export const mathFamily = "Loom Math";

/**
 * Everything a formula of the figure shows, and the rest of the small letters and digits, which cost little. A letter that
 * stands alone is drawn with its mathematical italic; only words (Attention, softmax, max, exp, kv) use the others.
 * Brackets, the sum and the root bring their larger shapes along. A test compares this with the rendered formulas.
 */
export const mathCharacters =
  "0123456789()[]{}+−·,.…=∈∑√∞⊤→ Aabcdefghijklmnopqrstuvwxyz" + "𝐾𝑀𝑂𝑄𝑉𝑊𝑋" + "𝑎𝑏𝑐𝑑𝑒ℎ𝑖𝑗𝑘𝑚𝑜𝑞𝑟𝑠𝑡𝑣𝑧𝜏";

/** Where the module goes. */
export const mathFontFile = inProject("build", "generated", "math-font.mjs");

/** @returns {Promise<Uint8Array>} the font as WOFF2 */
export async function mathFontBytes() {
  const { default: subsetFont } = await import("subset-font");
  const font = readFileSync(require.resolve("@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"));
  return subsetFont(font, mathCharacters, {
    targetFormat: "woff2",
    // Hints are a third of the file; formulas are drawn without them.
    noHinting: true,
    // The names, with the licence and its address.
    preserveNameIds: [0, 1, 2, 3, 4, 5, 6, 7, 13, 14],
  });
}

/** Writes the module, its default export the font in base64. The same bytes on every machine. */
export async function writeMathFont() {
  const text = Buffer.from(await mathFontBytes()).toString("base64");
  mkdirSync(dirname(mathFontFile), { recursive: true });
  // Two builds may run at once: neither may read half a file.
  const draft = `${mathFontFile}.${process.pid}`;
  writeFileSync(draft, `export default "${text}";\n`);
  renameSync(draft, mathFontFile);
}
