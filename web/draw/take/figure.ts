// A frame as a drawing: its tables in the layout of the page, the place above, the sentence below.

import type { MessagePart, Strings } from "../../strings/index.ts";
import { axisNotes } from "../corner.ts";
import type { MatrixPicture, Picture, Slot } from "../picture.ts";
import type { Role } from "../tokens.ts";
import { textWidth, wrapped } from "./measure.ts";
import type { ColourName, Palette } from "./palette.ts";
import type { Drawing, Run, Shape } from "./shapes.ts";
import {
  CAPTION_SIZE,
  captionRuns,
  LABEL_SIZE,
  plainText,
  symbolRuns,
  type TablePlace,
  tableShapes,
} from "./table-shapes.ts";

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

const MARGIN = 24;
const GAP = 5;
/** Between the factors, where the threads cross over. */
const BRIDGE = 30;
/** From the words of the columns to the cells, and from a name to the words under it. */
const ABOVE = 24;
const CAPTION = 24;
const LEAST_WIDTH = 420;
const MOST_LABEL = 120;
const SENTENCE_SIZE = 18;
const TITLE_SIZE = 15;
const CREDIT_SIZE = 12;
const LINE = 1.45;

const roleNames: ReadonlySet<string> = new Set(["q", "k", "v", "w", "s", "o"]);

/** The pieces of a message as runs of a text, each in the colour of its role. */
function runsOf(parts: readonly MessagePart[], palette: Palette): Run[] {
  return parts.flatMap(({ text, role }): Run[] => {
    if (!role) return [{ text: plainText(text) }];
    const fill = roleNames.has(role) ? { fill: palette[role as ColourName] } : {};
    return symbolRuns(plainText(text)).map((run) => ({ ...run, weight: 650, ...fill }));
  });
}

/** Sizes that all tables of a frame share. */
function measures(picture: Picture) {
  const isSmall = Math.max(0, ...picture.matrices.map(({ halfDigits }) => halfDigits)) > 7;
  const numberSize = isSmall ? 13 : 16;
  const least = isSmall ? 34 : 50;
  return {
    numberSize,
    cellHeight: isSmall ? 34 : 38,
    cellWidth: (halves: number) => Math.max(least, halves * 0.32 * numberSize + (isSmall ? 8 : 14)),
  };
}

const widthOf = ({ columnLabels }: MatrixPicture, cellWidth: number) => columnLabels.length * (cellWidth + GAP) - GAP;

/** The widest word in front of the rows. */
const labelWidth = (matrix: MatrixPicture) =>
  Math.min(
    MOST_LABEL,
    Math.max(0, ...matrix.rowLabels.map(({ text }) => textWidth(plainText(text), LABEL_SIZE + 0.5))),
  );

interface Placed {
  readonly matrix: MatrixPicture;
  readonly place: TablePlace;
}

/** Everything below the title: the tables where they stand, and what stands between them. */
interface Layout {
  readonly tables: readonly Placed[];
  readonly extras: readonly Shape[];
  readonly right: number;
  readonly bottom: number;
}

const captionWidth = (matrix: MatrixPicture, palette: Palette) =>
  captionRuns(matrix, palette).reduce((sum, { text }) => sum + textWidth(text, CAPTION_SIZE), 0) * 1.06;

