import { LoomRangeError, show } from "./errors.ts";
import { gather, type Plan } from "./plan.ts";
import type { DoubleMatrix, Reference } from "./types.ts";

/** Every stage in double precision: a copy of the twin's whole workspace. */
export class TwinReference implements Reference {
  readonly stages: readonly string[];
  readonly output: DoubleMatrix;
  readonly #plan: Plan;
  readonly #numbers: Float64Array;

  constructor(plan: Plan, numbers: Float64Array) {
    this.#plan = plan;
    this.#numbers = numbers;
    this.stages = [...plan.stages.values()].filter((stage) => !stage.given).map((stage) => stage.name);
    const from = plan.last.offset;
    this.output = { name: "output", shape: plan.outputShape, data: numbers.slice(from, from + plan.outputCells) };
  }

  stage(name: string): DoubleMatrix {
    const stage = this.#plan.stages.get(name);
    if (stage === undefined) {
      throw new LoomRangeError(
        `There is no stage ${show(name)}. The twin has ${[...this.#plan.stages.keys()].join(", ")}.`,
        { code: "cell", parameter: "name", value: name },
      );
    }
    return { name, shape: [...stage.shape], data: gather(this.#numbers, 0, stage) };
  }
}
