// The colours of a theme as plain values, and mixtures of them.

import { lightTokens } from "./tokens.ts";

export type ColourName = keyof typeof lightTokens extends `--loom-${infer Name}` ? Name : never;

/** Every colour by name, resolved. */
export type Palette = Readonly<Record<ColourName, string>>;

export const COLOUR_NAMES = Object.keys(lightTokens).map((name) => name.slice("--loom-".length)) as ColourName[];

/** The palette of a set of tokens. */
export const paletteOf = (tokens: Readonly<Record<string, string>>): Palette =>
  Object.fromEntries(COLOUR_NAMES.map((name) => [name, tokens[`--loom-${name}`] ?? "#000000"])) as Palette;

/** Red, green and blue of "#rrggbb" or "rgb(r, g, b)"; nothing for other ways to say a colour. */
export function channels(colour: string): readonly [number, number, number] | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (hex) return [1, 2, 3].map((i) => Number.parseInt(hex[i] ?? "0", 16)) as [number, number, number];
  const rgb = /^rgba?\(\s*([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)/.exec(colour);
  return rgb ? ([1, 2, 3].map((i) => Number(rgb[i])) as [number, number, number]) : undefined;
}

/** A colour as "#rrggbb", `share` of it mixed into `ground`. */
export function mixed(colour: string, share: number, ground: string): string {
  const [top, below] = [channels(colour) ?? [0, 0, 0], channels(ground) ?? [255, 255, 255]];
  const hex = top.map((value, i) => {
    const mean = Math.round(value * share + (below[i] ?? 0) * (1 - share));
    return Math.min(255, Math.max(0, mean)).toString(16).padStart(2, "0");
  });
  return `#${hex.join("")}`;
}
