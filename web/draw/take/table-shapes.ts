// One table of a frame as shapes: threads behind, cells on them, headings beside, its name above or below.

import { symbolParts } from "../message.ts";
import type { CellPicture, LabelPicture, MatrixPicture } from "../picture.ts";
import { type Role, TINTS } from "../tokens.ts";
import { stripes } from "./hatch.ts";
import { shortened } from "./measure.ts";
import { mixed, type Palette } from "./palette.ts";
import type { Run, Shape } from "./shapes.ts";

/** Where a table stands, and how large its parts are, in CSS pixels. */
export interface TablePlace {
  /** Left and upper edge of its first cell. */
  readonly x: number;
  readonly y: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly gap: number;
  /** From the headings of the rows to the first cell, and from those of the columns. */
  readonly before: number;
  readonly above: number;
  readonly numberSize: number;
  /** Which headings are written. */
  readonly rows: boolean;
  readonly columns: boolean;
  readonly captionAbove: boolean;
  /** The roles of the threads; none where there is no thread. */
  readonly weft: Role | undefined;
  readonly warp: Role | undefined;
  /** How far the threads reach beyond the table, to the left of it and above. */
  readonly reachLeft: number;
  readonly reachAbove: number;
}

export const LABEL_SIZE = 14;
export const CAPTION_SIZE = 13;
const THREAD = 3;
const RADIUS = 5.5;
/** A thread that is not the subject of the frame. */
const FAINT = 0.4;

/** Left edge of a column, upper edge of a row. */
const leftOf = (place: TablePlace, column: number) => place.x + column * (place.cellWidth + place.gap);
const topOf = (place: TablePlace, row: number) => place.y + row * (place.cellHeight + place.gap);

/** Marks for the direction of writing turn all that follows on their line: they are left out. */
export const plainText = (text: string): string => text.replace(/\p{Bidi_Control}/gu, "");

/** A symbol, its subscript lower. */
export const symbolRuns = (text: string): Run[] => {
  const { base, below } = symbolParts(text);
  return below ? [{ text: base }, { text: below, isSub: true }] : [{ text: base }];
};

/** The last position that passes; −1 for none. */
const lastWhere = <T>(list: readonly T[], passes: (item: T) => boolean): number =>
  list.reduce((last, item, i) => (passes(item) ? i : last), -1);

function threads(matrix: MatrixPicture, place: TablePlace, palette: Palette, level: string): Shape[] {
  const { cells, rowLabels, columnLabels } = matrix;
  const { cellWidth, cellHeight, gap } = place;
  const shapes: Shape[] = [];
  const colour = (role: Role, isFaint: boolean) =>
    isFaint ? mixed(palette[role], FAINT, palette.card) : palette[role];
  const has = (cell: CellPicture | undefined, look: string) => cell?.look.split(" ").includes(look) ?? false;
  if (place.weft) {
    const stroke = colour(place.weft, level === "stage");
    cells.forEach((line, row) => {
      const last = lastWhere(line, (cell) => has(cell, "weft"));
      if (last < 0 || !rowLabels[row]?.thread) return;
      const y = topOf(place, row) + cellHeight / 2;
      const end = leftOf(place, last) + (has(line[last], "now") ? cellWidth / 2 : cellWidth + gap);
      shapes.push({ kind: "line", from: [place.x - place.reachLeft, y], to: [end, y], stroke, width: THREAD });
    });
  }
  if (place.warp) {
    const stroke = colour(place.warp, level === "stage" || level === "row");
    columnLabels.forEach((label, column) => {
      const last = lastWhere(cells, (line) => has(line[column], "warp"));
      if (last < 0 || !label.thread) return;
      const x = leftOf(place, column) + cellWidth / 2;
      const end = topOf(place, last) + (has(cells[last]?.[column], "now") ? cellHeight / 2 : cellHeight + gap);
      shapes.push({ kind: "line", from: [x, place.y - place.reachAbove], to: [x, end], stroke, width: THREAD });
    });
  }
  return shapes;
}

