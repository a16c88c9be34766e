// Which key does what. Pure: from a key to a place or an action.

import type { TableFocus } from "../draw/matrix.ts";
import type { Action } from "./state/index.ts";

const PAGE = 8;

/** Where a key leads inside a matrix; nothing for other keys. The edges do not wrap. */
export function cellKey(
  event: KeyboardEvent,
  { row, column }: TableFocus,
  rows: number,
  columns: number,
): TableFocus | undefined {
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  if (event.ctrlKey) {
    if (event.key === "Home") return { row: 0, column: 0 };
    return event.key === "End" ? { row: lastRow, column: lastColumn } : undefined;
  }
  switch (event.key) {
    case "ArrowLeft":
      return { row, column: Math.max(0, column - 1) };
    case "ArrowRight":
      return { row, column: Math.min(lastColumn, column + 1) };
    case "ArrowUp":
      return { row: Math.max(0, row - 1), column };
    case "ArrowDown":
      return { row: Math.min(lastRow, row + 1), column };
    case "Home":
      return { row, column: 0 };
    case "End":
      return { row, column: lastColumn };
    case "PageUp":
      return { row: Math.max(0, row - PAGE), column };
    case "PageDown":
      return { row: Math.min(lastRow, row + PAGE), column };
    default:
      return undefined;
  }
}

/** Which of `count` stops a key leads to from stop `here`; nothing for other keys. */
export function stopKey(event: KeyboardEvent, here: number, count: number): number | undefined {
  if (event.ctrlKey) return undefined;
  const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: count - 1 }[event.key];
  return to === undefined ? undefined : Math.min(Math.max(0, to), count - 1);
}

const levels: Readonly<Record<string, Action>> = {
  "+": { type: "finer" },
  "=": { type: "finer" },
  "-": { type: "coarser" },
  "−": { type: "coarser" },
};

/** What a key does on the controls. A control that has arrow keys of its own keeps them. */
export function controlKey(event: KeyboardEvent, target: HTMLElement, isMirrored: boolean): Action | undefined {
  if (event.ctrlKey) return undefined;
  const level = levels[event.key];
  if (level) return level;
  if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement) return undefined;
  switch (event.key) {
    case "ArrowLeft":
      return { type: isMirrored ? "next" : "back" };
    case "ArrowRight":
      return { type: isMirrored ? "back" : "next" };
    case "Home":
      return { type: "first" };
    case "End":
      return { type: "last" };
    default:
      return undefined;
  }
}
