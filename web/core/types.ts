/// <reference lib="esnext.disposable" preserve="true" />

// The words of the public API. Shapes are in brackets; B batch entries, n_q queries, n_k keys, h heads, h_kv heads of keys
// and values. Rows are tokens. What is not of the type, range or shape that is said here is refused with a LoomError.

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

/** Flat data, last axis fastest, with its shape. */
export interface FlatArray {
  readonly data: Numbers;
  readonly shape: readonly number[];
}

/** A matrix going in: rows of numbers, or flat data with its shape. */
export type MatrixLike = NestedRows | FlatArray;

/** The same, or one for each batch entry, [B, n, d]. */
export type BatchLike = MatrixLike | readonly NestedRows[];

/** The same, or one for each head of each batch entry, heads first: [B, h, n, d]. */
export type HeadsLike = BatchLike | readonly (readonly NestedRows[])[];

/** `true` or 1 = this query may look at this key. */
export type AllowRows = readonly (readonly (boolean | 0 | 1)[])[];

/**
 * A yes/no mask going in: [n_q, n_k], [h, n_q, n_k] or [B, h, n_q, n_k]. A size of 1 is the same for all. Extra keys
 * ({@link AttendOptions.biasK}, {@link AttendOptions.addZeroAttn}) are in no mask.
 */
export type AllowLike =
  | AllowRows
  | readonly AllowRows[]
  | readonly (readonly AllowRows[])[]
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
 * Where the queries stand among the keys, cached ones included. `"start"`: the first query at the first key. `"end"`: the
 * last query at the last key, with {@link AttendOptions.keyCounts} at the last real key of its batch entry. `{ offset }`:
 * query i at key i + offset, a whole number of either sign.
 */
export type Align = "start" | "end" | { readonly offset: number };

/**
 * Each query sees keys up to its own position. `true`: the queries stand at the new keys, of which there must be as many.
 * Else see {@link Align}.
 */
export type Causal = boolean | Align;

/** Keys near the query's own position: so many before it and behind it, whole numbers of at least 0. */
export interface Window {
  readonly before: number;
  readonly after: number;
}

/**
 * For each query `count` keys, drawn with mulberry32 from `seed` (0 … 2³² − 1), query by query: ⌊uniform · n⌋ of the n
 * maskable keys. The same key may be drawn twice. After BigBird (Zaheer et al. 2020).
 */
export interface RandomKeys {
  readonly count: number;
  readonly seed: number;
}

/**
 * Rotary positions (Su et al. 2021): each pair of a head's columns is turned by position · base^(−2p/width), p the pair.
 * Keys stand at 0, 1, 2 …, queries from `offset` on; extra keys are not turned.
 */
export interface Rotary {
  /** Pairs are columns (2p, 2p + 1), or (p, p + width/2). */
  readonly pairing: "neighbour" | "half";
  /** Columns that turn: even, at most d_k. Default d_k, or d_k − 1 where that is odd. */
  readonly width?: number;
  /** Above 0. Default 10000. */
  readonly base?: number;
  /** Position of query 0, at least 0. Default: number of cached keys. */
  readonly offset?: number;
}

