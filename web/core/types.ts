/// <reference lib="esnext.disposable" preserve="true" />

// The words of the public API. Shapes are in brackets; n_q queries, n_k keys, h heads. Rows are tokens.

/** Numbers side by side: an array or a typed array. */
export type Numbers =
  | readonly number[]
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** Rows of numbers, for instance `[[1, 0], [0, 1]]`. All rows have the same length. */
export type NestedRows = readonly Numbers[];

/** A matrix going in: rows of numbers, or flat data (last axis fastest) with its shape. */
export type MatrixLike = NestedRows | { readonly data: Numbers; readonly shape: readonly number[] };

/** A yes/no mask going in: `true` or 1 = this query may look at this key. */
export type AllowLike =
  | readonly (readonly (boolean | 0 | 1)[])[]
  | readonly (readonly (readonly (boolean | 0 | 1)[])[])[]
  | { readonly data: Numbers | readonly boolean[]; readonly shape: readonly number[] };

/** A matrix coming out. `data` is a fresh copy that belongs to the caller; last axis fastest. */
export interface Matrix {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** The same, from the double-precision twin. */
export interface DoubleMatrix {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

/**
 * Where the causal triangle sits. `"start"`: the first query stands at the first key. `"end"`: the last query stands at
 * the last key. `{ offset }`: query i sees keys 0 … i + offset. `true` is allowed only where n_q = n_k.
 */
export type Causal = boolean | "start" | "end" | { readonly offset: number };

/** Options that both forms of {@link Loom.attend} share. */
export interface AttendOptions {
  /** Number of heads h ≥ 1; the columns of queries, keys and values split into h equal blocks. Default 1. */
  readonly heads?: number;
  /** Factor on the scores. Default 1/√d_k (1 where d_k = 0). */
  readonly scale?: number;
  /** [n_q, n_k] or [h, n_q, n_k]; `true` = may look. */
  readonly allow?: AllowLike;
  /** [n_q, n_k] or [h, n_q, n_k]; added to the scaled scores; −∞ blocks. */
  readonly add?: MatrixLike | readonly NestedRows[];
  readonly causal?: Causal;
  /** τ ≥ 0: exp((masked − rowmax)/τ). 0: the largest scores share the row. Default 1. */
  readonly temperature?: number;
  /** Keep every stage. Default false; the output has the same bits either way. */
  readonly trace?: boolean;
}

/** Attention on queries, keys and values that are given. */
export interface AttendQkv extends AttendOptions {
  /** [n_q, h·d_k] */
  readonly q: MatrixLike;
  /** [n_k, h·d_k] */
  readonly k: MatrixLike;
  /** [n_k, h·d_v] */
  readonly v: MatrixLike;
}

/** Attention on tokens: the projections are part of the computation. */
export interface AttendX extends AttendOptions {
  /** [n_q, d_model] */
  readonly x: MatrixLike;
  /** [n_k, d_kv]: the tokens that keys and values come from. Default: x. */
  readonly xKv?: MatrixLike;
  /** [d_model, h·d_k] */
  readonly wQ: MatrixLike;
  /** [d_kv, h·d_k] */
  readonly wK: MatrixLike;
  /** [d_kv, h·d_v] */
  readonly wV: MatrixLike;
}

export type AttendInput = AttendQkv | AttendX;

/** What {@link Loom.attend} returns. */
export interface AttendResult {
  /** [n_q, h·d_v] */
  readonly output: Matrix;
  /** Rows `[head, query]` with no visible key: their weights and output are exactly 0. */
  readonly emptyRows: readonly (readonly [number, number])[];
  /** Rows `[head, query]` whose numbers left the range of float32. Other rows are right. */
  readonly notFiniteRows: readonly (readonly [number, number])[];
  /** Present exactly when `trace: true`. */
  readonly trace?: Trace;
}

/** How a cell of a stage arises. */
export type Operation =
  | "input" // given by the caller
  | "dot" // Σ over terms of left · top
  | "scale" // operand × scale
  | "mask" // operand (+ add), or −∞ where blocked
  | "max" // the largest of the row
  | "shift" // (operand − rowmax) / temperature
  | "exp" // e to the operand
  | "sum" // Σ over the row
  | "divide" // exp / rowsum
  | "copy"; // the same number, put in its place

/** What an axis of an operand runs along, seen from the cell [head, row, column] that is being made. */
export type OperandAxis =
  | "head"
  | "row"
  | "column"
  | "term" // the index that is summed over
  | "headColumn" // head · width + column: the head's own block of columns
  | "columnHead" // column div width: the head that a column of heads side by side belongs to
  | "columnInHead"; // column mod width

/** One operand of a stage: a stage or input by name, and what each of its axes runs along. */
export interface OperandDescription {
  readonly stage: string;
  readonly axes: readonly OperandAxis[];
}

/** One stage, described as data. */
export interface StageDescription {
  /** A stage of the computation, or an input (`x`, `xKv`, `wQ`, `wK`, `wV`, `add`, `allow`; `queries`, `keys`, `values` if given). */
  readonly name: string;
  readonly shape: readonly number[];
  readonly operation: Operation;
  /** For "dot": left factor first, then top factor. */
  readonly operands: readonly OperandDescription[];
  /** Number of terms that make one cell: d or, for the output, n_k for a dot product; n_k for a maximum or a sum; else 1; 0 for an input. */
  readonly terms: number;
  /** Columns of one head, where an axis is "headColumn", "columnHead" or "columnInHead"; else 0. */
  readonly headWidth: number;
}

/** One cell. */
export interface CellRef {
  readonly stage: string;
  readonly index: readonly number[];
}

/** One cell with its number. */
export interface CellValue extends CellRef {
  readonly value: number;
}

/** One step in the making of a cell. */
export interface OriginTerm {
  /** The cells that take part, in the order of {@link StageDescription.operands}. */
  readonly operands: readonly CellValue[];
  /** What this term contributes: the product, the summand, the candidate for the maximum, or the result itself. */
  readonly value: number;
  /** The running result after this term, as the core's float32 arithmetic has it. */
  readonly partial: number;
  /** Left out, because the key is blocked for this query. Such a term changes nothing. */
  readonly leftOut: boolean;
}

/** Where a number comes from. */
export interface Origin extends CellRef {
  readonly operation: Operation;
  readonly terms: readonly OriginTerm[];
  /** The number itself: equal, bit for bit, to the stage's cell and to the last partial. */
  readonly value: number;
  /** The factor of "scale", the temperature of "shift". */
  readonly constant?: number;
  /** For "mask": why the cell is blocked. More than one may hold. */
  readonly blockedBy?: readonly ("allow" | "causal" | "add")[];
}

/** What a row of weights is. */
export type RowState = "ok" | "empty" | "notFinite";

/**
 * Every stage of one computation, kept. Holds copies only: it stays right whatever is computed later. `origin` and `feeds`
 * need the core that made it, so they end with `loom.dispose()`.
 */
export interface Trace extends Disposable {
  /** Stage names in order, for instance queries, keys, values, scores, scaled, rowmax, shifted, exp, rowsum, weights, output. */
  readonly stages: readonly string[];
  /** Names of the given matrices: x, wQ, … or queries, keys, values; and the masks add and allow. */
  readonly inputs: readonly string[];
  /** The factor that made `scaled`, as float32. */
  readonly scale: number;
  readonly temperature: number;
  readonly heads: number;
  /** Of a stage or an input. */
  describe(name: string): StageDescription;
  /** The numbers of a stage or an input. A fresh copy at each call. */
  stage(name: string): Matrix;
  /** Where cell `index` of `name` comes from. */
  origin(name: string, index: readonly number[]): Origin;
  /** The cells that have this one among their operands: the exact inverse of {@link origin}. */
  feeds(name: string, index: readonly number[]): readonly CellRef[];
  rowState(head: number, row: number): RowState;
  dispose(): void;
}

/** Every stage in double precision, from the readable twin. */
export interface Reference {
  readonly output: DoubleMatrix;
  readonly stages: readonly string[];
  stage(name: string): DoubleMatrix;
}

/** A softmax over one axis of an array of any rank. */
export interface SoftmaxInput {
  /** Flat, last axis fastest. −∞ means blocked and is allowed. */
  readonly data: Numbers;
  /** Default: one axis as long as the data. */
  readonly shape?: readonly number[];
  /** Negative counts from the end. Default −1. */
  readonly axis?: number;
  /** The logarithm of the softmax instead. */
  readonly log?: boolean;
}

/** How the running core was built. */
export interface BuildInfo {
  readonly version: string;
  /** Which of the three builds it is. */
  readonly simd: "simd128" | "relaxed" | "scalar";
  /** Why this one runs, in words: "default", "asked for", "SIMD is missing here", … */
  readonly reason: string;
  /** Highway's name of the vector target, for instance "WASM", or "SCALAR" in the build without SIMD. */
  readonly target: string;
  readonly compiler: string;
  readonly compileFlags: string;
  readonly linkFlags: string;
  readonly highway: string;
  readonly eigen: string;
}

/** What the core holds at the moment. Read by tests. */
export interface MemoryInfo {
  /** Buffers alive in the core. */
  readonly liveBuffers: number;
  /** Their bytes. */
  readonly liveBytes: number;
  /** Size of the wasm memory in bytes. */
  readonly wasmBytes: number;
}

/**
 * How to load the core. A file that is given (wasmModule, wasmBinary, wasmUrl) is used as it is, whatever `simd` says. Every
 * core is checked once when it has started; the package's own is replaced by the build without SIMD if it computes wrongly.
 */
export interface LoadOptions {
  /**
   * Which build. `"auto"` (default): with SIMD128 where the engine has it, else without SIMD; the bits are the same.
   * `"relaxed"`: for speed, with relaxed SIMD where the engine has it, else as "auto"; last digits may differ from one
   * machine to the next. `"off"`: without SIMD, at down to a third of the speed.
   */
  readonly simd?: "auto" | "relaxed" | "off";
  /** Where the wasm file is. Relative addresses resolve against the page; in Node, against the script. */
  readonly wasmUrl?: string | URL;
  /** Its bytes: nothing is fetched. */
  readonly wasmBinary?: ArrayBuffer | Uint8Array;
  /** A compiled module: nothing is fetched or compiled. Goes before wasmBinary, which goes before wasmUrl. */
  readonly wasmModule?: WebAssembly.Module;
}

/** The core, loaded. */
export interface Loom extends Disposable {
  attend(input: AttendInput & { readonly trace: true }): AttendResult & { readonly trace: Trace };
  attend(input: AttendInput): AttendResult;
  /**
   * The same computation by the double-precision twin. Takes about three times the memory of a traced `attend`: beyond the
   * 256 MB of the core it is refused with code "memory".
   */
  reference(input: AttendInput): Reference;
  softmax(input: SoftmaxInput): Matrix;
  buildInfo(): BuildInfo;
  memory(): MemoryInfo;
  dispose(): void;
}
