// What a number was at the start, where it differs now.

import { formatNumber } from "./number.ts";
import type { Numbers } from "./numbers.ts";
import { cellFormat, type Scene } from "./scene.ts";
import { type AxisKind, axisKinds, cellIn, indexIn } from "./shape.ts";
import { blockable, exactText, isHidden } from "./view.ts";

/** The numbers of the start, and which of its words each word of now was: −1 for one that is new. */
export interface Was {
  readonly numbers: Numbers;
  readonly rowsQ: readonly number[];
  readonly rowsKv: readonly number[];
  /** They are written below those that differ. */
  readonly isShown: boolean;
}

/** Where the cell stood at the start; nothing where it has no counterpart. */
function indexThen({ numbers, was }: Scene, name: string, index: readonly number[]): number[] | undefined {
  if (!was?.numbers.has(name)) return undefined;
  const now = numbers.of(name);
  const then = was.numbers.of(name);
  const cell = cellIn(now.description, index);
  const kinds = axisKinds(now.description);
  if (String(kinds) !== String(axisKinds(then.description))) return undefined;
  const place = (kind: AxisKind, at: number, size: number, sizeThen: number): number => {
    if (kind === "f") return size === sizeThen ? at : -1;
    const found = (kind === "q" ? was.rowsQ : was.rowsKv)[at] ?? -1;
    return found < sizeThen ? found : -1;
  };
  const row = place(kinds[0], cell.row, now.grid.rows, then.grid.rows);
  const column = place(kinds[1], cell.column, now.grid.columns, then.grid.columns);
  const isThere = now.grid.heads === then.grid.heads && row >= 0 && column >= 0;
  return isThere ? indexIn(then.description, cell.head, row, column) : undefined;
}

/** What a cell was, as it was written in its matrix, and as it fits into a cell; nothing where it is the same now. */
export function wasTexts(
  scene: Scene,
  name: string,
  index: readonly number[],
): { full: string; cell: string } | undefined {
  const { numbers, was, strings } = scene;
  const before = indexThen(scene, name, index);
  if (!was || !before) return undefined;
  const value = was.numbers.value(name, before);
  const hidden = (of: Numbers, at: readonly number[]) =>
    blockable.has(name) && isHidden(of, at[0] ?? 0, at[1] ?? 0, at[2] ?? 0);
  const wasHidden = hidden(was.numbers, before);
  const now = numbers.value(name, index);
  if ((value === now || Object.is(value, now)) && wasHidden === hidden(numbers, index)) return undefined;
  if (wasHidden) return { full: strings.text("blocked"), cell: strings.text("blocked.short") };
  const { format } = was.numbers.of(name);
  const text = formatNumber(value, format);
  // Where the digits that are shown do not tell the two apart, all of them are.
  const isSame = text === numbers.text(name, index);
  const full = (isSame && exactText(value, text, numbers.mark)) || text;
  return { full, cell: isSame ? full : formatNumber(value, cellFormat(scene, format)) };
}
