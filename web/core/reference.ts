import { LoomRangeError, show } from "./errors.ts";
import { gather, type Plan } from "./plan.ts";
import type { RawOptions } from "./raw.ts";
import type { DoubleMatrix, Reference } from "./types.ts";

/** Every stage in double precision: a copy of the twin's whole workspace. */
export class TwinReference implements Reference {
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
