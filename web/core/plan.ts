// The plan of one computation, read from the core once: which stages there are, how they arise, where their numbers lie.

import type { Names } from "./names.ts";
import type { RawCore } from "./raw.ts";
import type { OperandAxis, OperandDescription, PartDescription, StageDescription } from "./types.ts";

/** Numbers that the core has written into its memory one after the other, in the order of cpp/bindings/numbers.cpp. */
export class Reader {
  readonly #heap: Float64Array;
  at: number;

  constructor(heap: Float64Array, at: number) {
    this.#heap = heap;
    this.at = at;
  }

  next(): number {
    return this.#heap[this.at++] as number;
  }

  list(count: number): number[] {
    return Array.from({ length: count }, () => this.next());
  }
}

/** A stage or an input with its place in the workspace, in elements. */
export class PlacedStage {
  readonly id: number;
  readonly name: string;
  readonly offset: number;
  readonly axes: readonly OperandAxis[];
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** Given as a whole. */
  readonly given: boolean;
  #description: StageDescription | null = null;
  readonly #names: Names;
  readonly #parts: readonly (readonly number[])[];
  readonly #numbers: readonly [headWidth: number, group: number, shift: number];

  constructor(from: Reader, names: Names) {
    this.#names = names;
    this.id = from.next();
    this.name = names.stages[this.id] as string;
    this.offset = from.next();
    this.#numbers = [from.next(), from.next(), from.next()];
    const axes: OperandAxis[] = [];
    const shape: number[] = [];
    const strides: number[] = [];
    for (let rank = from.next(); rank > 0; rank--) {
      axes.push(names.axes[from.next()] as OperandAxis);
      shape.push(from.next());
      strides.push(from.next());
    }
    this.axes = Object.freeze(axes);
    this.shape = Object.freeze(shape);
    this.strides = strides;
    this.#parts = Array.from({ length: from.next() }, () => readPart(from));
    this.given = this.#parts.length === 1 && this.operations[0] === "input";
  }

  get operations(): readonly string[] {
    return this.#parts.map((part) => this.#names.operations[part[2] as number] as string);
  }

  /** Elements from one index to the next along an axis; 0 where there is none. */
  stride(axis: OperandAxis): number {
    return this.strides[this.axes.indexOf(axis)] ?? 0;
  }

  size(axis: OperandAxis): number {
    return this.shape[this.axes.indexOf(axis)] ?? 1;
  }

  /** Frozen, all the way down: every trace of the same plan shares it. Made when it is first asked for. */
  get description(): StageDescription {
    this.#description ??= this.#describe();
    return this.#description;
  }

  #describe(): StageDescription {
    const parts = this.#parts.map((part) => describePart(part, this.#names));
    // What a whole is called by: the tokens at hand, not what is cached or put behind them.
    const { operation, operands, terms } = (parts.find((part) => part.operation === "dot") ??
      parts[0]) as PartDescription;
    const [headWidth, group, shift] = this.#numbers;
    const { name, shape, axes } = this;
    return Object.freeze({
      name,
      shape,
      axes,
      operation,
      operands,
      terms,
      headWidth,
      group,
      shift,
      parts: Object.freeze(parts),
    });
  }
}

/** First row, end, operation, terms, addend, operands; then of each operand its stage, its rank and its axes. */
function readPart(from: Reader): number[] {
  const part = from.list(6);
  for (let operand = part[5] as number; operand > 0; operand--) {
    const [stage, rank] = from.list(2) as [number, number];
    part.push(stage, rank, ...from.list(rank));
  }
  return part;
}

function describePart(part: readonly number[], names: Names): PartDescription {
  const [first, end, operation, terms, addend, operandCount] = part as [number, number, number, number, number, number];
  const operands: OperandDescription[] = [];
  for (let at = 6; operands.length < operandCount; ) {
    const rank = part[at + 1] as number;
    const axes = part.slice(at + 2, at + 2 + rank).map((axis) => names.axes[axis] as OperandAxis);
    operands.push(Object.freeze({ stage: names.stages[part[at] as number] as string, axes: Object.freeze(axes) }));
    at += 2 + rank;
  }
  return Object.freeze({
    rows: Object.freeze([first, end] as const),
    operation: names.operations[operation] as PartDescription["operation"],
    operands: Object.freeze(operands),
    terms,
    addend: addend !== 0,
  });
}

