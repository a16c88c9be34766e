// The numbers of one computation, read once and kept with the format each matrix is written in.

import type { CellRef, StageDescription, Trace } from "../core/types.ts";
import { formatFor, formatNumber, type NumberFormat } from "./number.ts";
import { flatIndex, type Grid, gridOf } from "./shape.ts";

/** What a drawing needs of a trace. */
export type TraceView = Pick<
  Trace,
  "stages" | "inputs" | "scale" | "temperature" | "heads" | "describe" | "stage" | "origin" | "feeds" | "rowState"
>;

/** One stage or input. */
export interface StageNumbers {
  readonly description: StageDescription;
  readonly grid: Grid;
  readonly data: Float32Array;
  readonly format: NumberFormat;
  /** The size that gets the strongest tint: 1 for shares and for exponentials of at most 1, else the largest in the matrix. */
  readonly full: number;
}

/** All stages and inputs of a trace, by name. */
export class Numbers {
  readonly trace: TraceView;
  readonly mark: string;
  readonly #known = new Map<string, StageNumbers>();

  constructor(trace: TraceView, mark = ".") {
    this.trace = trace;
    this.mark = mark;
  }

  has(name: string): boolean {
    return this.trace.stages.includes(name) || this.trace.inputs.includes(name);
  }

  /** Is there such a cell? */
  isCell({ stage, index }: CellRef): boolean {
    if (!this.has(stage) || !Array.isArray(index)) return false;
    const { shape } = this.of(stage).description;
    const isInside = (at: unknown, size: number) =>
      Number.isInteger(at) && (at as number) >= 0 && (at as number) < size;
    return index.length === shape.length && shape.every((size, axis) => isInside(index[axis], size));
  }

  of(name: string): StageNumbers {
    const known = this.#known.get(name);
    if (known) return known;
    const description = this.trace.describe(name);
    const { data } = this.trace.stage(name);
    let full = 0;
    const isShare = description.operation === "divide" || (description.operation === "exp" && this.has("rowmax"));
    if (isShare) full = 1;
    else for (const value of data) if (Number.isFinite(value)) full = Math.max(full, Math.abs(value));
    const made = { description, grid: gridOf(description), data, format: formatFor(data, this.mark), full };
    this.#known.set(name, made);
    return made;
  }

  value(name: string, index: readonly number[]): number {
    const { description, data } = this.of(name);
    return data[flatIndex(description.shape, index)] ?? Number.NaN;
  }

  /** The cell as it is written in its matrix. */
  text(name: string, index: readonly number[]): string {
    return formatNumber(this.value(name, index), this.of(name).format);
  }

  /** The descriptions of all stages, in order. */
  get stages(): readonly StageDescription[] {
    return this.trace.stages.map((name) => this.of(name).description);
  }
}
