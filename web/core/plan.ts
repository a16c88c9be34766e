// The plan of one computation, read from the core once: which stages there are, how they arise, where their numbers lie.

import type { Names } from "./names.ts";
import type { RawCore, RawOperand, RawStage } from "./raw.ts";
import type { OperandAxis, OperandDescription, Operation, StageDescription } from "./types.ts";

/** A stage or an input with its place in the workspace, in elements. */
export interface PlacedStage {
  readonly id: number;
  readonly description: StageDescription;
  readonly offset: number;
  /** Elements from one head (or row) to the next, and from one row to the next. */
  readonly strides: readonly [number, number];
}

export interface Plan {
  /** Elements of the workspace. */
  readonly elements: number;
  readonly scale: number;
  readonly stages: ReadonlyMap<string, PlacedStage>;
}

/** Of the attention that the core was configured for last. */
export function readPlan(core: RawCore, names: Names): Plan {
  const stages = new Map<string, PlacedStage>();
  names.stages.forEach((name, id) => {
    const raw = core.stageInfo(id);
    if (!raw.exists) return;
    stages.set(name, {
      id,
      description: describe(name, raw, names),
      offset: raw.offset,
      strides: [raw.stride0, raw.stride1],
    });
  });
  return { elements: core.elements(), scale: core.scale(), stages };
}

/** Frozen, all the way down: every trace of the same plan shares it. */
function describe(name: string, raw: RawStage, names: Names): StageDescription {
  const operand = (from: RawOperand): OperandDescription =>
    Object.freeze({
      stage: names.stages[from.stage] as string,
      axes: Object.freeze(
        [from.axis0, from.axis1, from.axis2].slice(0, from.rank).map((axis) => names.axes[axis] as OperandAxis),
      ),
    });
  return Object.freeze({
    name,
    shape: Object.freeze([raw.shape0, raw.shape1, raw.shape2].slice(0, raw.rank)),
    operation: names.operations[raw.operation] as Operation,
    operands: Object.freeze([raw.operand0, raw.operand1, raw.operand2].slice(0, raw.operandCount).map(operand)),
    terms: raw.terms,
    headWidth: raw.headWidth,
  });
}

/** The numbers of a stage, in order, out of a workspace that begins at element `base` of `heap`. A fresh array. */
export function gather<A extends Float32Array | Float64Array>(heap: A, base: number, stage: PlacedStage): A {
  const { shape } = stage.description;
  const start = base + stage.offset;
  const [heads, rows, cols] =
    shape.length === 3 ? (shape as [number, number, number]) : [1, shape[0] as number, shape[1] as number];
  const cells = heads * rows * cols;
  const [first, second] = shape.length === 3 ? stage.strides : [0, stage.strides[0]];
  if (second === cols && (heads === 1 || first === rows * cols)) return heap.slice(start, start + cells) as A;
  const out = new (heap.constructor as new (length: number) => A)(cells);
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < rows; i++) {
      const from = start + h * first + i * second;
      out.set(heap.subarray(from, from + cols) as never, (h * rows + i) * cols);
    }
  }
  return out;
}
