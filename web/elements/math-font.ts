// The font of the formulas, for pages that have none: without a font with a MATH table Chromium draws no root sign and
// leaves parentheses small.

/** As in the figure's `--loom-font-math`. */
const FAMILY = "Loom Math";

let isAskedFor = false;

/** Whether the page has a face of the family already, from its own style sheet or from another copy of this script. */
function isThere(): boolean {
  for (const { family } of document.fonts) if (family.replace(/^["']|["']$/g, "") === FAMILY) return true;
  return false;
}

async function add(): Promise<void> {
  if (isThere()) return;
  const { default: base64 } = await import("../../build/generated/math-font.mjs");
  if (isThere()) return;
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  // From bytes, not from an address: no request, so that no content policy has to allow one.
  document.fonts.add(await new FontFace(FAMILY, bytes).load());
}

/**
 * Adds the math font to the page, once, unless the page declares one under the same name. When that fails the formulas
 * are drawn with what the reader's machine has, and the next element asks again.
 */
export function loadMathFont(): void {
  if (isAskedFor) return;
  isAskedFor = true;
  add().catch(() => {
    isAskedFor = false;
  });
}
