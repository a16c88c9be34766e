import type { Incoming } from "../incoming/index.ts";
import { LARGEST, type Options } from "../options.ts";

/** Sizes that options are checked against, under the names of cpp/trace/options.h in JavaScript's spelling. */
export interface Sizes {
  /** 0: there is no batch axis. */
  batch: number;
  heads: number;
  kvHeads: number;
  nQ: number;
  nNew: number;
  nPast: number;
  dK: number;
  dV: number;
  dModel: number;
  dKv: number;
  /** Width of what attention returns: heads side by side, or the columns of wO. */
  attended: number;
  /** Keys that masks know of. */
  maskable: number;
  /** All keys, those behind the maskable ones included. */
  keys: number;
}

/**
 * One computation: sizes and switches, and the numbers that fill stages. There is one for each core, written anew for each
 * call, so that an everyday call makes no objects but its own.
 */
export class Problem implements Sizes {
  readonly options: Options;
  /** How many matrices arrive; of each the matrix, and the stage and the first row of it that it fills. */
  count = 0;
  readonly matrices: (Incoming | null)[] = [];
  readonly stages: string[] = [];
  readonly rows: number[] = [];
  /** Where the result goes instead of a fresh array. */
  into: Float32Array | null = null;
  /** Sizes that 32 bits cannot hold, by the core's name for them: it was handed the largest one instead. */
  asked: Map<string, number> | null = null;

  batch = 0;
  heads = 1;
  kvHeads = 1;
  nQ = 0;
  nNew = 0;
  nPast = 0;
  dK = 0;
  dV = 0;
  dModel = 0;
  dKv = 0;
  attended = 0;
  maskable = 0;
  keys = 0;

  constructor(options: Options) {
    this.options = options;
  }

  /** Lets go of what the last call brought. */
  forget(): void {
    for (let i = 0; i < this.count; i++) this.matrices[i] = null;
    this.count = 0;
    this.into = null;
  }

  reset(): void {
    this.forget();
    this.options.reset();
    this.asked = null;
    this.batch = 0;
    this.nPast = 0;
    this.dModel = 0;
    this.dKv = 0;
  }

  fill(stage: string, matrix: Incoming, firstRow = 0): void {
    const i = this.count++;
    this.matrices[i] = matrix;
    this.stages[i] = stage;
    this.rows[i] = firstRow;
  }

  /** The place of the first matrix that fills `stage`, or −1. */
  indexOf(stage: string): number {
    for (let i = 0; i < this.count; i++) {
      if (this.stages[i] === stage) return i;
    }
    return -1;
  }

  /** A size. What 32 bits cannot hold is beyond every limit, and refused by the core under the name `param`. */
  size(option: string, size: number, param: string): void {
    if (size > LARGEST) {
      this.asked ??= new Map();
      this.asked.set(param, size);
    }
    this.options.put(option, Math.min(size, LARGEST));
  }
}