/** Options that both forms of {@link Loom.attend} share. */
export interface AttendOptions {
  /** Number of heads h ≥ 1; the columns of queries, keys and values split into equal blocks. Default 1. */
  readonly heads?: number;
  /** Heads of keys and values, a divisor of `heads`: neighbouring query heads share one (grouped heads). Default `heads`. */
  readonly kvHeads?: number;
  /** Factor on the scores. Default 1/√d_k (1 where d_k = 0). */
  readonly scale?: number;
  /** c > 0: each scaled score x becomes c · tanh(x/c), before any mask. */
  readonly softCap?: number;
  /** Which query may look at which key. */
  readonly allow?: AllowLike;
  /** Added to the scaled (and capped) scores; −∞ blocks. Shapes as for `allow`. */
  readonly add?: HeadsLike;
  /** Masks with a last axis shorter than the keys are filled up with blocked. Without it they are refused. */
  readonly shortMasks?: "block";
  readonly causal?: Causal;
  /** Where the queries stand for `window`, `blocks`, `global`, `random` and `alibi` where `causal` does not say it. Needed where n_q is not the number of new keys; default else: at the new keys. */
  readonly align?: Align;
  /** How many leading keys are real, one number or one for each batch entry: 0 … number of maskable keys. The others are padding. */
  readonly keyCounts?: number | readonly number[];
  /** With any of `window`, `blocks`, `global`, `random` a query sees only what one of them shows, and the key at its own position; other masks take away from that. */
  readonly window?: Window;
  /** ≥ 1: a query sees the keys of its own block of so many positions. */
  readonly blocks?: number;
  /** Numbers of tokens that see all keys and are seen by all queries. */
  readonly global?: readonly number[];
  readonly random?: RandomKeys;
  /**
   * −slope · |distance| is added to the scores (Press et al. 2022). `true`: slopes 2^(−8·(g + 1)/h) of heads g; or h finite
   * numbers.
   */
  readonly alibi?: boolean | Numbers;
  readonly rotary?: Rotary;
  /** Cached keys and values, already projected, in front of the new ones: [n_past, h_kv·d_k] and [n_past, h_kv·d_v], or in the layout of k and v. */
  readonly past?: { readonly k: HeadsLike; readonly v: HeadsLike };
  /** One more key and its value behind all others, that no mask touches: [h_kv·d_k]. Both or neither. */
  readonly biasK?: Numbers;
  /** [h_kv·d_v] */
  readonly biasV?: Numbers;
  /** One more key and value of zeros, the last, that no mask touches. Default false. */
  readonly addZeroAttn?: boolean;
  /** [h], finite: a factor on each head's output. */
  readonly gates?: Numbers;
  /** [h·d_v, d_out]: the output projection. */
  readonly wO?: MatrixLike;
  /** [d_out]: added behind it. */
  readonly bO?: Numbers;
  /** τ ≥ 0: exp((masked − rowmax)/τ). 0: the largest scores share the row. Default 1. Not with `softmax: "none"`; above 0 with `shift: false`. */
  readonly temperature?: number;
  /**
   * Whose weights sum to 1. `"rows"` (default): those of each query. To see what a step is for: `"columns"`, the softmax
   * along the wrong axis: those of each key, with `rowmax` and `rowsum` per key, [h, n_k]; a key that no query sees has
   * zeros. `"none"`: the weights are the scores behind scale, cap and masks themselves, a blocked one counts as 0; there are
   * no `rowmax`, `shifted`, `exp` and `rowsum`.
   */
  readonly softmax?: "rows" | "columns" | "none";
  /**
   * `false`: the largest score is not subtracted before e^x, which is ∞ above 88.72 and 0 below −87.33. Rows that this makes
   * wrong are among `notFiniteRows`. There is no `rowmax` then, and `shifted` (masked / τ) with a temperature other than 1
   * only. Not with `softmax: "none"`. Default true.
   */
  readonly shift?: boolean;
  /** Keep every stage. Default false; the output has the same bits either way. */
  readonly trace?: boolean;
  /** The result is written there and is `output.data`; exactly as long as the output. Not for `reference`. */
  readonly into?: Float32Array;
}

/** Attention on queries, keys and values that are given. With a batch axis in all three or in none; heads first in all or none. */
export interface AttendQkv extends AttendOptions {
  /** [n_q, h·d_k], [B, n_q, h·d_k], or heads first [B, h, n_q, d_k]. */
  readonly q: HeadsLike;
  /** [n_k, h_kv·d_k], [B, n_k, h_kv·d_k], or [B, h_kv, n_k, d_k]. */
  readonly k: HeadsLike;
  /** [n_k, h_kv·d_v], [B, n_k, h_kv·d_v], or [B, h_kv, n_k, d_v]. */
  readonly v: HeadsLike;
}

