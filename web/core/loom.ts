// The facade: from options to one call of the core, and copies back.

import { DISPOSE } from "./dispose.ts";
import type { Plan } from "./plan.ts";
import { readProblem } from "./problem.ts";
import type { RawCore, RawOptions } from "./raw.ts";
import { TwinReference } from "./reference.ts";
import { readSoftmax } from "./softmax.ts";
import { WorkspaceTrace } from "./trace.ts";
import type {
  AttendInput,
  AttendResult,
  BuildInfo,
  Loom,
  Matrix,
  MemoryInfo,
  Reference,
  SoftmaxInput,
  Trace,
} from "./types.ts";
import { Workbench } from "./workbench.ts";

/** Up to this many numbers a loop is faster than TypedArray.slice. */
const SMALL = 64;
const NO_ROWS: readonly (readonly [number, number])[] = Object.freeze([]);

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

  constructor(bench: Workbench, reason: string) {
    this.#bench = bench;
    this.#reason = reason;
  }

  attend(input: AttendInput & { readonly trace: true }): AttendResult & { readonly trace: Trace };
  attend(input: AttendInput): AttendResult;
  attend(input: AttendInput): AttendResult {
    const bench = this.#bench;
    const problem = readProblem(input);
    const { options } = problem;
    return bench.guard((core) => {
      const plan = bench.plan(problem);
      try {
        const base = bench.run(problem, plan);
        const output = copyOutput(core, base, plan, options);
        const { emptyRows, notFiniteRows } = readRowStates(core, options);
        if (!options.trace) return { output, emptyRows, notFiniteRows };
        const numbers = core.HEAPF32.slice(base, base + plan.elements);
        const states = core.HEAPU8.slice(core.rowStates(), core.rowStates() + options.heads * options.nQ);
        return { output, emptyRows, notFiniteRows, trace: new WorkspaceTrace(bench, plan, options, numbers, states) };
      } finally {
        bench.settle();
      }
    });
  }

  reference(input: AttendInput): Reference {
    const bench = this.#bench;
    const read = readProblem(input);
    const options = { ...read.options, trace: true };
    const problem = { ...read, options };
    return bench.guard((core) => {
      const plan = bench.plan(problem);
      try {
        bench.run(problem, plan);
        const address = core.runTwin();
        if (address === 0) throw bench.lastError();
        const base = address / Float64Array.BYTES_PER_ELEMENT;
        const numbers = core.HEAPF64.slice(base, base + plan.elements);
        return new TwinReference(plan, options, numbers);
      } finally {
        core.release();
      }
    });
  }

  softmax(input: SoftmaxInput): Matrix {
    const problem = readSoftmax(input);
    return this.#bench.guard(() => ({
      name: problem.log ? "logSoftmax" : "softmax",
      shape: problem.shape,
      data: this.#bench.softmax(problem),
    }));
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

function copyOutput(core: RawCore, base: number, plan: Plan, options: RawOptions): Matrix {
  const width = options.heads * options.dV;
  const cells = options.nQ * width;
  const from = base + (plan.stages.get("output")?.offset ?? 0);
  const heap = core.HEAPF32;
  let data: Float32Array;
  if (cells > SMALL) {
    data = heap.slice(from, from + cells);
  } else {
    data = new Float32Array(cells);
    for (let i = 0; i < cells; i++) data[i] = heap[from + i] as number;
  }
  return { name: "output", shape: [options.nQ, width], data };
}

function readRowStates(core: RawCore, options: RawOptions): Pick<AttendResult, "emptyRows" | "notFiniteRows"> {
  const { heads, nQ } = options;
  const at = core.rowStates();
  const heap = core.HEAPU8;
  let emptyRows: [number, number][] | null = null;
  let notFiniteRows: [number, number][] | null = null;
  for (let i = 0; i < heads * nQ; i++) {
    const state = heap[at + i];
    if (state === 0) continue;
    const row: [number, number] = [Math.floor(i / nQ), i % nQ];
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