/** Ground, edge and letters of a cell. */
function cellShapes(
  cell: CellPicture,
  role: Role,
  place: TablePlace,
  row: number,
  column: number,
  palette: Palette,
): Shape[] {
  const look = new Set(cell.look.split(" "));
  const has = (name: string) => look.has(name);
  const box = {
    x: leftOf(place, column),
    y: topOf(place, row),
    width: place.cellWidth,
    height: place.cellHeight,
    radius: RADIUS,
  };
  const fillOf = (name: Role) => palette[`${name}-fill`];
  const step = TINTS.findIndex((_, i) => has(`t${i}`));
  const tint = (TINTS[step] ?? TINTS[0] ?? 0) / 100;
  const strong = palette[role];
  const nowLine = palette["now-line"];

  let fill = mixed(fillOf(role), has("dim") ? tint * 0.55 : tint, palette.card);
  let edge: { stroke: string; width: number; isDashed?: boolean } | undefined;
  let ink: string = has("dim") || has("blocked") ? palette.soft : palette.ink;
  let weight = 400;
  if (has("blocked")) {
    fill = palette.card;
    edge = { stroke: palette.line, width: 1 };
    weight = 500;
  }
  if (has("src")) {
    edge = { stroke: strong, width: 2 };
    weight = 500;
  }
  if (has("op")) {
    edge = { stroke: strong, width: 3.5 };
    weight = 700;
  }
  if (has("bad")) {
    edge = { stroke: palette.bad, width: 3 };
    weight = 700;
  }
  if (has("now-row")) {
    fill = mixed(palette.now, 0.72, palette.card);
    edge = { stroke: nowLine, width: 2 };
    weight = 600;
  }
  if (has("lit") || has("now")) {
    fill = palette.now;
    edge = { stroke: nowLine, width: has("now") ? 2.5 : 2 };
    ink = palette.ink;
    if (has("now")) weight = 700;
  }
  if (has("todo")) {
    fill = palette.card;
    edge = { stroke: mixed(palette.edge, 0.55, palette.card), width: 1, isDashed: true };
  }

  const inset = (edge?.width ?? 0) / 2;
  const shapes: Shape[] = [
    {
      kind: "rect",
      x: box.x + inset,
      y: box.y + inset,
      width: box.width - 2 * inset,
      height: box.height - 2 * inset,
      radius: RADIUS - inset / 2,
      fill,
      ...(edge && { stroke: edge.stroke, strokeWidth: edge.width, ...(edge.isDashed && { isDashed: true }) }),
    },
  ];
  const inner = {
    x: box.x + 2 * inset,
    y: box.y + 2 * inset,
    width: box.width - 4 * inset,
    height: box.height - 4 * inset,
    radius: RADIUS - inset,
  };
  const isHatched = !has("now") && !has("now-row") && !has("todo") && !has("lit");
  if (has("neg") && isHatched) {
    shapes.push({ kind: "polygons", polygons: stripes(inner, 3.5, 8, true), fill: mixed(palette.card, 0.62, fill) });
  } else if (has("blocked") && isHatched) {
    shapes.push({ kind: "polygons", polygons: stripes(inner, 2, 7, false), fill: palette.line });
  }
  if (cell.text === "") return shapes;
  const size = has("blocked") && isHatched ? 12 : place.numberSize;
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2 + size * 0.36;
  shapes.push({
    kind: "text",
    x,
    y,
    size,
    family: "ui",
    weight,
    fill: ink,
    anchor: "middle",
    runs: [{ text: cell.text }],
  });
  if (has("bad")) {
    const half = box.width * 0.3;
    shapes.push({ kind: "line", from: [x - half, y + 4], to: [x + half, y + 4], stroke: palette.bad, width: 1.5 });
  }
  return shapes;
}

function label(
  text: LabelPicture,
  palette: Palette,
  most: number,
): { runs: Run[]; fill: string; weight: number; size: number } {
  const role = text.kind === "q" ? palette.q : text.kind === "kv" ? palette.k : palette.ink;
  const size = text.kind === "f" ? 12 : LABEL_SIZE;
  return {
    runs: [{ text: shortened(plainText(text.text), size, most) }],
    fill: text.current ? role : palette.soft,
    weight: text.current ? 650 : text.kind === "f" ? 400 : 500,
    size,
  };
}

/** Title, symbol and shape. */
export const captionRuns = ({ title, symbol, shape, role, slot }: MatrixPicture, palette: Palette): Run[] => [
  { text: title, fill: palette[role], weight: 600 },
  { text: " " },
  ...symbolRuns(symbol),
  ...(slot === "through" ? [] : [{ text: ` ${shape}` }]),
];

/** The table, the threads first. `most` is the room for the words in front of its rows. */
export function tableShapes(
  matrix: MatrixPicture,
  place: TablePlace,
  palette: Palette,
  level: string,
  most: number,
): { readonly threads: Shape[]; readonly shapes: Shape[] } {
  const { cells, rowLabels, columnLabels, role, name, slot } = matrix;
  const shapes: Shape[] = [];
  const columns = columnLabels.length;
  if (place.columns) {
    columnLabels.forEach((heading, column) => {
      const { runs, fill, weight, size } = label(heading, palette, place.cellWidth + place.gap);
      const x = leftOf(place, column) + place.cellWidth / 2;
      const y = place.y - place.above + size;
      shapes.push({ kind: "text", x, y, size, family: "ui", weight, fill, anchor: "middle", runs });
    });
  }
  if (place.rows) {
    rowLabels.forEach((heading, row) => {
      const { runs, fill, weight, size } = label(heading, palette, most);
      const y = topOf(place, row) + place.cellHeight / 2 + size * 0.36;
      shapes.push({
        kind: "text",
        x: place.x - place.before,
        y,
        size,
        family: "ui",
        weight,
        fill,
        anchor: "end",
        runs,
      });
    });
  }
  cells.forEach((line, row) => {
    line.forEach((cell, column) => {
      shapes.push(...cellShapes(cell, role, place, row, column, palette));
    });
    const looks = line.map(({ look }) => look.split(" "));
    const sums =
      name === "weights" &&
      slot === "result" &&
      line.length > 0 &&
      !looks.some((look) => look.includes("todo") || look.includes("no-sum"));
    if (!sums) return;
    const y = topOf(place, row) + place.cellHeight / 2 + CAPTION_SIZE * 0.36;
    const x = leftOf(place, columns) + 4;
    const runs = [{ text: "= 1" }];
    shapes.push({
      kind: "text",
      x,
      y,
      size: CAPTION_SIZE,
      family: "ui",
      weight: 600,
      fill: palette.w,
      anchor: "start",
      runs,
    });
  });
  shapes.push({
    kind: "text",
    x: place.x + 2,
    y: place.captionAbove ? place.y - place.above - 8 : topOf(place, cells.length) - place.gap + CAPTION_SIZE + 8,
    size: CAPTION_SIZE,
    family: "ui",
    weight: 400,
    fill: palette.soft,
    anchor: "start",
    runs: captionRuns(matrix, palette),
  });
  return { threads: threads(matrix, place, palette, level), shapes };
}
