import { DISPOSE } from "./dispose.ts";
import { LoomCoreError, LoomRangeError, LoomTypeError, show } from "./errors.ts";
import { gather, type PlacedStage, type Plan } from "./plan.ts";
import type { RawCell, RawOptions } from "./raw.ts";
import type { CellRef, CellValue, Matrix, Origin, OriginTerm, RowState, StageDescription, Trace } from "./types.ts";
import type { Workbench } from "./workbench.ts";

/** Bits of "blockedBy", as in cpp/trace/origin.h. */
const BLOCKED = [
  [1, "allow"],
  [2, "causal"],
  [4, "add"],
] as const;

const ROW_STATES: readonly RowState[] = ["ok", "empty", "notFinite"];

/** A trace: a copy of the whole workspace, with the plan that says what is where. */
export class WorkspaceTrace implements Trace {
  readonly stages: readonly string[];
  readonly inputs: readonly string[];
  readonly #bench: Workbench;
  readonly #plan: Plan;
  readonly #options: RawOptions;
  readonly #rowStates: Uint8Array;
  #numbers: Float32Array | null;

  constructor(bench: Workbench, plan: Plan, options: RawOptions, numbers: Float32Array, rowStates: Uint8Array) {
    this.#bench = bench;
    this.#plan = plan;
    this.#options = options;
    this.#numbers = numbers;
    this.#rowStates = rowStates;
    const given = (stage: PlacedStage) => stage.description.operation === "input";
    const all = [...plan.stages.values()];
    this.inputs = all.filter(given).map((stage) => stage.description.name);
    this.stages = all.filter((stage) => !given(stage)).map((stage) => stage.description.name);
  }

  get scale(): number {
    return this.#plan.scale;
  }

  get temperature(): number {
    return Math.fround(this.#options.temperature);
  }

  get heads(): number {
    return this.#options.heads;
  }

  describe(name: string): StageDescription {
    return this.#placed(name).description;
  }

  stage(name: string): Matrix {
    const stage = this.#placed(name);
    return { name, shape: [...stage.description.shape], data: gather(this.#kept(), 0, stage) };
  }

  origin(name: string, index: readonly number[]): Origin {
    const stage = this.#cell(name, index);
    return this.#bench.guard(() => {
      const core = this.#bench.restore(this, this.#options, this.#kept());
      if (core.findOrigin(stage.id, index[0] ?? 0, index[1] ?? 0, index[2] ?? 0) !== 0) throw this.#bench.lastError();
      const raw = core.origin();
      const operation = this.#bench.names.operations[raw.operation] as Origin["operation"];
      const terms: OriginTerm[] = [];
      for (let t = 0; t < raw.terms; t++) {
        const term = core.originTerm(t);
        const cells: readonly [RawCell, number][] = [
          [term.cell0, term.value0],
          [term.cell1, term.value1],
          [term.cell2, term.value2],
        ];
        const operands = cells
          .slice(0, term.operandCount)
          .map(([cell, value]): CellValue => ({ ...this.#ref(cell), value }));
        terms.push({ operands, value: term.value, partial: term.partial, leftOut: term.leftOut });
      }
      core.dropAnswer();
      return {
        stage: name,
        index: [...index],
        operation,
        terms,
        value: raw.value,
        ...(operation === "scale" || operation === "shift" ? { constant: raw.constant } : {}),
        ...(operation === "mask"
          ? { blockedBy: BLOCKED.filter(([bit]) => (raw.blockedBy & bit) !== 0).map(([, why]) => why) }
          : {}),
      };
    });
  }

  feeds(name: string, index: readonly number[]): readonly CellRef[] {
    const stage = this.#cell(name, index);
    return this.#bench.guard(() => {
      const core = this.#bench.restore(this, this.#options, this.#kept());
      if (core.findFeeds(stage.id, index[0] ?? 0, index[1] ?? 0, index[2] ?? 0) !== 0) throw this.#bench.lastError();
      const count = core.feedsCount();
      const cells: CellRef[] = [];
      for (let i = 0; i < count; i++) cells.push(this.#ref(core.feedsCell(i)));
      core.dropAnswer();
      return cells;
    });
  }

  rowState(head: number, row: number): RowState {
    this.#kept();
    const { heads, nQ } = this.#options;
    if (!(Number.isInteger(head) && head >= 0 && head < heads) || !(Number.isInteger(row) && row >= 0 && row < nQ)) {
      throw new LoomRangeError(
        `There is no row ${show(row)} of head ${show(head)}: there are ${heads} heads of ${nQ} rows.`,
        {
          code: "cell",
          parameter: "row",
          value: [head, row],
        },
      );
    }
    return ROW_STATES[this.#rowStates[head * nQ + row] as number] as RowState;
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
    const { shape } = stage.description;
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

  #ref(cell: RawCell): CellRef {
    const stage = this.#bench.names.stages[cell.stage] as string;
    const rank = this.#plan.stages.get(stage)?.description.shape.length ?? 0;
    return { stage, index: [cell.index0, cell.index1, cell.index2].slice(0, rank) };
  }
}
