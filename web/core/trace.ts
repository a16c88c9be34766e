import { DISPOSE } from "./dispose.ts";
import { LoomCoreError, LoomRangeError, LoomTypeError, show } from "./errors.ts";
import { gather, type PlacedStage, type Plan, Reader } from "./plan.ts";
import type { RawCore } from "./raw.ts";
import type { CellRef, CellValue, Matrix, Origin, OriginTerm, RowState, StageDescription, Trace } from "./types.ts";
import type { Workbench } from "./workbench.ts";

/** Bits of "blockedBy", as in cpp/trace/origin.h. */
const BLOCKED = [
  [1, "allow"],
  [2, "causal"],
  [4, "add"],
  [8, "pattern"],
  [16, "padding"],
] as const;

/** Operations with a number of their own. */
const CONSTANTS: ReadonlySet<string> = new Set(["scale", "shift", "cap", "layerNorm", "rmsNorm"]);
const ROW_STATES: readonly RowState[] = ["ok", "empty", "notFinite"];

/** A trace: a copy of the whole workspace, with the plan that says what is where. */
export class WorkspaceTrace implements Trace {
  readonly stages: readonly string[];
  readonly inputs: readonly string[];
  readonly #bench: Workbench;
  readonly #plan: Plan;
  readonly #rowStates: Uint8Array;
  readonly temperature: number;
  #numbers: Float32Array | null;

  constructor(bench: Workbench, plan: Plan, temperature: number, numbers: Float32Array, rowStates: Uint8Array) {
    this.#bench = bench;
    this.#plan = plan;
    this.temperature = temperature;
    this.#numbers = numbers;
    this.#rowStates = rowStates;
    const all = [...plan.stages.values()];
    this.inputs = all.filter((stage) => stage.given).map((stage) => stage.name);
    this.stages = all.filter((stage) => !stage.given).map((stage) => stage.name);
  }

  get scale(): number {
    return this.#plan.scale;
  }

  get heads(): number {
    return this.#plan.heads;
  }

  describe(name: string): StageDescription {
    return this.#placed(name).description;
  }

  stage(name: string): Matrix {
    const stage = this.#placed(name);
    return { name, shape: [...stage.shape], data: gather(this.#kept(), 0, stage) };
  }

  origin(name: string, index: readonly number[]): Origin {
    return this.#ask("findOrigin", name, index, (from) => {
      const operation = this.#bench.names.operations[from.next()] as Origin["operation"];
      const [value, constant, blockedBy, count] = from.list(4) as [number, number, number, number];
      const terms: OriginTerm[] = [];
      while (terms.length < count) {
        const [value, partial, leftOut, operandCount] = from.list(4) as [number, number, number, number];
        const operands = Array.from({ length: operandCount }, (): CellValue => {
          const value = from.next();
          return { ...this.#cellRef(from), value };
        });
        terms.push({ operands, value, partial, leftOut: leftOut !== 0 });
      }
      return {
        stage: name,
        index: [...index],
        operation,
        terms,
        value,
        ...(CONSTANTS.has(operation) ? { constant } : {}),
        ...(operation === "mask"
          ? { blockedBy: BLOCKED.filter(([bit]) => (blockedBy & bit) !== 0).map(([, why]) => why) }
          : {}),
      };
    });
  }

  feeds(name: string, index: readonly number[]): readonly CellRef[] {
    return this.#ask("findFeeds", name, index, (from) => {
      return Array.from({ length: from.next() }, () => this.#cellRef(from));
    });
  }

  rowState(head: number, row: number, batch = 0): RowState {
    this.#kept();
    const { heads, queries } = this.#plan;
    const entries = Math.max(this.#plan.batch, 1);
    const inside = (at: number, size: number) => Number.isInteger(at) && at >= 0 && at < size;
    if (!inside(head, heads) || !inside(row, queries) || !inside(batch, entries)) {
      throw new LoomRangeError(
        `There is no row ${show(row)} of head ${show(head)}${batch === 0 ? "" : ` of batch entry ${show(batch)}`}: there are ${heads} heads of ${queries} rows${entries > 1 ? ` in ${entries} entries` : ""}.`,
        { code: "cell", parameter: "row", value: [head, row, batch] },
      );
    }
    return ROW_STATES[this.#rowStates[(batch * heads + head) * queries + row] as number] as RowState;
  }

  dispose(): void {
    this.#numbers = null;
    this.#bench.forget(this);
  }

  [DISPOSE](): void {
    this.dispose();
  }

  #kept(): Float32Array {
    if (this.#numbers !== null) return this.#numbers;
    throw new LoomCoreError("This trace has been disposed of.", { code: "disposed", parameter: "trace", value: null });
  }

  #placed(name: string): PlacedStage {
    this.#kept();
    const stage = this.#plan.stages.get(name);
    if (stage !== undefined) return stage;
    throw new LoomRangeError(
      `There is no stage ${show(name)}. This trace has ${[...this.inputs, ...this.stages].join(", ")}.`,
      { code: "cell", parameter: "name", value: name },
    );
  }

  #cell(name: string, index: readonly number[]): PlacedStage {
    const stage = this.#placed(name);
    const { shape } = stage;
    if (!Array.isArray(index) || index.length !== shape.length) {
      throw new LoomTypeError(
        `${name} is [${shape.join(", ")}]: an index of it has ${shape.length} numbers, not ${show(index)}.`,
        {
          code: "cell",
          parameter: "index",
          value: index,
        },
      );
    }
    for (let axis = 0; axis < shape.length; axis++) {
      const at: unknown = index[axis];
      if (Number.isInteger(at) && (at as number) >= 0 && (at as number) < (shape[axis] as number)) continue;
      throw new LoomRangeError(`${name} is [${shape.join(", ")}]: index[${axis}] cannot be ${show(at)}.`, {
        code: "cell",
        parameter: `index[${axis}]`,
        value: at,
      });
    }
    return stage;
  }

  /** Asks the core about one cell, with this trace's numbers in place. */
  #ask<T>(question: "findOrigin" | "findFeeds", name: string, index: readonly number[], read: (from: Reader) => T): T {
    const stage = this.#cell(name, index);
    const ask = (): T => {
      const core: RawCore = this.#bench.restore(this, this.#plan, this.#kept());
      const [a = 0, b = 0, c = 0, d = 0] = index;
      const address = core[question](stage.id, a, b, c, d);
      if (address === 0) throw this.#bench.lastError();
      const answer = read(new Reader(core.HEAPF64, address / Float64Array.BYTES_PER_ELEMENT));
      core.dropAnswer();
      return answer;
    };
    return this.#bench.guard(ask);
  }

  /** Its stage, its rank, its index. */
  #cellRef(from: Reader): CellRef {
    const stage = this.#bench.names.stages[from.next()] as string;
    return { stage, index: from.list(from.next()) };
  }
}
