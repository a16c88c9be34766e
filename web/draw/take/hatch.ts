// Stripes inside a rounded rectangle, as polygons: a pattern would need an id, and two files may stand in one page.

import type { Point } from "./shapes.ts";

/** A rectangle with round corners. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
}

/** How much of a corner is cut off: its round edge lies about on this line. */
const CUT = 0.4;

function outline({ x, y, width, height, radius }: Box): Point[] {
  const [right, bottom, cut] = [x + width, y + height, radius * CUT];
  return [
    [x + cut, y],
    [right - cut, y],
    [right, y + cut],
    [right, bottom - cut],
    [right - cut, bottom],
    [x + cut, bottom],
    [x, bottom - cut],
    [x, y + cut],
  ];
}

/** What of a polygon lies where `side` is not negative (Sutherland and Hodgman 1974). */
function clipped(points: readonly Point[], side: (point: Point) => number): Point[] {
  return points.flatMap((point, i) => {
    const before = points.at(i - 1) as Point;
    const [own, other] = [side(point), side(before)];
    const share = other / (other - own);
    const crossing: Point = [before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])];
    if (own >= 0) return other >= 0 ? [point] : [crossing, point];
    return other >= 0 ? [crossing] : [];
  });
}

/**
 * Stripes at 45°, `width` wide, one every `period` pixels.
 *
 * @param rises true: from the lower left to the upper right
 */
export function stripes(box: Box, width: number, period: number, rises: boolean): Point[][] {
  const shape = outline(box);
  // Across the stripes, from the corner where they begin.
  const across = ([x, y]: Point) => (x - box.x + (rises ? y - box.y : box.y + box.height - y)) / Math.SQRT2;
  const all: Point[][] = [];
  for (let from = 0; from < (box.width + box.height) / Math.SQRT2; from += period) {
    const stripe = clipped(
      clipped(shape, (point) => across(point) - from),
      (point) => from + width - across(point),
    );
    if (stripe.length > 2) all.push(stripe);
  }
  return all;
}
