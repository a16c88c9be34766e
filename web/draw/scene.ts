// Everything a frame is drawn from, and what all its parts ask of it.

import type { Origin } from "../core/types.ts";
import type { Strings } from "../strings/index.ts";
import type { Cursor } from "./cursor.ts";
import { nameOf, type ScaleWords, scaleWords } from "./names.ts";
import { formatAlone, formatFor, formatNumber, type NumberFormat } from "./number.ts";
import type { Numbers } from "./numbers.ts";
import { indexIn, isPerKey } from "./shape.ts";
import type { Was } from "./was.ts";

/** Everything a frame is drawn from. */
export interface Scene {
  readonly numbers: Numbers;
  readonly cursor: Cursor;
  readonly tokensQ: readonly string[];
  readonly tokensKv: readonly string[];
  readonly strings: Strings;
  /** Keys and values come from the same words as the queries. */
  readonly self?: boolean;
  /** c of the soft cap, where there is one. */
  readonly softCap?: number | undefined;
  /** Has an edit just changed this cell of a stage? Its place in the flat data. */
  readonly changed?: (stage: string, flat: number) => boolean;
  /** Names of inputs that can be edited. */
  readonly editable?: ReadonlySet<string>;
  /** The pages that the reader has turned to, as a place on each, by page key; the others follow the cursor. */
  readonly pages?: ReadonlyMap<string, number>;
  /** Little room: the cells show two decimals. What is read aloud, the work and the sentence keep all of them. */
  readonly compact?: boolean;
  /** The numbers of the start, where something differs from them. */
  readonly was?: Was | undefined;
  /** What somebody outside points at. */
  readonly highlight?: Highlight;
  /** What the reader asks about: the cell, and the cells of the answer by stage, as places in the flat data. */
  readonly asked?: {
    readonly stage: string;
    readonly at: number;
    readonly others: ReadonlyMap<string, ReadonlySet<number>>;
  };
}

/** A stage, or a row, a column or a cell of it, counted from 0. */
export interface Highlight {
  readonly stage: string;
  readonly row?: number;
  readonly column?: number;
}

/** Decimals in a cell where there is little room. */
const FEW_DECIMALS = 2;

/** How the cells of this scene write a format. */
export const cellFormat = ({ compact }: Scene, format: NumberFormat): NumberFormat =>
  compact ? { ...format, decimals: Math.min(format.decimals, FEW_DECIMALS) } : format;

/** How the factor of `scaled` is said in this scene. */
export function sceneScale({ numbers }: Scene): ScaleWords {
  const { scale } = numbers.trace;
  const scores = numbers.has("scores") ? numbers.of("scores").description.terms : 0;
  const words = scaleWords(scale, scores, formatAlone(scale, numbers.mark));
  if (numbers.has("rowmax")) return words;
  return { ...words, unshifted: `÷${formatAlone(numbers.trace.temperature, numbers.mark)}` };
}

/** The name of a stage or input as a reader sees it: what is one for each key is not called a row's. */
export function titleOf({ numbers, strings, self }: Scene, name: string): string {
  const isColumns = numbers.has(name) && isPerKey(numbers.of(name).description);
  const key = `stage.${name}Columns`;
  return isColumns && strings.has(key) ? strings.text(key) : nameOf(strings, name, self);
}

/** The origin of the current cell. */
export function originOf({ numbers, cursor }: Scene): Origin {
  const { description } = numbers.of(cursor.stage);
  return numbers.trace.origin(cursor.stage, indexIn(description, cursor.head, cursor.row, cursor.column));
}

/** How the partial results of a cell are written: as its matrix is, with more decimals where they need them. */
function partialFormat(scene: Scene, origin: Origin): NumberFormat {
  const own = scene.numbers.of(origin.stage).format;
  const needed = formatFor(
    origin.terms.map(({ partial }) => partial),
    scene.numbers.mark,
  );
  return needed.decimals > own.decimals ? needed : own;
}

/** The partial results of a cell as text. */
export function partialTexts(scene: Scene, origin: Origin): string[] {
  const format = partialFormat(scene, origin);
  return origin.terms.map(({ partial }) => formatNumber(partial, format));
}

/** The partial results of a cell: the float32, as it stands in the cell, and with all decimals. */
export function partialCells(scene: Scene, origin: Origin): { value: number; cell: string; full: string }[] {
  const format = partialFormat(scene, origin);
  return origin.terms.map(({ partial }) => ({
    value: partial,
    cell: formatNumber(partial, cellFormat(scene, format)),
    full: formatNumber(partial, format),
  }));
}
