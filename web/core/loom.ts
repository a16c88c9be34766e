// The facade: from options to one call of the core, and copies back.

import { DISPOSE } from "./dispose.ts";
import { wrongOption } from "./errors.ts";
import type { Plan } from "./plan.ts";
import { checkInto } from "./problem/into.ts";
import type { RawCore } from "./raw.ts";
import { TwinReference } from "./reference.ts";
import { gelu, relu } from "./standalone/activation.ts";
import { layerNorm, rmsNorm } from "./standalone/norm.ts";
import { rotary, sinusoid } from "./standalone/positions.ts";
import { softmax } from "./standalone/softmax.ts";
import { WorkspaceTrace } from "./trace.ts";
import type {
  ArrayInput,
  AttendInput,
  AttendResult,
  BuildInfo,
  GeluInput,
  LayerNorm,
  LayerNormInput,
  Loom,
  Matrix,
  MemoryInfo,
  Reference,
  RmsNorm,
  RmsNormInput,
  RotaryInput,
  SinusoidInput,
  SoftmaxInput,
  Trace,
} from "./types.ts";
import { Workbench } from "./workbench.ts";

/** Up to this many numbers a loop is faster than TypedArray.slice. */
const SMALL = 32;
const NO_ROWS: AttendResult["emptyRows"] = Object.freeze([]);

/**
 * The facade of one core. `restart` makes a fresh one, should it stop in the middle of a call; `reason` says why this build
 * of it runs.
 */
export function createLoom(core: RawCore, restart: () => RawCore, reason: string): Loom {
  return new CoreLoom(new Workbench(core, restart), reason);
}

class CoreLoom implements Loom {
  readonly #bench: Workbench;
  readonly #reason: string;
  /** Places of two options among the numbers of a plan. */
  readonly #trace: number;
  readonly #temperature: number;

  constructor(bench: Workbench, reason: string) {
    this.#bench = bench;
    this.#reason = reason;
    this.#trace = bench.names.options.indexOf("trace");
    this.#temperature = bench.names.options.indexOf("temperature");
  }

  attend(input: AttendInput & { readonly trace: true }): AttendResult & { readonly trace: Trace };
  attend(input: AttendInput): AttendResult;
  attend(input: AttendInput): AttendResult {
    return this.#bench.guard(this.#attend, input);
  }

  /** Made once: an everyday call makes no function. */
  readonly #attend = (core: RawCore, input: AttendInput): AttendResult => {
    const bench = this.#bench;
    try {
      const { into } = bench.read(input);
      const plan = bench.plan();
      if (into !== null) checkInto(into, plan.outputShape, plan.outputCells);
      const base = bench.run(plan);
      const output = { name: "output", shape: plan.outputShape, data: copyOutput(core, base, plan, into) };
      const rows = readRowStates(core, bench.rowStates, plan);
      const { emptyRows, notFiniteRows } = rows;
      if (plan.options[this.#trace] === 0) return { output, emptyRows, notFiniteRows };
      const numbers = core.HEAPF32.slice(base, base + plan.elements);
      const states = core.HEAPU8.slice(bench.rowStates, bench.rowStates + rowCount(plan));
      const temperature = Math.fround(plan.options[this.#temperature] as number);
      return { output, emptyRows, notFiniteRows, trace: new WorkspaceTrace(bench, plan, temperature, numbers, states) };
    } finally {
      bench.forgetInput();
      bench.settle();
    }
  };

  reference(input: AttendInput): Reference {
    const bench = this.#bench;
    return bench.guard((core) => {
      try {
        const { into } = bench.read(input, true);
        if (into !== null) throw wrongOption("into", into, "into does not go with reference, which returns doubles.");
        const plan = bench.plan();
        bench.run(plan);
        const address = core.runTwin();
        if (address === 0) throw bench.lastError();
        const base = address / Float64Array.BYTES_PER_ELEMENT;
        return new TwinReference(plan, core.HEAPF64.slice(base, base + plan.elements));
      } finally {
        bench.forgetInput();
        bench.release();
      }
    });
  }

  softmax(input: SoftmaxInput): Matrix {
    return softmax(this.#alive, input);
  }

  layerNorm(input: LayerNormInput): LayerNorm {
    return layerNorm(this.#alive, input);
  }

  rmsNorm(input: RmsNormInput): RmsNorm {
    return rmsNorm(this.#alive, input);
  }

  gelu(input: GeluInput): Matrix {
    return gelu(this.#alive, input);
  }

  relu(input: ArrayInput): Matrix {
    return relu(this.#alive, input);
  }

  rotary(input: RotaryInput): Matrix {
    return rotary(this.#alive, input);
  }

  sinusoid(input: SinusoidInput): Matrix {
    return sinusoid(this.#alive, input);
  }

  /** Throws where the core has been disposed of, before anything is read. */
  get #alive(): Workbench {
    this.#bench.checkAlive();
    return this.#bench;
  }

  buildInfo(): BuildInfo {
    this.#bench.checkAlive();
    const [target, compiler, compileFlags, linkFlags, highway, eigen, version, simd] = this.#bench.names.build as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      BuildInfo["simd"],
    ];
    return { version, simd, reason: this.#reason, target, compiler, compileFlags, linkFlags, highway, eigen };
  }

  memory(): MemoryInfo {
    const core = this.#bench.core;
    return { liveBuffers: core.liveBuffers(), liveBytes: core.liveBytes(), wasmBytes: core.HEAPU8.buffer.byteLength };
  }

  dispose(): void {
    this.#bench.dispose();
  }

  [DISPOSE](): void {
    this.dispose();
  }
}

function copyOutput(core: RawCore, base: number, plan: Plan, into: Float32Array | null): Float32Array {
  const cells = plan.outputCells;
  const from = base + plan.last.offset;
  const heap = core.HEAPF32;
  if (into !== null) checkInto(into, plan.outputShape, cells);
  if (cells > SMALL) {
    if (into === null) return heap.slice(from, from + cells);
    into.set(heap.subarray(from, from + cells));
    return into;
  }
  const data = into ?? new Float32Array(cells);
  for (let i = 0; i < cells; i++) data[i] = heap[from + i] as number;
  return data;
}

function rowCount({ batch, heads, queries }: Plan): number {
  return Math.max(batch, 1) * heads * queries;
}

type Rows = AttendResult["emptyRows"][number][];

function readRowStates(core: RawCore, at: number, plan: Plan): Pick<AttendResult, "emptyRows" | "notFiniteRows"> {
  const heap = core.HEAPU8;
  const count = rowCount(plan);
  let emptyRows: Rows | null = null;
  let notFiniteRows: Rows | null = null;
  for (let i = 0; i < count; i++) {
    const state = heap[at + i];
    if (state === 0) continue;
    const row = rowOf(i, plan);
    if (state === 1) {
      emptyRows ??= [];
      emptyRows.push(row);
    } else {
      notFiniteRows ??= [];
      notFiniteRows.push(row);
    }
  }
  return { emptyRows: emptyRows ?? NO_ROWS, notFiniteRows: notFiniteRows ?? NO_ROWS };
}

function rowOf(i: number, { batch, heads, queries }: Plan): Rows[number] {
  const head = Math.floor(i / queries);
  return batch > 0 ? [Math.floor(head / heads), head % heads, i % queries] : [head, i % queries];
}
