// What all layouts of a frame have in common: sizes, widths, the notes about the axes.

import type { MessagePart, Strings } from "../../strings/index.ts";
import { axisNotes } from "../corner.ts";
import type { ColourName, Palette } from "../palette.ts";
import type { MatrixPicture, Picture, Slot } from "../picture.ts";
import { textWidth } from "./measure.ts";
import { captionRuns, plainText, symbolRuns } from "./runs.ts";
import type { Run, Shape } from "./shapes.ts";
import type { TablePlace } from "./table-place.ts";
import { CAPTION_SIZE, LABEL_SIZE } from "./table-shapes.ts";

/** What a drawing is made from. */
export interface FigureScene {
  readonly picture: Picture;
  readonly strings: Strings;
  /** The stage and the cell, for instance "scores · la → house". */
  readonly place: string;
  readonly sentence: readonly MessagePart[];
  readonly palette: Palette;
  /** A line at the foot: whose work it is, and its licence. */
  readonly credit: string;
}

/** The tables of a frame, by where they stand. */
export type TablesBySlot = (slot: Slot) => MatrixPicture | undefined;

export const MARGIN = 24;
export const GAP = 5;
/** Between the factors, where the threads cross over. */
export const BRIDGE = 30;
/** From the words of the columns to the cells, and from a name to the words under it. */
export const ABOVE = 24;
export const CAPTION = 24;
export const MOST_LABEL = 120;
export const LINE = 1.45;

const roleNames: ReadonlySet<string> = new Set(["q", "k", "v", "w", "s", "o"]);

/** The pieces of a message as runs of a text, each in the colour of its role. */
export function runsOf(parts: readonly MessagePart[], palette: Palette): Run[] {
  return parts.flatMap(({ text, role }): Run[] => {
    if (!role) return [{ text: plainText(text) }];
    const fill = roleNames.has(role) ? { fill: palette[role as ColourName] } : {};
    return symbolRuns(plainText(text)).map((run) => ({ ...run, weight: 650, ...fill }));
  });
}

/** Sizes that all tables of a frame share. */
export function measures(picture: Picture) {
  const isSmall = Math.max(0, ...picture.matrices.map(({ halfDigits }) => halfDigits)) > 7;
  const numberSize = isSmall ? 13 : 16;
  const least = isSmall ? 34 : 50;
  return {
    numberSize,
    cellHeight: isSmall ? 34 : 38,
    cellWidth: (halves: number) => Math.max(least, halves * 0.32 * numberSize + (isSmall ? 8 : 14)),
  };
}

export const widthOf = ({ columnLabels }: MatrixPicture, cellWidth: number) =>
  columnLabels.length * (cellWidth + GAP) - GAP;

/** The widest word in front of the rows. */
export const labelWidth = (matrix: MatrixPicture) =>
  Math.min(
    MOST_LABEL,
    Math.max(0, ...matrix.rowLabels.map(({ text }) => textWidth(plainText(text), LABEL_SIZE + 0.5))),
  );

export interface Placed {
  readonly matrix: MatrixPicture;
  readonly place: TablePlace;
}

/** Everything below the title: the tables where they stand, and what stands between them. */
export interface Layout {
  readonly tables: readonly Placed[];
  readonly extras: readonly Shape[];
  readonly right: number;
  readonly bottom: number;
}

export const captionWidth = (matrix: MatrixPicture, palette: Palette) =>
  captionRuns(matrix, palette).reduce((sum, { text }) => sum + textWidth(text, CAPTION_SIZE), 0) * 1.06;

/** What rows and columns are: one line for each, or all of them in one. */
export function noteShapes(scene: FigureScene, x: number, bottom: number, isOneLine: boolean): Shape[] {
  const { picture, strings, palette } = scene;
  const notes = axisNotes(picture).map((key) => runsOf(strings.parts(key), palette));
  const anchor = isOneLine ? "start" : "end";
  const lines = isOneLine ? [notes.flatMap((runs, i) => (i > 0 ? [{ text: "\u2003" }, ...runs] : runs))] : notes;
  return lines.map((runs, i) => ({
    kind: "text",
    x,
    y: bottom - (lines.length - 1 - i) * CAPTION_SIZE * LINE,
    size: CAPTION_SIZE,
    family: "ui",
    weight: 400,
    fill: palette.soft,
    anchor,
    runs,
  }));
}
