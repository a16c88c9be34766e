// What the reader asks about: a cell, where it comes from or what it feeds, and the way there from the cell first asked.

import type { CellRef } from "../../core/types.ts";

/** Backwards, to the cells it is made of, or forwards, to the cells it is used in. */
export type About = "origin" | "feeds";

/** A cell on the trail. */
export interface AskedCell extends CellRef {
  readonly about: About;
  /** Long lists are shown in full. */
  readonly whole?: boolean;
}

/** What can happen to a question. */
export type AskAction =
  | {
      readonly type: "ask";
      readonly stage: string;
      readonly index: readonly number[];
      readonly about: About;
      /** One step further on the trail. Default: a new one begins. */
      readonly follow?: boolean;
      readonly whole?: boolean;
    }
  /** `to`: a position on the trail. Default: one step back. */
  | { readonly type: "askBack"; readonly to?: number }
  | { readonly type: "askClose" };

/** The part of a state that this file is about. The cell on view is the last one; no trail where nothing is asked. */
interface Asking {
  readonly asked?: readonly AskedCell[];
}

/** Longer trails forget where they began. */
export const MOST_TRAIL = 64;

/** The same cell, whatever is asked about it? */
export const isSameCell = (a: CellRef | undefined, b: CellRef | undefined): boolean =>
  a !== undefined && b !== undefined && a.stage === b.stage && a.index.join() === b.index.join();

function trailAfter(trail: readonly AskedCell[], action: AskAction): readonly AskedCell[] {
  switch (action.type) {
    case "askClose":
      return [];
    case "askBack": {
      const to = action.to ?? trail.length - 2;
      return to >= 0 && to < trail.length ? trail.slice(0, to + 1) : trail;
    }
    case "ask": {
      const { stage, index, about, follow, whole } = action;
      const cell: AskedCell = { stage, index: [...index], about, ...(whole && { whole }) };
      if (isSameCell(trail.at(-1), cell)) return [...trail.slice(0, -1), cell];
      if (!follow) return [cell];
      // A trail that comes back to one of its cells is cut there: it never runs in circles.
      const known = trail.findIndex((one) => isSameCell(one, cell));
      return [...(known < 0 ? trail : trail.slice(0, known)), cell].slice(-MOST_TRAIL);
    }
  }
}

function withTrail<S extends Asking>(state: S, trail: readonly AskedCell[]): S {
  if (JSON.stringify(trail) === JSON.stringify(state.asked ?? [])) return state;
  const { asked: _, ...rest } = state;
  return (trail.length > 0 ? { ...rest, asked: trail } : rest) as S;
}

/** The state after a question; the same object where it changes nothing. */
export const ask = <S extends Asking>(state: S, action: AskAction): S =>
  withTrail(state, trailAfter(state.asked ?? [], action));

/** The state with its trail cut before the first cell that is gone; the same object where all are there. */
export function settleAsked<S extends Asking>(state: S, isCell: (cell: CellRef) => boolean): S {
  const trail = state.asked ?? [];
  const gone = trail.findIndex((cell) => !isCell(cell));
  return gone < 0 ? state : withTrail(state, trail.slice(0, gone));
}
