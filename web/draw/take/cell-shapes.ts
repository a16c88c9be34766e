// One cell as shapes: what its class names say on the page, drawn.

import { mixed, type Palette } from "../palette.ts";
import type { CellPicture } from "../picture.ts";
import { type Role, TINTS } from "../tokens.ts";
import { stripes } from "./hatch.ts";
import type { Shape } from "./shapes.ts";
import { leftOf, type TablePlace, topOf } from "./table-place.ts";

const RADIUS = 5.5;

/** Ground, edge and letters of a cell. */
export function cellShapes(
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