/** Layer norm (Ba et al. 2016) or RMS norm (Zhang and Sennrich 2019) of tokens: see {@link Loom.layerNorm}. */
export interface Norm {
  readonly kind: "layer" | "rms";
  /** Before attention and before the feed-forward part; `false`: behind each, after the residual. Default true. */
  readonly first?: boolean;
  /** ε ≥ 0. Default 1e-5. */
  readonly epsilon?: number;
  /** [d_model] each: factor and summand of the norm beside attention, and of the one beside `ffn`. No summands with "rms". */
  readonly gamma?: Numbers;
  readonly beta?: Numbers;
  readonly gamma2?: Numbers;
  readonly beta2?: Numbers;
}

/** activation(tokens · w1 + b1) · w2 + b2. */
export interface FeedForward {
  /** [width, d_ff], width that of attention's result, d_ff ≥ 1. */
  readonly w1: MatrixLike;
  /** [d_ff] */
  readonly b1?: Numbers;
  /** [d_ff, width] */
  readonly w2: MatrixLike;
  /** [width] */
  readonly b2?: Numbers;
  /** Default "gelu". */
  readonly activation?: "gelu" | "geluTanh" | "relu";
}

/** Attention on tokens: the projections are part of the computation, and what makes a transformer block of it. */
export interface AttendX extends AttendOptions {
  /** [n_q, d_model] or [B, n_q, d_model] */
  readonly x: BatchLike;
  /** [n_k, d_kv] or [B, n_k, d_kv]: the tokens that keys and values come from. Default: x. */
  readonly xKv?: BatchLike;
  /** [d_model, h·d_k] */
  readonly wQ: MatrixLike;
  /** [d_kv, h_kv·d_k] */
  readonly wK: MatrixLike;
  /** [d_kv, h_kv·d_v] */
  readonly wV: MatrixLike;
  /** [h·d_k], [h_kv·d_k], [h_kv·d_v]: added behind each projection. */
  readonly bQ?: Numbers;
  readonly bK?: Numbers;
  readonly bV?: Numbers;
  /** Added to x: [n_q, d_model], or sine and cosine codes (Vaswani et al. 2017) of positions 0, 1, 2 … */
  readonly positions?: "sinusoid" | MatrixLike;
  /** The same for xKv: [n_k, d_kv]. */
  readonly positionsKv?: "sinusoid" | MatrixLike;
  readonly norm?: Norm;
  /** x is added to what attention returns, and that to what `ffn` returns: h·d_v or d_out must be d_model. Default false. */
  readonly residual?: boolean;
  readonly ffn?: FeedForward;
}

export type AttendInput = AttendQkv | AttendX;

/** A row of weights: `[head, query]`, with a batch `[batch, head, query]`. */
export type RowIndex = readonly [head: number, query: number] | readonly [batch: number, head: number, query: number];

/** What {@link Loom.attend} returns. */
export interface AttendResult {
  /** [n_q, h·d_v], with wO [n_q, d_out]; with a batch [B, n_q, …]. */
  readonly output: Matrix;
  /** Rows with no visible key: their weights, and what their heads put out, are exactly 0. */
  readonly emptyRows: readonly RowIndex[];
  /**
   * Rows whose numbers left the range of float32. Other rows are right. With `softmax: "columns"` all rows that see the key
   * of such a number, as its sum is theirs too.
   */
  readonly notFiniteRows: readonly RowIndex[];
  /** Present exactly when `trace: true`. */
  readonly trace?: Trace;
}

