// Cuts the fonts down to what the pages show, and writes their @font-face rules.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";

const require = createRequire(import.meta.url);

/** What a reader may type into a field, or a figure may show, whatever the lesson says. */
const always =
  Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("") +
  "−×·√∞≤≥≈≠…–—‘’“”«»←→↑↓✓ᵀ⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉ₖτΣàâäçèéêëîïôöùûüÿñßœæÀÂÄÇÈÉÊËÎÏÔÖÙÛÜŒÆ";

/** Letters of formulas: a single letter in MathML is drawn with the mathematical italic. */
const mathLetters = () => {
  let letters = always;
  for (let i = 0; i < 26; i++) letters += String.fromCodePoint(0x1d434 + i);
  for (let i = 0; i < 26; i++) letters += i === 7 ? "ℎ" : String.fromCodePoint(0x1d44e + i);
  for (let i = 0; i < 25; i++) letters += String.fromCodePoint(0x1d6fc + i);
  return `${letters}⊤∑∏∫∂∇∈ℝ⋅∘⊙→⟨⟩‖|{}[]()⋯⋮⋱ˆ¯\u2061\u2062`;
};

/**
 * The faces. `preload`: shown in the first view of a lesson. `fallback`: a font that is on nearly every machine, stretched
 * to the same width, so that no line breaks anew when the real one arrives; its widths were measured on the prose of
 * lesson 05, ascent and descent are those of the real font divided by the stretch.
 */
const faces = [
  {
    file: "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
    family: "Source Serif 4",
    weight: "400 700",
    style: "normal",
    axes: { wght: { min: 400, max: 700 } },
    features: ["kern", "mark", "mkmk", "liga", "ccmp", "locl"],
    preload: true,
    fallback: { local: ["Times New Roman", "Liberation Serif", "Tinos"], size: 1.1805, ascent: 1.036, descent: 0.335 },
  },
  {
    file: "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-italic.woff2",
    family: "Source Serif 4",
    weight: "400 700",
    style: "italic",
    axes: { wght: 400 },
    features: ["kern", "mark", "mkmk", "liga", "ccmp", "locl"],
    preload: true,
  },
  {
    file: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
    family: "Inter",
    weight: "400 700",
    style: "normal",
    axes: { wght: { min: 400, max: 700 } },
    features: ["kern", "mark", "mkmk", "ccmp", "locl", "tnum"],
    preload: true,
    fallback: { local: ["Arial", "Liberation Sans", "Arimo"], size: 1.0695, ascent: 0.96875, descent: 0.2412 },
  },
  {
    file: "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
    family: "JetBrains Mono",
    weight: "400",
    style: "normal",
    axes: { wght: 400 },
    features: ["mark", "mkmk", "ccmp", "locl"],
    preload: false,
  },
  {
    file: "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
    family: "Loom Math",
    weight: "400",
    style: "normal",
    axes: undefined,
    // All features: the script-size variants of formulas are one.
    features: undefined,
    preload: false,
  },
];

/**
 * @param {string} shown all characters of the pages
 * @param {string} folder where the font files go
 * @param {string} cache folder for subsets of earlier runs
 * @returns {Promise<{ css: string, preload: string[] }>} the rules, with addresses relative to `folder`'s parent, and the
 *   names of the files to preload
 */
export async function buildFonts(shown, folder, cache) {
  mkdirSync(folder, { recursive: true });
  mkdirSync(cache, { recursive: true });
  const characters = [...new Set(always + shown)].sort().join("");
  const preload = [];
  const css = [];
  for (const face of faces) {
    const source = readFileSync(require.resolve(face.file));
    const text = face.family === "Loom Math" ? [...new Set(mathLetters() + characters)].sort().join("") : characters;
    const options = { targetFormat: "woff2", variationAxes: face.axes, keepFeatures: face.features };
    const key = createHash("sha256")
      .update(source)
      .update(JSON.stringify([text, options]))
      .digest("hex")
      .slice(0, 24);
    const kept = join(cache, `${key}.woff2`);
    if (!existsSync(kept)) writeFileSync(kept, await subsetFont(source, text, /** @type {any} */ (options)));
    const name = `${face.family.toLowerCase().replaceAll(" ", "-")}${face.style === "italic" ? "-italic" : ""}.woff2`;
    writeFileSync(join(folder, name), readFileSync(kept));
    if (face.preload) preload.push(name);
    css.push(
      `@font-face{font-family:"${face.family}";font-style:${face.style};font-weight:${face.weight};font-display:swap;src:url("./fonts/${name}") format("woff2")}`,
    );
    if (face.fallback) {
      const { local, size, ascent, descent } = face.fallback;
      const percent = (/** @type {number} */ part) => `${(part * 100).toFixed(2)}%`;
      css.push(
        `@font-face{font-family:"${face.family} Fallback";src:${local.map((font) => `local("${font}")`).join(",")};size-adjust:${percent(size)};ascent-override:${percent(ascent / size)};descent-override:${percent(descent / size)};line-gap-override:0%}`,
      );
    }
  }
  return { css: css.join("\n"), preload };
}
