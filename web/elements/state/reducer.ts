// One serialisable reducer: cursor, edits, undo. The state is plain JSON; every function is pure.

import { CODE_LANGUAGES, type CodeLanguage } from "../../draw/code/languages.ts";
import { type Cursor, LEVELS, type Level } from "../../draw/cursor.ts";
import { type AskAction, type AskedCell, ask } from "./asked.ts";
import { clampCursor, cursorAt, frameIndex, type StageShape } from "./frames.ts";
import {
  type Area,
  type InputName,
  isSelf,
  type MatrixChange,
  MOST_WORDS,
  type Model,
  mismatchOf,
  type OptionChange,
  withCell,
  withMaskArea,
  withMatrices,
  withOptions,
  withWord,
  withWords,
} from "./model.ts";

/** Everything an element needs to draw itself again. */
export interface LoomState {
  readonly model: Model;
  readonly cursor: Cursor;
  /** What "reset" goes back to. */
  readonly start: Model;
  readonly past: readonly Model[];
  readonly future: readonly Model[];
  /** Which tab of the code is open. */
  readonly code: CodeLanguage;
  /** The trail of the question that is open: from the cell first asked about to the one on view. */
  readonly asked?: readonly AskedCell[];
  /** The numbers of the start are shown beside those that differ from them. */
  readonly isComparing?: boolean;
}

/** What can happen. Movement needs the stages; an edit does not. */
export type Action =
  | { readonly type: "next" | "back" | "first" | "last" | "finer" | "coarser" | "undo" | "redo" | "reset" }
  | { readonly type: "level"; readonly level: Level }
  | { readonly type: "head"; readonly head: number }
  | { readonly type: "code"; readonly language: CodeLanguage }
  | { readonly type: "frame"; readonly index: number }
  | {
      readonly type: "jump";
      readonly stage: string;
      readonly head?: number;
      readonly row?: number;
      readonly column?: number;
      readonly term?: number;
      /** Default: the level stays. */
      readonly level?: Level;
    }
  | {
      readonly type: "edit";
      readonly matrix: InputName;
      readonly row: number;
      readonly column: number;
      readonly value: number;
    }
  | { readonly type: "word"; readonly side: "q" | "kv"; readonly position: number; readonly word: string }
  | { readonly type: "words"; readonly side: "q" | "kv"; readonly words: readonly string[] }
  | { readonly type: "option"; readonly change: OptionChange }
  /** Whole matrices; one that is undefined is taken away. */
  | { readonly type: "matrices"; readonly change: MatrixChange }
  /** An area of the mask is opened or closed: who may look at whom. */
  | { readonly type: "mask"; readonly area: Area; readonly isOpen: boolean }
  /** Shows the numbers of the start, or no longer. */
  | { readonly type: "compare" }
  /** Another computation altogether, for instance an example. */
  | { readonly type: "model"; readonly model: Model }
  /** The words of both sides in one go. Where words are shared those of the queries count. */
  | { readonly type: "bothWords"; readonly q: readonly string[]; readonly kv: readonly string[] }
  | AskAction;

/** Edits that undo remembers, and how many numbers it remembers for them (32 MB). */
export const UNDO_LIMIT = 500;
const UNDO_NUMBERS = 4_000_000;

/**
 * The latest of these models, as many as undo remembers, at least one. They share what an edit leaves alone, so each costs
 * the matrix that it changed: some 100 bytes in the examples, 2 MB for a mask of 512 by 512.
 */
function remembered(past: readonly Model[]): readonly Model[] {
  const known = new Set<object>();
  let numbers = 0;
  const latestFirst = past.slice(-UNDO_LIMIT).reverse();
  const tooMany = latestFirst.findIndex(({ matrices, options }, i) => {
    for (const table of [...Object.values(matrices), options.allow]) {
      if (!table || known.has(table)) continue;
      known.add(table);
      numbers += table.data.length;
    }
    return i > 0 && numbers > UNDO_NUMBERS;
  });
  return (tooMany < 0 ? latestFirst : latestFirst.slice(0, tooMany)).reverse();
}

/** The state before anything has happened. */
export function initialState(model: Model, cursor: Partial<Cursor> = {}): LoomState {
  return {
    model,
    cursor: { level: "stage", stage: "", head: 0, row: 0, column: 0, term: 0, ...cursor },
    start: model,
    past: [],
    future: [],
    code: CODE_LANGUAGES[0],
  };
}

function edited(state: LoomState, model: Model): LoomState {
  if (JSON.stringify(model) === JSON.stringify(state.model)) return state;
  return { ...state, model, past: remembered([...state.past, state.model]), future: [] };
}