/** How a cell of a stage arises. */
export type Operation =
  | "input" // given by the caller
  | "dot" // Σ over terms of left · top (+ addend)
  | "scale" // operand × scale
  | "cap" // cap · tanh(operand / cap)
  | "alibi" // −slope · distance
  | "mask" // operand (+ bias) (+ add), or −∞ where blocked
  | "max" // the largest of the row
  | "shift" // (operand (− rowmax)) / temperature
  | "exp" // e to the operand
  | "sum" // Σ over the row
  | "divide" // exp / rowsum
  | "unmask" // operand, or 0 where blocked
  | "copy" // the same number, put in its place
  | "zero" // 0
  | "multiply" // first × second
  | "add" // first + second
  | "rotate" // own · cosine ∓ partner · sine
  | "mean" // Σ over terms, by their number
  | "variance" // Σ over terms of (first − mean)², by their number
  | "meanSquare" // Σ over terms of first², by their number
  | "layerNorm" // (first − mean) / √(variance + ε) · γ + β
  | "rmsNorm" // first / √(mean square + ε) · γ
  | "gelu" // x/2 · (1 + erf(x/√2))
  | "geluTanh" // x/2 · (1 + tanh(√(2/π) · (x + 0.044715·x³)))
  | "relu" // the larger of x and 0
  | "sinusoid" // sine or cosine of position / base^…
  | "cosine" // of position · base^…
  | "sine"
  | "slope" // 2^(−8·(head + 1)/h)
  | "draw"; // drawn from the seed

/** What an axis runs along, seen from the cell [batch, head, row, column] that is being made. */
export type OperandAxis =
  | "batch"
  | "head"
  | "row"
  | "rowInPart" // row − the first row of the part
  | "column"
  | "term" // the index that is summed over
  | "first" // always 0: the same for all
  | "kvHead" // head div group: heads that share keys and values
  | "headColumn" // head · width + column: the head's own block of columns
  | "columnHead" // column div width: the head that a column of heads side by side belongs to
  | "columnInHead" // column mod width
  | "position" // row + shift
  | "pair" // the pair that the column turns in
  | "partner"; // the other column of that pair

/** One operand of a stage: a stage or input by name, and what each of its axes runs along. */
export interface OperandDescription {
  readonly stage: string;
  readonly axes: readonly OperandAxis[];
}

/** Rows of a stage that arise in one way. */
export interface PartDescription {
  /** The first of them, and the one behind the last. */
  readonly rows: readonly [first: number, end: number];
  readonly operation: Operation;
  /** For "dot": left factor first, then top factor, then the addend. */
  readonly operands: readonly OperandDescription[];
  /**
   * Products, summands or candidates that make one cell: d or, for the output, n_k for a dot product; n_k for a maximum or a
   * sum; else 1; 0 for an input. An addend and the division of a mean come on top, as one more term of the origin.
   */
  readonly terms: number;
  /** Of a dot product: the last operand is added to the sum. */
  readonly addend: boolean;
}

/** One stage, described as data. */
export interface StageDescription {
  /** A stage of the computation or an input, by the option's name; `queries`, `keys`, `values` if given. */
  readonly name: string;
  readonly shape: readonly number[];
  /** What each axis of the shape is: batch, head, row, column. */
  readonly axes: readonly OperandAxis[];
  /** Of the part that the new tokens make; the others are cached or extra keys. */
  readonly operation: Operation;
  readonly operands: readonly OperandDescription[];
  readonly terms: number;
  /** All parts, by rows. One where all rows arise in the same way. */
  readonly parts: readonly PartDescription[];
  /** Columns of one head, where an axis is "headColumn", "columnHead" or "columnInHead"; else 0. */
  readonly headWidth: number;
  /** Query heads that share a head of keys and values, for "kvHead"; else 1. */
  readonly group: number;
  /** For "position". */
  readonly shift: number;
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
  /** The cells that take part, in the order of {@link PartDescription.operands}; an addend in a term of its own, the two pairs of a turn in one each. None where a mean divides. */
  readonly operands: readonly CellValue[];
  /** What this term contributes: the product, the summand, the candidate for the maximum, the divisor of a mean, or the result itself. */
  readonly value: number;
  /** The running result after this term, as the core's float32 arithmetic has it. */
  readonly partial: number;
  /** Left out, because the key is blocked for this query (in a column's maximum or sum: this query for the key). Such a term changes nothing. */
  readonly leftOut: boolean;
}

/** Where a number comes from. */
export interface Origin extends CellRef {
  readonly operation: Operation;
  readonly terms: readonly OriginTerm[];
  /** The number itself: equal, bit for bit, to the stage's cell and to the last partial. */
  readonly value: number;
  /** The factor of "scale", the temperature of "shift", the cap of "cap", the ε of "layerNorm" and "rmsNorm". */
  readonly constant?: number;
  /** For "mask": why the cell is blocked. More than one may hold. */
  readonly blockedBy?: readonly ("allow" | "causal" | "add" | "pattern" | "padding")[];
}

