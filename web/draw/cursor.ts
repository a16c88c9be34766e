// Where the reader is.

/** How fine one step is. "term" is one multiply-add. */
export type Level = "stage" | "row" | "cell" | "term";

/** From coarse to fine. */
export const LEVELS: readonly Level[] = ["stage", "row", "cell", "term"];

/** A place in the computation. What is finer than the level is kept, so that going coarser and back returns. */
export interface Cursor {
  readonly level: Level;
  /** Name of a stage. */
  readonly stage: string;
  readonly head: number;
  readonly row: number;
  readonly column: number;
  readonly term: number;
}