/** Where what arrives goes: so many pieces of equal size, `stride` elements from one to the next. */
export interface Site {
  readonly stage: string;
  readonly firstRow: number;
  /** Of the first piece, in the workspace. */
  readonly at: number;
  readonly pieces: number;
  readonly stride: number;
}

export class Plan {
  /** The options it was made for, and what a call has to say to have the same. */
  readonly options: Float64Array;
  readonly said: Float64Array;
  /** Elements of the workspace. */
  readonly elements: number;
  readonly scale: number;
  readonly stages: ReadonlyMap<string, PlacedStage>;
  /** The stage that is the result. */
  readonly last: PlacedStage;
  /** [n_q, width], with a batch [B, n_q, width]: the heads of a row lie side by side. */
  readonly outputShape: readonly number[];
  readonly outputCells: number;
  /** Heads and queries, for the states of the rows. */
  readonly heads: number;
  readonly batch: number;
  readonly queries: number;
  /** In the order of the last call; the next one with the same options has the same. */
  readonly #sites: Site[] = [];

  /** Of the attention that the core was configured for last. `at`: where its description begins. */
  constructor(core: RawCore, at: number, names: Names, options: Float64Array, said: Float64Array) {
    const from = new Reader(core.HEAPF64, at);
    this.options = options;
    this.said = said;
    this.elements = from.next();
    this.scale = from.next();
    const last = names.stages[from.next()] as string;
    const stages = new Map<string, PlacedStage>();
    for (let count = from.next(); count > 0; count--) {
      const stage = new PlacedStage(from, names);
      stages.set(stage.name, stage);
    }
    this.stages = stages;
    this.last = stages.get(last) as PlacedStage;
    const output = stages.get("output") as PlacedStage;
    this.heads = output.size("head");
    this.batch = output.axes[0] === "batch" ? (output.shape[0] as number) : 0;
    this.queries = output.size("row");
    const shape = [this.queries, this.last.size("head") * this.last.size("column")];
    if (this.batch > 0) shape.unshift(this.batch);
    this.outputShape = Object.freeze(shape);
    this.outputCells = shape.reduce((all, size) => all * size, 1);
  }

  /** Where the `i`-th matrix of a call goes, whose first row is row `firstRow` of `stage`. */
  site(i: number, stage: string, firstRow: number): Site {
    const known = this.#sites[i];
    if (known !== undefined && known.stage === stage && known.firstRow === firstRow) return known;
    const site = siteOf(this.stages.get(stage) as PlacedStage, firstRow);
    this.#sites[i] = site;
    return site;
  }
}

/** Masks, weights and tokens lie as they arrive; queries, keys and values have gaps where other rows stand between them. */
function siteOf(stage: PlacedStage, firstRow: number): Site {
  const { name, offset } = stage;
  if (!HEADED.has(name)) return { stage: name, firstRow, at: offset, pieces: 1, stride: 0 };
  const at = offset + firstRow * stage.stride("row");
  const entries = stage.size("batch");
  const heads = stage.size("head");
  // Where heads come first, a row is that of one head.
  const headsFirst = heads > 1 && stage.stride("row") === stage.size("column");
  const pieces = headsFirst ? entries * heads : entries;
  return { stage: name, firstRow, at, pieces, stride: headsFirst ? stage.stride("head") : stage.stride("batch") };
}

const HEADED: ReadonlySet<string> = new Set(["queries", "keys", "values"]);

/** The numbers of a stage, in order, out of a workspace that begins at element `base` of `heap`. A fresh array. */
export function gather<A extends Float32Array | Float64Array>(heap: A, base: number, stage: PlacedStage): A {
  const { shape, strides } = stage;
  const start = base + stage.offset;
  const cells = shape.reduce((all, size) => all * size, 1);
  let contiguous = 1;
  const gapless = shape.every((_, axis) => {
    const at = shape.length - 1 - axis;
    const fits = shape[at] === 1 || strides[at] === contiguous;
    contiguous *= shape[at] as number;
    return fits;
  });
  if (gapless) return heap.slice(start, start + cells) as A;
  const out = new (heap.constructor as new (length: number) => A)(cells);
  const width = shape[shape.length - 1] as number;
  for (let done = 0; done < cells; done += width) {
    let from = start;
    let rest = done / width;
    for (let axis = shape.length - 2; axis >= 0; axis--) {
      const size = shape[axis] as number;
      from += (rest % size) * (strides[axis] as number);
      rest = Math.floor(rest / size);
    }
    out.set(heap.subarray(from, from + width) as never, done);
  }
  return out;
}
