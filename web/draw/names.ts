// Names and symbols of stages and inputs, and words as they are written.

import type { Strings } from "../strings/index.ts";

const symbols: ReadonlyMap<string, string> = new Map([
  ["x", "X"],
  ["xKv", "Xₖᵥ"],
  ["wQ", "W_Q"],
  ["wK", "W_K"],
  ["wV", "W_V"],
  ["wO", "W_O"],
  ["bQ", "b_Q"],
  ["bK", "b_K"],
  ["bV", "b_V"],
  ["bO", "b_O"],
  ["queries", "Q"],
  ["keys", "K"],
  ["values", "V"],
  ["scores", "QKᵀ"],
  ["capped", "tanh"],
  ["masked", "−∞"],
  ["rowmax", "max"],
  ["shifted", "−max"],
  ["exp", "eˣ"],
  ["rowsum", "Σ"],
  ["weights", "A"],
  ["output", "AV"],
  ["concat", "‖"],
  ["projected", "W_O"],
]);

/** The symbol beside a name; for `scaled` the factor, ÷√3 where that is what the default does. */
export function symbolOf(name: string, scale: ScaleWords): string {
  if (name === "shifted" && scale.unshifted) return scale.unshifted;
  return name === "scaled" ? scale.symbol : (symbols.get(name) ?? "");
}

/** The symbol of a projection or a bias, of which there are several with one name: "W_Q" of wQ. */
export const parameterSymbol = (name: string): string | undefined =>
  /^[wb][QKVO]$/.test(name) ? symbols.get(name) : undefined;

/** The projection or bias that a text is the symbol of: "W_Q" and "+ b_Q" are wQ and bQ. */
export function nameOfSymbol(text: string): string | undefined {
  const [, kind, letter] = /^(?:\+ )?([Wb])_([QKVO])$/.exec(text) ?? [];
  return kind && `${kind.toLowerCase()}${letter}`;
}

/** How the factor of `scaled` is said. */
export interface ScaleWords {
  /** "÷√3" or "·0.5". */
  readonly symbol: string;
  /** The width under the root, where the factor is 1/√width. */
  readonly width?: number;
  /** "÷2": what is left of `shifted` where nothing is taken away. */
  readonly unshifted?: string;
}

/** The factor as a division by a root where it is exactly the float32 of 1/√d_k. */
export function scaleWords(scale: number, width: number, text: string): ScaleWords {
  return width > 0 && Math.fround(1 / Math.sqrt(width)) === scale
    ? { symbol: `÷√${width}`, width }
    : { symbol: `·${text}` };
}

/** The name a reader sees. A name without a message is shown as it is. */
export function nameOf(strings: Strings, name: string, self = false): string {
  if (name === "x" && self) return strings.text("input.xSelf");
  const key = [`stage.${name}`, `input.${name}`].find((candidate) => strings.has(candidate));
  return key && strings.has(key) ? strings.text(key) : name;
}

/** A word as it is drawn: blanks at its ends and line ends get a sign, everything else stays letter for letter. */
export function shownWord(word: string): string {
  if (word === "") return "∅";
  return word
    .replace(/^[ \u00a0]+|[ \u00a0]+$/g, (blanks) => "␣".repeat(blanks.length))
    .replace(/\n/g, "↵")
    .replace(/\t/g, "⇥");
}

/** A word as it is spoken. */
export function spokenWord(strings: Strings, word: string): string {
  if (word === "") return strings.text("word.empty");
  if (/^[ \u00a0]+$/.test(word)) return strings.text("word.blank");
  return word
    .replace(/\n/g, ` ${strings.text("word.newline")} `)
    .replace(/\t/g, ` ${strings.text("word.tab")} `)
    .trim();
}
