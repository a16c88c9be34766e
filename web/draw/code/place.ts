// Where the cursor is, as the values of the loops: "i = 0 (la), j = 3 (house), t = 2". What is not chosen at the level of
// the cursor is shown with all its values.

import type { Cursor } from "../cursor.ts";
import { shownWord } from "../names.ts";
import type { Loop, Recipe } from "./recipe.ts";

/** Longer words are cut. */
const MOST_LETTERS = 12;

/** One loop: "i = 0", and the word that this is. */
export interface LoopValue {
  readonly text: string;
  readonly word?: string;
}

function short(word: string): string {
  const letters = [...shownWord(word)];
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join("")}…` : letters.join("");
}

/** The values of the loops of a recipe at a cursor. */
export function loopValues(
  recipe: Recipe,
  cursor: Cursor,
  words: { readonly q: readonly string[]; readonly kv: readonly string[] },
): LoopValue[] {
  const { level } = cursor;
  const [columnsFrom, rowsFrom] = [level === "cell" || level === "term", level !== "stage"];
  const inner = recipe.loops.filter(({ letter }) => letter !== "h");
  const chosen = new Map<Loop, number>();
  for (const loop of recipe.loops) if (loop.letter === "h") chosen.set(loop, cursor.head);
  if (rowsFrom && inner[0]) chosen.set(inner[0], cursor.row);
  if (columnsFrom && inner[1]) chosen.set(inner[1], cursor.column);
  if (level === "term" && recipe.term) chosen.set(recipe.term, cursor.term);
  return [...recipe.loops, ...(recipe.term ? [recipe.term] : [])].map((loop) => {
    const { letter, size, kind } = loop;
    const value = chosen.get(loop);
    if (value === undefined) return { text: size > 1 ? `${letter} = 0 … ${size - 1}` : `${letter} = 0` };
    const word = kind === "q" ? words.q[value] : kind === "kv" ? words.kv[value] : undefined;
    return { text: `${letter} = ${value}`, ...(word !== undefined && { word: short(word) }) };
  });
}
