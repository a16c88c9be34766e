// The whole of attention as a few steps. The printers of the short programs have one entry for each of them.

import type { Shares } from "../shares.ts";
import type { Line } from "./piece.ts";

/** What a short program depends on. */
export interface CodeScene extends Shares {
  readonly masked: boolean;
  readonly projects: boolean;
  readonly cross: boolean;
  /** The width under the root, or the factor. */
  readonly scale: { readonly width: number } | { readonly factor: number };
  readonly temperature: number;
  /** c of the soft cap, where there is one. */
  readonly softCap: number | undefined;
  /** There is a W_O behind the heads. */
  readonly mixes: boolean;
  /** Which biases there are, as the core names them. */
  readonly biases: ReadonlySet<string>;
  readonly heads: number;
  /** Some query may look at nothing; along columns, some key is seen by none. */
  readonly hasEmptyRows: boolean;
}

/** One line of a short program. */
export type Step =
  | "project"
  | "split"
  | "scores"
  | "cap"
  | "mask"
  | "exponentials"
  | "weights"
  | "output"
  | "join"
  | "mix";

/** How a language writes each step. */
export type StepPrinter = Readonly<Record<Step, (scene: CodeScene) => Line>>;

/** The steps of a scene, in order. */
export function stepsOf({ projects, masked, softCap, mixes, heads, along }: CodeScene): Step[] {
  return [
    ...(projects ? (["project"] as const) : []),
    ...(heads > 1 ? (["split"] as const) : []),
    "scores",
    ...(softCap === undefined ? [] : (["cap"] as const)),
    ...(masked ? (["mask"] as const) : []),
    ...(along === "none" ? [] : (["exponentials"] as const)),
    "weights",
    "output",
    ...(heads > 1 ? (["join"] as const) : []),
    ...(mixes ? (["mix"] as const) : []),
  ];
}

/** The short program in a language. */
export const shortProgram = (scene: CodeScene, printer: StepPrinter): Line[] =>
  stepsOf(scene).map((step) => printer[step](scene));

/** " + b_Q" where there is that bias. */
const plus = ({ biases }: CodeScene, letter: "Q" | "K" | "V" | "O") =>
  biases.has(`b${letter}`) ? ` + b_${letter}` : "";

/** "X @ W_Q, …": the same in both languages that have a sign for products of matrices. */
export const projections = (scene: CodeScene): Line => {
  const kv = scene.cross ? "X_kv" : "X";
  return [
    ["Q, K, V = "],
    [`X @ W_Q${plus(scene, "Q")}`, "queries"],
    [", "],
    [`${kv} @ W_K${plus(scene, "K")}`, "keys"],
    [", "],
    [`${kv} @ W_V${plus(scene, "V")}`, "values"],
  ];
};

/** What the heads give, mixed by W_O. */
export const mixture = (scene: CodeScene): Line => [
  ["projected = "],
  [scene.heads > 1 ? "concat" : "output", "concat"],
  [` @ W_O${plus(scene, "O")}`, "projected"],
];

/** The scores before the mask. */
export const unmasked = ({ softCap }: CodeScene): string => (softCap === undefined ? "S" : "C");

/** The scores that the weights are made of. */
export const visible = (scene: CodeScene): string => (scene.masked ? "M" : unmasked(scene));

/** The axis that a maximum or a sum runs along, from behind. */
export const axisOf = ({ along }: CodeScene): number => (along === "columns" ? -2 : -1);

/**
 * The exponentials: at temperature 0 they are 1 for the largest of a row or column and 0 for all others.
 *
 * @param largest the maximum of each row
 * @param words how the language says e to the power of a matrix, minus infinity, and a temperature
 */
export function exponentials(
  scene: CodeScene,
  largest: string,
  words: { readonly exp: string; readonly lowest: string; readonly number: (value: number) => string },
): Line {
  const { temperature, hasEmptyRows, shift } = scene;
  const from = visible(scene);
  const tau = words.number(temperature);
  if (!shift) {
    const divided: Line = temperature === 1 ? [] : [[` / ${tau}`, "shifted", "exp"]];
    return [["E = "], [`${words.exp}(`, "exp"], [from, "shifted", "exp"], ...divided, [")", "exp"]];
  }
  const most = [largest.replace("*", from), "rowmax", "shifted", "exp"] as const;
  if (temperature === 0) {
    const equal: Line = [["E = "], [`(${from} == `, "shifted", "exp"], most, [")", "shifted", "exp"]];
    return hasEmptyRows ? [...equal, [` & (${from} > ${words.lowest})`, "exp"]] : equal;
  }
  const shifted: Line = [[from, "shifted", "exp"], [" - ", "shifted", "exp"], most];
  const divided: Line =
    temperature === 1 ? shifted : [["(", "shifted", "exp"], ...shifted, [`) / ${tau}`, "shifted", "exp"]];
  return [["E = "], [`${words.exp}(`, "exp"], ...divided, [")", "exp"]];
}
