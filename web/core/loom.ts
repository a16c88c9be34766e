// The facade: from options to one call of the core, and copies back.

import { LoomRangeError, LoomTypeError, show } from "./errors.ts";
import { gather, type Plan } from "./plan.ts";
import { readProblem } from "./problem.ts";
import type { RawCore, RawOptions } from "./raw.ts";
import { WorkspaceTrace } from "./trace.ts";
import type {
  AttendInput,
  AttendResult,
  BuildInfo,
  DoubleMatrix,
  Loom,
  Matrix,
  MemoryInfo,
  Reference,
  SoftmaxInput,
} from "./types.ts";
import { Workbench } from "./workbench.ts";

/** Up to this many numbers a loop is faster than TypedArray.slice. */
const SMALL = 64;
const NO_ROWS: readonly (readonly [number, number])[] = Object.freeze([]);

/** The facade of one core. */
export function createLoom(core: RawCore): Loom {
  return new CoreLoom(new Workbench(core));
}

class CoreLoom implements Loom {
  readonly #bench: Workbench;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

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
    const { data, shape, axis, log } = readSoftmax(input);
    const length = shape[axis] ?? 1;
    const outer = shape.slice(0, axis).reduce((product, size) => product * size, 1);
    const inner = shape.slice(axis + 1).reduce((product, size) => product * size, 1);
    const write = (heap: Float32Array, at: number) => {
      for (let i = 0; i < data.length; i++) heap[at + i] = data[i] as number;
    };
    return this.#bench.guard(() => ({
      name: log ? "logSoftmax" : "softmax",
      shape,
      data: this.#bench.softmax(data, write, [outer, length, inner], log),
    }));
  }

  buildInfo(): BuildInfo {
    this.#bench.core;
    const [target, compiler, compileFlags, linkFlags, highway, eigen, version] = this.#bench.names.build as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return { version, target, compiler, compileFlags, linkFlags, highway, eigen };
  }

  memory(): MemoryInfo {
    const core = this.#bench.core;
    return { liveBuffers: core.liveBuffers(), liveBytes: core.liveBytes(), wasmBytes: core.HEAPU8.buffer.byteLength };
  }

  dispose(): void {
    this.#bench.dispose();
  }

  [Symbol.dispose](): void {
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

class TwinReference implements Reference {
  readonly stages: readonly string[];
  readonly output: DoubleMatrix;
  readonly #plan: Plan;
  readonly #numbers: Float64Array;

  constructor(plan: Plan, options: RawOptions, numbers: Float64Array) {
    this.#plan = plan;
    this.#numbers = numbers;
    this.stages = [...plan.stages.values()]
      .filter((stage) => stage.description.operation !== "input")
      .map((stage) => stage.description.name);
    const from = plan.stages.get("output")?.offset ?? 0;
    const width = options.heads * options.dV;
    this.output = { name: "output", shape: [options.nQ, width], data: numbers.slice(from, from + options.nQ * width) };
  }

  stage(name: string): DoubleMatrix {
    const stage = this.#plan.stages.get(name);
    if (stage === undefined) {
      throw new LoomRangeError(
        `There is no stage ${show(name)}. The twin has ${[...this.#plan.stages.keys()].join(", ")}.`,
        {
          code: "cell",
          parameter: "name",
          value: name,
        },
      );
    }
    return { name, shape: [...stage.description.shape], data: gather(this.#numbers, 0, stage) };
  }
}

function readSoftmax(input: SoftmaxInput): {
  data: Float32Array;
  shape: readonly number[];
  axis: number;
  log: boolean;
} {
  const fields = input as unknown as { [name: string]: unknown } | null;
  if (typeof fields !== "object" || fields === null) {
    throw new LoomTypeError(`softmax needs { data, shape?, axis?, log? }, not ${show(input)}.`, {
      code: "type",
      parameter: "input",
      value: input,
    });
  }
  const { data, log = false } = fields;
  if (!Array.isArray(data) && !(ArrayBuffer.isView(data) && !(data instanceof DataView))) {
    throw new LoomTypeError(`data must be an array of numbers, not ${show(data)}.`, {
      code: "type",
      parameter: "data",
      value: data,
    });
  }
  const numbers = data as ArrayLike<unknown>;
  const copy = new Float32Array(numbers.length);
  for (let i = 0; i < copy.length; i++) {
    const value = numbers[i];
    if (typeof value !== "number") {
      throw new LoomTypeError(`data[${i}] must be a number, not ${show(value)}.`, {
        code: "type",
        parameter: `data[${i}]`,
        value,
      });
    }
    copy[i] = value;
    if (Number.isFinite(copy[i]) || value === Number.NEGATIVE_INFINITY) continue;
    throw new LoomRangeError(
      `data[${i}] must be a finite number in the range of float32 (or −∞, which blocks), not ${value}.`,
      {
        code: "notFinite",
        parameter: `data[${i}]`,
        value,
      },
    );
  }
  if (typeof log !== "boolean") {
    throw new LoomTypeError(`log must be true or false, not ${show(log)}.`, {
      code: "type",
      parameter: "log",
      value: log,
    });
  }
  const shape = "shape" in fields ? readSizes(fields.shape) : [copy.length];
  const cells = shape.reduce((product, size) => product * size, 1);
  if (cells !== copy.length) {
    throw new LoomRangeError(`data has ${copy.length} numbers, but its shape [${shape.join(", ")}] needs ${cells}.`, {
      code: "shape",
      parameter: "data",
      value: copy.length,
    });
  }
  const given = "axis" in fields ? fields.axis : -1;
  if (typeof given !== "number" || !Number.isInteger(given)) {
    throw new LoomTypeError(`axis must be a whole number, not ${show(given)}.`, {
      code: "type",
      parameter: "axis",
      value: given,
    });
  }
  if (given < -shape.length || given >= shape.length) {
    throw new LoomRangeError(
      `axis must be between ${-shape.length} and ${shape.length - 1} for the shape [${shape.join(", ")}], not ${given}.`,
      {
        code: "range",
        parameter: "axis",
        value: given,
      },
    );
  }
  return { data: copy, shape, axis: given < 0 ? given + shape.length : given, log };
}

function readSizes(shape: unknown): readonly number[] {
  if (!Array.isArray(shape) || shape.length === 0) {
    throw new LoomTypeError(`shape must be a list of at least one size, not ${show(shape)}.`, {
      code: "type",
      parameter: "shape",
      value: shape,
    });
  }
  shape.forEach((size, axis) => {
    if (Number.isInteger(size) && size >= 0) return;
    throw new LoomRangeError(`shape[${axis}] must be a whole number of at least 0, not ${show(size)}.`, {
      code: "range",
      parameter: `shape[${axis}]`,
      value: size,
    });
  });
  return [...shape];
}