/** What a row of weights is. */
export type RowState = "ok" | "empty" | "notFinite";

/**
 * Every stage of one computation, kept. Holds copies only: it stays right whatever is computed later. `origin` and `feeds`
 * need the core that made it, so they end with `loom.dispose()`.
 */
export interface Trace extends Disposable {
  /** Stage names in the order of the computation, for instance queries, keys, values, scores, scaled, rowmax, shifted, exp, rowsum, weights, output. */
  readonly stages: readonly string[];
  /** Names of what is given as a whole: x, wQ, … or queries, keys, values; masks, biases and so on. */
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
  /** `batch`: default 0. */
  rowState(head: number, row: number, batch?: number): RowState;
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

/** An array of any rank. */
export interface ArrayInput {
  /** Flat, last axis fastest; finite. */
  readonly data: Numbers;
  /** Default: one axis as long as the data. */
  readonly shape?: readonly number[];
}

/** x / √(mean of x² + ε) · γ (Zhang and Sennrich 2019). */
export interface RmsNormInput extends ArrayInput {
  /** Evened out over all axes from this one on; negative counts from the end. Default −1. */
  readonly axis?: number;
  /** ε ≥ 0. Default 1e-5. */
  readonly epsilon?: number;
  /** One factor for each cell of those axes, last fastest. Default 1. */
  readonly gamma?: Numbers;
}

/** (x − mean) / √(variance + ε) · γ + β, the variance divided by n (Ba et al. 2016). */
export interface LayerNormInput extends RmsNormInput {
  /** One summand for each cell. Default 0. */
  readonly beta?: Numbers;
}

/** Mean and variance keep the axes that were evened out, with size 1. */
export interface LayerNorm {
  readonly output: Matrix;
  readonly mean: Matrix;
  readonly variance: Matrix;
}

export interface RmsNorm {
  readonly output: Matrix;
  readonly meanSquare: Matrix;
}

/** x/2 · (1 + erf(x/√2)) (Hendrycks and Gimpel 2016). */
export interface GeluInput extends ArrayInput {
  /** x/2 · (1 + tanh(√(2/π) · (x + 0.044715·x³))) instead. */
  readonly approximate?: "tanh";
}

/** Turns pairs of columns: see {@link Rotary}. Angles from positions, or cosines and sines. */
export interface RotaryInput {
  readonly data: Numbers;
  /** [..., n, d] */
  readonly shape: readonly number[];
  readonly pairing: "neighbour" | "half";
  /** Even, at most d. Default d, or d − 1 where that is odd. */
  readonly width?: number;
  /** Above 0. Default 10000. */
  readonly base?: number;
  /** Of the n rows. Default 0, 1, 2 … */
  readonly positions?: Numbers;
  /** [n, width/2], or one row for each row of the data, [rows, width/2]. Both or neither. */
  readonly cosines?: FlatArray;
  readonly sines?: FlatArray;
}

/** Column 2p is sin(position / base^(2p/width)), column 2p + 1 the cosine (Vaswani et al. 2017). */
export interface SinusoidInput {
  /** How many. */
  readonly positions: number;
  readonly width: number;
  /** Above 0. Default 10000. */
  readonly base?: number;
  /** The first position. Default 0. */
  readonly first?: number;
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
  layerNorm(input: LayerNormInput): LayerNorm;
  rmsNorm(input: RmsNormInput): RmsNorm;
  gelu(input: GeluInput): Matrix;
  /** The larger of x and 0. */
  relu(input: ArrayInput): Matrix;
  rotary(input: RotaryInput): Matrix;
  /** Position codes: [positions, width]. */
  sinusoid(input: SinusoidInput): Matrix;
  buildInfo(): BuildInfo;
  memory(): MemoryInfo;
  dispose(): void;
}
