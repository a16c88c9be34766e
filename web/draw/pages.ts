// Sides too long for a table of real cells: a page of their rows or columns is on view at a time.

import type { OperandAxis } from "../core/types.ts";
import type { Strings } from "../strings/index.ts";
import type { Cursor } from "./cursor.ts";
import type { Numbers } from "./numbers.ts";
import { type AxisKind, axisKinds, stepsOf } from "./shape.ts";

/** Up to so many words, and so many numbers of each, are on view as a whole. */
const MOST_WHOLE = 16;
/** Cells of a page, and of one where there is little room. */
const PAGE = 8;
const COMPACT_PAGE = 5;

/** The part of a side that is on view: places `from` … `from + count − 1` of `of`, counted from 0. */
export interface Span {
  readonly from: number;
  readonly count: number;
  readonly of: number;
}

/** How long the sides of a figure may be: a page where there are more words than fit, and what is on view whole. */
export interface Fit {
  readonly page: number;
  readonly whole: number;
}

/** Are there more words than the tables show at once? */
export const isLong = (queries: number, keys: number): boolean => Math.max(queries, keys) > MOST_WHOLE;

/** Where some side is too long, those beside it are cut to a page as well, so that all of it fits. */
export const fitOf = (queries: number, keys: number, compact = false): Fit => {
  const page = compact ? COMPACT_PAGE : PAGE;
  return { page, whole: isLong(queries, keys) ? page : MOST_WHOLE };
};

/** The page of a side of `of` cells that shows place `at`. The last page is full, so that no table changes its size. */
export function spanOf(of: number, at: number, { page, whole }: Fit): Span {
  if (of <= whole) return { from: 0, count: of, of };
  const inside = Math.min(Math.max(0, at), of - 1);
  return { from: Math.min(Math.floor(inside / page) * page, of - page), count: page, of };
}

/** Is only a part of the side on view? */
export const isPaged = ({ count, of }: Span): boolean => count < of;

/** Is this place on view? */
export const isInside = ({ from, count }: Span, at: number): boolean => at >= from && at < from + count;

/** The place on view that is the nearest. */
export const nearest = ({ from, count }: Span, at: number): number => Math.max(from, Math.min(at, from + count - 1));

/** The places on view. */
export const places = ({ from, count }: Span): number[] => Array.from({ length: count }, (_, i) => from + i);

/** Which rows and columns are on view, in words; empty where all of them are. */
export function partText(strings: Strings, down: Span, across: Span): string {
  if (!isPaged(down) && !isPaged(across)) return "";
  const words = ({ from, count, of }: Span) => strings.text("page.part", { from: from + 1, to: from + count, of });
  return strings.text("caption.page", { rows: words(down), columns: words(across) });
}

/**
 * What turns its pages together: all sides that stand for the same words; a side of plain numbers by its axis alone, and
 * that of a table by itself (`alone`) by that table.
 */
export const pageKey = (kind: AxisKind, axis: OperandAxis | "none", alone?: string): string =>
  kind === "f" ? `${alone ?? "f"}:${axis}` : kind;

/** The kind of the axis that the terms of a cell run along. */
function termKind(numbers: Numbers, stage: string): AxisKind {
  const [operand] = numbers.of(stage).description.operands;
  if (!operand) return "f";
  const [down, across] = axisKinds(numbers.of(operand.stage).description);
  return operand.axes.at(-1) === "term" ? across : down;
}

/** The places that the cursor itself stands on, by page key. */
export function cursorPlaces(numbers: Numbers, cursor: Cursor): ReadonlyMap<string, number> {
  const { level, stage } = cursor;
  const on = new Map<string, number>();
  if (level === "stage") return on;
  const { description } = numbers.of(stage);
  const [down, across] = axisKinds(description);
  if (level === "term" && stepsOf(description) > 1) on.set(pageKey(termKind(numbers, stage), "term"), cursor.term);
  if (level !== "row") on.set(pageKey(across, "column"), cursor.column);
  on.set(pageKey(down, "row"), cursor.row);
  return on;
}