/** The same as {@link edited}, for a model whose words and rows may not agree: it is then refused. */
function replacedBy(state: LoomState, model: Model): LoomState {
  return mismatchOf(model) ? state : edited(state, model);
}

/** The numbers of a change as the float32 that the core computes with. */
function rounded(change: OptionChange): OptionChange {
  const numbers = Object.entries(change).map(([name, value]) => [
    name,
    typeof value === "number" ? Math.fround(value) : value,
  ]);
  return Object.fromEntries(numbers);
}

/** The state with another cursor; the same object where it is the same place. */
function placed(state: LoomState, cursor: Cursor): LoomState {
  return JSON.stringify(cursor) === JSON.stringify(state.cursor) ? state : { ...state, cursor };
}

function atLevel(cursor: Cursor, level: Level, stages: readonly StageShape[]): Cursor {
  return clampCursor({ ...cursor, level }, stages);
}

function moved(state: LoomState, stages: readonly StageShape[], by: number): Cursor {
  const cursor = clampCursor(state.cursor, stages);
  const index = frameIndex(cursor, stages);
  const next = cursorAt(stages, cursor.level, index + by, cursor.head);
  return frameIndex(next, stages) === index ? cursor : next;
}

/**
 * The state after an action; the same object where the action changes nothing. More than {@link MOST_WORDS} words of
 * one side are refused, and matrices that have not one row for each word.
 *
 * @param stages the stages as they are now, in order; an edit may change them, and the cursor is then clamped by
 *   {@link settle} as soon as the new ones are known
 */
export function reduce(state: LoomState, action: Action, stages: readonly StageShape[]): LoomState {
  const { cursor, model } = state;
  switch (action.type) {
    case "next":
      return placed(state, moved(state, stages, 1));
    case "back":
      return placed(state, moved(state, stages, -1));
    case "first":
      return placed(state, cursorAt(stages, cursor.level, 0, cursor.head));
    case "last":
      return placed(state, cursorAt(stages, cursor.level, Number.MAX_SAFE_INTEGER, cursor.head));
    case "frame":
      return placed(state, cursorAt(stages, cursor.level, action.index, cursor.head));
    case "level":
      return placed(state, atLevel(cursor, action.level, stages));
    case "finer":
    case "coarser": {
      const level = LEVELS[LEVELS.indexOf(cursor.level) + (action.type === "finer" ? 1 : -1)];
      return level ? placed(state, atLevel(cursor, level, stages)) : state;
    }
    case "head":
      return placed(state, clampCursor({ ...cursor, head: action.head }, stages));
    case "code": {
      const isKnown = CODE_LANGUAGES.includes(action.language);
      return isKnown && action.language !== state.code ? { ...state, code: action.language } : state;
    }
    case "jump": {
      const { stage, head = cursor.head, row = 0, column = 0, term = 0, level = cursor.level } = action;
      return placed(state, clampCursor({ level, stage, head, row, column, term }, stages));
    }
    case "edit": {
      const table = model.matrices[action.matrix];
      const value = Math.fround(action.value);
      if (!table || !Number.isFinite(value)) return state;
      const next = withCell(table, action.row, action.column, value);
      return edited(state, { ...model, matrices: { ...model.matrices, [action.matrix]: next } });
    }
    case "word":
      return edited(state, withWord(model, action.side, action.position, action.word));
    case "words":
      return action.words.length > MOST_WORDS ? state : edited(state, withWords(model, action.side, action.words));
    case "bothWords":
      if (action.q.length > MOST_WORDS || action.kv.length > MOST_WORDS) return state;
      return edited(
        state,
        isSelf(model) ? withWords(model, "q", action.q) : withWords(withWords(model, "q", action.q), "kv", action.kv),
      );
    case "option":
      return edited(state, withOptions(model, rounded(action.change)));
    case "matrices":
      return replacedBy(state, withMatrices(model, action.change));
    case "mask":
      return edited(state, withMaskArea(model, action.area, action.isOpen));
    case "model":
      return replacedBy(state, action.model);
    case "ask":
    case "askBack":
    case "askClose":
      return ask(state, action);
    case "compare":
      return { ...state, isComparing: !state.isComparing };
    case "reset":
      return edited(state, state.start);
    case "undo": {
      const before = state.past.at(-1);
      if (!before) return state;
      return { ...state, model: before, past: state.past.slice(0, -1), future: [model, ...state.future] };
    }
    case "redo": {
      const [after, ...future] = state.future;
      if (!after) return state;
      return { ...state, model: after, past: [...state.past, model], future };
    }
  }
}

/** The state with its cursor inside the stages as they now are; the same object where nothing had to move. */
export function settle(state: LoomState, stages: readonly StageShape[], order: readonly string[] = []): LoomState {
  return placed(state, clampCursor(state.cursor, stages, order));
}
