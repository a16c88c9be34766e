// The characters of the small math font against those of the formulas that the figure can show.

import { render } from "@lit-labs/ssr";
import { collectResultSync } from "@lit-labs/ssr/lib/render-result.js";
import { expect, test } from "vitest";
import { mathCharacters } from "../../tools/package/math-font.mjs";
import { type FormulaScene, formulaView } from "../../web/draw/formula.ts";

const STAGES =
  "queries keys values scores scaled capped masked rowmax shifted exp rowsum weights output concat projected".split(
    " ",
  );
const BOTH = [false, true];
/** Steps that may be taken out. */
const WITHOUT: Pick<FormulaScene, "along" | "shift">[] = [
  {},
  { along: "columns" },
  { along: "columns", shift: false },
  { along: "none" },
  { shift: false },
];

const scenes: FormulaScene[] = STAGES.flatMap((stage) =>
  BOTH.flatMap((masked) =>
    BOTH.flatMap((cross) =>
      BOTH.flatMap((root) =>
        [1, 0.5, 0].flatMap((temperature) =>
          WITHOUT.flatMap((without) =>
            BOTH.map((isMore) => ({
              ...{ stage, masked, cross, root, temperature, ...without, label: "a formula" },
              ...(isMore && { isCapped: true, biases: new Set(["bQ", "bK", "bV", "bO"]) }),
            })),
          ),
        ),
      ),
    ),
  ),
);

/** What a browser draws for the text of one `mi`, `mn` or `mo`: a letter that stands alone in italics, all else as it is. */
function drawn(tag: string, attributes: string, text: string): string {
  const code = text.codePointAt(0) ?? 0;
  const isAlone = tag === "mi" && [...text].length === 1 && !attributes.includes('mathvariant="normal"');
  if (isAlone && text === "τ") return "𝜏";
  if (!isAlone || !/^[A-Za-z]$/.test(text)) return text;
  if (text === "h") return "ℎ";
  return String.fromCodePoint(text >= "a" ? 0x1d44e + code - 97 : 0x1d434 + code - 65);
}

test("every character of every formula is in the font that guest pages get", () => {
  const used = new Set<string>();
  for (const scene of scenes) {
    const text = collectResultSync(render(formulaView(scene))).replace(/<!--.*?-->/gs, "");
    for (const [, tag, attributes, content] of text.matchAll(/<(m[ino])\b([^>]*)>([^<]*)<\/\1\s*>/g)) {
      for (const character of drawn(tag ?? "", attributes ?? "", content ?? "")) used.add(character);
    }
    if (text.includes("<msqrt")) used.add("√");
    // No text may stand elsewhere, where the search above would pass it by.
    expect(text.replace(/<(m[ino])\b[^>]*>[^<]*<\/\1\s*>/g, "").replace(/<[^>]*>/g, "")).toMatch(/^\s*$/);
  }
  expect(used.size).toBeGreaterThan(40);
  expect([...used]).toContain("√");
  const known = new Set(mathCharacters);
  expect([...used].filter((character) => !known.has(character)).sort()).toEqual([]);
});