/** What rows and columns are: one line for each, or all of them in one. */
function noteShapes(scene: FigureScene, x: number, bottom: number, isOneLine: boolean): Shape[] {
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

/** The corner: a left factor, one above, and the result where they cross. */
function corner(scene: FigureScene, by: (slot: Slot) => MatrixPicture | undefined, top0: number): Layout {
  const { picture, palette } = scene;
  const { numberSize, cellHeight, cellWidth } = measures(picture);
  const [left, top, result] = [by("left"), by("top"), by("result")];
  const tables: Placed[] = [];
  const common = { cellHeight, gap: GAP, numberSize, above: ABOVE };
  const leftCell = cellWidth(left?.halfDigits ?? 2);
  const rightCell = cellWidth(Math.max(top?.halfDigits ?? 2, result?.halfDigits ?? 2));
  const leftX = MARGIN + (left ? labelWidth(left) : 0) + 10;
  const leftEnd = leftX + (left ? widthOf(left, leftCell) : 0);
  // The rows of the values have words of their own, which stand in the corner.
  const hasNames = top?.rowLabels[0]?.kind !== "f";
  const bridge = Math.max(BRIDGE, left ? captionWidth(left, palette) + 2 - (leftEnd - leftX) + 12 : 0);
  const rightX = leftEnd + bridge;
  const topY = top0 + CAPTION + ABOVE;
  const topHeight = (top?.cells.length ?? 0) * (cellHeight + GAP) - GAP;
  const rowsY = topY + topHeight + BRIDGE;
  const weft = left?.role as Role | undefined;
  const warp = (top ?? left)?.role as Role | undefined;
  if (left) {
    const place: TablePlace = {
      ...common,
      x: leftX,
      y: rowsY,
      cellWidth: leftCell,
      before: 10,
      rows: true,
      columns: left.columnLabels[0]?.kind !== "f",
      captionAbove: false,
      weft,
      warp: undefined,
      reachLeft: 6,
      reachAbove: 0,
    };
    tables.push({ matrix: left, place });
  }
  if (top) {
    const place: TablePlace = {
      ...common,
      x: rightX,
      y: topY,
      cellWidth: rightCell,
      before: 10,
      rows: hasNames,
      columns: true,
      captionAbove: true,
      weft: undefined,
      warp,
      reachLeft: 0,
      reachAbove: 6,
    };
    tables.push({ matrix: top, place });
  }
  if (result) {
    const place: TablePlace = {
      ...common,
      x: rightX,
      y: rowsY,
      cellWidth: rightCell,
      before: 10,
      rows: false,
      columns: false,
      captionAbove: false,
      weft,
      warp,
      reachLeft: bridge,
      reachAbove: BRIDGE,
    };
    tables.push({ matrix: result, place });
  }
  const rows = Math.max(left?.cells.length ?? 0, result?.cells.length ?? 0);
  const namesWidth = hasNames && top ? labelWidth(top) + 14 : 0;
  const notesEnd = rightX - 14 - namesWidth;
  const columns = left && left.columnLabels[0]?.kind !== "f" ? ABOVE : 0;
  const widest = Math.max(
    0,
    ...[top, result].map((matrix) =>
      matrix ? Math.max(widthOf(matrix, rightCell), captionWidth(matrix, palette)) : 0,
    ),
  );
  return {
    tables,
    extras: noteShapes(scene, notesEnd, rowsY - 14 - columns, false),
    right: rightX + widest + (result?.name === "weights" ? 34 : 0),
    bottom: rowsY + rows * (cellHeight + GAP) - GAP + CAPTION,
  };
}

/** A step on rows: what goes in, what is done to it, what comes out, side by side. */
function through(scene: FigureScene, by: (slot: Slot) => MatrixPicture | undefined, top0: number): Layout {
  const { picture, palette } = scene;
  const { numberSize, cellHeight, cellWidth } = measures(picture);
  const [left, middle, result] = [by("left"), by("through"), by("result")];
  const tables: Placed[] = [];
  const extras: Shape[] = [];
  const rowsY = top0 + CAPTION_SIZE * LINE + ABOVE + 4;
  const weft = left?.role as Role | undefined;
  const common = { cellHeight, gap: GAP, numberSize, above: ABOVE, y: rowsY, before: 10, captionAbove: false };
  const words = left ?? result;
  const firstX = MARGIN + (words ? labelWidth(words) : 0) + 10;
  const cell = cellWidth(Math.max(left?.halfDigits ?? 0, result?.halfDigits ?? 0));
  let x = firstX;
  const end = (matrix: MatrixPicture, width: number) =>
    x + Math.max(widthOf(matrix, width), captionWidth(matrix, palette) + 8);
  if (left) {
    const place: TablePlace = {
      ...common,
      x,
      cellWidth: cell,
      rows: true,
      columns: left.columnLabels[0]?.kind !== "f",
      weft,
      warp: undefined,
      reachLeft: 6,
      reachAbove: 0,
    };
    tables.push({ matrix: left, place });
    const size = CAPTION_SIZE + 1;
    const pill = textWidth(picture.operator, size) + 22;
    const from = end(left, cell) + 10;
    const row = picture.level === "stage" ? (left.cells.length - 1) / 2 : picture.row;
    const y = rowsY + row * (cellHeight + GAP) + cellHeight / 2;
    if (picture.level !== "stage" && weft) {
      extras.push({
        kind: "line",
        from: [x + widthOf(left, cell), y],
        to: [from + pill + 10, y],
        stroke: palette[weft],
        width: 3,
      });
    }
    extras.push(
      {
        kind: "rect",
        x: from,
        y: y - 13,
        width: pill,
        height: 26,
        radius: 13,
        fill: palette.card,
        stroke: palette.line,
        strokeWidth: 1,
      },
      {
        kind: "text",
        x: from + pill / 2,
        y: y + size * 0.36,
        size,
        family: "ui",
        weight: 600,
        fill: palette.ink,
        anchor: "middle",
        runs: [{ text: picture.operator }],
      },
    );
    x = from + pill + 14;
  }
  let before = left ? 14 : 6;
  for (const matrix of [middle, result]) {
    if (!matrix) continue;
    const own = matrix === middle ? cellWidth(matrix.halfDigits) : cell;
    const place: TablePlace = {
      ...common,
      x,
      cellWidth: own,
      rows: !left && matrix === result,
      columns: matrix.columnLabels[0]?.kind !== "f" || !left,
      weft,
      warp: undefined,
      reachLeft: before,
      reachAbove: 0,
    };
    tables.push({ matrix, place });
    const edge = x + widthOf(matrix, own);
    x = end(matrix, own) + 18;
    before = x - edge;
  }
  const rows = Math.max(0, ...tables.map(({ matrix }) => matrix.cells.length));
  return {
    tables,
    extras: [...noteShapes(scene, firstX, top0 + CAPTION_SIZE - 4, true), ...extras],
    right: x - 18 + (result?.name === "weights" ? 34 : 0),
    bottom: rowsY + rows * (cellHeight + GAP) - GAP + CAPTION,
  };
}

/** The drawing of a frame. */
export function figureDrawing(scene: FigureScene): Drawing {
  const { picture, palette, place, sentence, credit } = scene;
  const by = (slot: Slot) => picture.matrices.find((matrix) => matrix.slot === slot);
  const top0 = MARGIN + TITLE_SIZE + 18;
  const isEmpty = picture.matrices.some(({ cells }) => cells.length === 0 || cells[0]?.length === 0);
  const layout: Layout = isEmpty
    ? { tables: [], extras: [], right: 0, bottom: top0 }
    : picture.layout === "corner" && by("left")
      ? corner(scene, by, top0)
      : through(scene, by, top0);
  const width = Math.ceil(Math.max(LEAST_WIDTH, layout.right + MARGIN, textWidth(credit, CREDIT_SIZE) + 2 * MARGIN));
  const parts = layout.tables.map(({ matrix, place: at }) =>
    tableShapes(matrix, at, palette, picture.level, MOST_LABEL),
  );

  const text = (
    y: number,
    size: number,
    runs: readonly Run[],
    more: Partial<Extract<Shape, { kind: "text" }>>,
  ): Shape => ({
    kind: "text",
    x: width / 2,
    y,
    size,
    family: "ui",
    weight: 400,
    fill: palette.ink,
    anchor: "middle",
    runs,
    ...more,
  });
  const lines = wrapped(runsOf(sentence, palette), SENTENCE_SIZE, width - 2 * MARGIN);
  const sentenceY = layout.bottom + 34;
  const foot = sentenceY + (lines.length - 1) * SENTENCE_SIZE * LINE;
  const height = Math.ceil(foot + 44 + MARGIN / 2);
  const title = { x: MARGIN, anchor: "start", weight: 600 } as const;
  return {
    width,
    height,
    title: plainText(place),
    description: `${plainText(sentence.map((part) => part.text).join(""))} ${credit}`,
    shapes: [
      { kind: "rect", x: 0, y: 0, width, height, radius: 0, fill: palette.card },
      text(MARGIN + TITLE_SIZE - 2, TITLE_SIZE, [{ text: plainText(place) }], title),
      ...parts.flatMap(({ threads }) => threads),
      ...layout.extras,
      ...parts.flatMap(({ shapes }) => shapes),
      ...lines.map((runs, i) => text(sentenceY + i * SENTENCE_SIZE * LINE, SENTENCE_SIZE, runs, { family: "prose" })),
      text(height - MARGIN / 2, CREDIT_SIZE, [{ text: credit }], { x: MARGIN, anchor: "start", fill: palette.soft }),
    ],
  };
}
