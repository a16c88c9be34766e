// The colours of an element as they are on the page now, those that the page has set itself included.

import type { LitElement } from "lit";
import { COLOUR_NAMES, channels, type Palette, paletteOf } from "../draw/palette.ts";
import { darkTokens, lightTokens } from "../draw/tokens.ts";

/** The colour of one name as the page draws it, in the way browsers say a computed colour. */
function colourReader(probe: HTMLElement): (name: string) => string {
  const style = getComputedStyle(probe);
  return (name) => {
    probe.style.setProperty("color", `var(--loom-${name})`);
    return style.color;
  };
}

const probeOf = (element: LitElement) => element.renderRoot.querySelector<HTMLElement>(".ruler");

/** The palette of an element that is drawn. What is said in a way that cannot be read is the theme's own colour. */
export function pageColours(element: LitElement): Palette {
  const probe = probeOf(element);
  if (!probe) return paletteOf(lightTokens);
  const read = colourReader(probe);
  const card = channels(read("card")) ?? [255, 255, 255];
  const isDark = card.reduce((sum, value) => sum + value, 0) < 3 * 128;
  const known = paletteOf(isDark ? darkTokens : lightTokens);
  const found = COLOUR_NAMES.map((name) => {
    const colour = read(name);
    return [name, channels(colour) ? colour : known[name]];
  });
  probe.style.removeProperty("color");
  return Object.fromEntries(found) as Palette;
}

/** What tells one look of the page from another: cheap enough to be asked at every step. */
export function lookOf(element: LitElement): string {
  const probe = probeOf(element);
  if (!probe) return "";
  const read = colourReader(probe);
  const look = read("card") + read("ink") + read("w-fill");
  probe.style.removeProperty("color");
  return look;
}
