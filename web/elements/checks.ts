// What can be checked about the numbers on screen: row sums, shapes, and a second program in double precision.

import type { Reference } from "../core/types.ts";
import { formatAlone } from "../draw/number.ts";
import type { Numbers } from "../draw/numbers.ts";
import { hides } from "../draw/sentence.ts";
import { isUsual, sharesOf } from "../draw/shares.ts";
import { countRowStates, isHiddenAt, isOutOfRange, rowStateOf } from "../draw/view.ts";
import type { MessageKey } from "../strings/index.ts";
import type { Model } from "./state/model.ts";

/** One line of the list. */
export interface CheckItem {
  readonly isGood: boolean;
  readonly key: MessageKey;
  readonly n?: string | number;
}

/** All checks of one computation. */
export interface CheckResult {
  readonly isGood: boolean;
  readonly items: readonly CheckItem[];
}

/** Allowed difference of a row sum from 1: float32 sums of up to 64 shares, and of more. */
const rowTolerance = (keys: number) => (keys <= 64 ? 1e-6 : 4e-6);
/** Allowed difference from the double-precision twin, relative to 1 + |value|. */
const TWIN_TOLERANCE = 2e-6;

/** Has this stage a number that is marked because it left the range of float32? */
function leavesRange(numbers: Numbers, name: string): boolean {
  const { description, data } = numbers.of(name);
  const canHide = hides.has(name) && numbers.has("masked");
  return data.some((value, flat) => {
    if (Number.isFinite(value)) return false;
    if (canHide && value === Number.NEGATIVE_INFINITY && isHiddenAt(numbers, flat)) return false;
    let rest = flat;
    const index = description.shape.map(() => 0);
    for (let axis = index.length - 1; axis >= 0; axis--) {
      const size = description.shape[axis] ?? 1;
      index[axis] = rest % size;
      rest = Math.floor(rest / size);
    }
    return isOutOfRange(numbers, name, index);
  });
}

/** The largest difference from 1 of a row of weights that is in range and sees something. */
function worstRow(numbers: Numbers): number {
  const { grid, data } = numbers.of("weights");
  let worst = 0;
  for (let row = 0; row < grid.heads * grid.rows; row++) {
    if (rowStateOf(numbers, Math.floor(row / grid.rows), row % grid.rows) !== "ok") continue;
    const shares = data.subarray(row * grid.columns, (row + 1) * grid.columns);
    worst = Math.max(worst, Math.abs(shares.reduce((total, share) => total + share, 0) - 1));
  }
  return worst;
}

/** The same of columns: in range where their sum of exponentials is, and without a share where that is 0. */
function worstColumn(numbers: Numbers): number {
  const { grid, data } = numbers.of("weights");
  const { rows, columns } = grid;
  let worst = 0;
  numbers.of("rowsum").data.forEach((sum, line) => {
    if (!Number.isFinite(sum) || sum === 0) return;
    const [head, key] = [Math.floor(line / columns), line % columns];
    let total = 0;
    for (let row = 0; row < rows; row++) total += data[(head * rows + row) * columns + key] as number;
    worst = Math.max(worst, Math.abs(total - 1));
  });
  return worst;
}

/**
 * How much wider the two programs may be apart: e to a large power, and a sum of weights that are no shares, magnify what
 * is there.
 */
function magnification(numbers: Numbers): number {
  if (isUsual(sharesOf(numbers))) return 1;
  return 1 + numbers.of(numbers.has("masked") ? "masked" : "scaled").full;
}

/** The checks; with `reference` also the comparison with the twin. */
export function checksOf(numbers: Numbers, model: Model, reference?: Reference): CheckResult {
  const items: CheckItem[] = [];
  const { grid } = numbers.of("weights");
  const { ok, empty, notFinite } = countRowStates(numbers);
  const { along } = sharesOf(numbers);
  if (notFinite > 0) items.push({ isGood: false, key: "checks.rowSumsNotFinite", n: notFinite });
  if (empty > 0) items.push({ isGood: true, key: "checks.empty", n: empty });
  if (along === "none") items.push({ isGood: true, key: "checks.noSums" });
  else if (along === "columns") {
    const worst = worstColumn(numbers);
    const isGood = worst <= rowTolerance(grid.rows);
    const key = isGood ? "checks.columnSums" : "checks.columnSumsBad";
    items.push({ isGood, key, n: formatAlone(worst, numbers.mark) });
  } else if (ok > 0 || empty + notFinite === 0) {
    const worst = worstRow(numbers);
    const isGood = worst <= rowTolerance(grid.columns);
    const key = !isGood ? "checks.rowSumsBad" : empty + notFinite > 0 ? "checks.rowSumsOther" : "checks.rowSums";
    items.push({ isGood, key, n: formatAlone(worst, numbers.mark) });
  }
  if (numbers.trace.stages.some((name) => leavesRange(numbers, name))) {
    items.push({ isGood: false, key: "checks.notFinite" });
  }
  const heads = model.options.heads ?? 1;
  const isShaped =
    grid.heads === heads &&
    grid.rows === model.tokensQ.length &&
    grid.columns === model.tokensKv.length &&
    numbers.of("output").grid.rows === model.tokensQ.length;
  items.push({ isGood: isShaped, key: isShaped ? "checks.shapes" : "checks.shapesBad" });
  if (reference) {
    let relative = 0;
    let absolute = 0;
    for (const name of numbers.trace.stages) {
      const twin = reference.stages.includes(name) ? reference.stage(name).data : undefined;
      if (!twin) continue;
      numbers.of(name).data.forEach((value, i) => {
        const other = twin[i] ?? Number.NaN;
        if (Object.is(value, other) || value === other) return;
        const difference = Math.abs(value - other);
        absolute = Math.max(absolute, Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference);
        relative = Math.max(
          relative,
          Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference / (1 + Math.abs(other)),
        );
      });
    }
    const isGood = relative <= TWIN_TOLERANCE * magnification(numbers);
    items.push({ isGood, key: isGood ? "checks.twin" : "checks.twinBad", n: formatAlone(absolute, numbers.mark) });
  }
  return { isGood: items.every(({ isGood }) => isGood), items };
}
