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

/** Looks at its numbers only when it is asked: of a long sequence there are many that no frame shows. */
class LazyNumbers implements StageNumbers {
  readonly description: StageDescription;
  readonly grid: Grid;
  readonly data: Float32Array;
  readonly #mark: string;
  #format: NumberFormat | undefined;
  #full: number | undefined;

  constructor(description: StageDescription, data: Float32Array, mark: string, isShare: boolean) {
    this.description = description;
    this.grid = gridOf(description);
    this.data = data;
    this.#mark = mark;
    if (isShare) this.#full = 1;
  }

  get format(): NumberFormat {
    this.#format ??= formatFor(this.data, this.#mark);
    return this.#format;
  }

  get full(): number {
    this.#full ??= largest(this.data);
    return this.#full;
  }
}

/** The largest size of a finite number, 0 without any. */
function largest(data: Float32Array): number {
  let most = 0;
  for (const value of data) {
    const size = Math.abs(value);
    if (size > most && size !== Number.POSITIVE_INFINITY) most = size;
  }
  return most;
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
    const isShare = description.operation === "divide" || (description.operation === "exp" && this.has("rowmax"));
    const made = new LazyNumbers(description, this.trace.stage(name).data, this.mark, isShare);
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
