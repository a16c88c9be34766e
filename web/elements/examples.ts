// Examples by name. Their data lives in content/examples, once for lessons, tests and elements.

import bank from "../../content/examples/bank.json" with { type: "json" };
import house from "../../content/examples/house-4x5.json" with { type: "json" };
import { type Model, tableOf } from "./state/model.ts";

interface ExampleData {
  readonly tokensQ: readonly string[];
  /** Key words and their vectors; without them the words look at themselves. */
  readonly tokensKv?: readonly string[];
  readonly x: readonly (readonly number[])[];
  readonly xKv?: readonly (readonly number[])[];
  readonly wQ: readonly (readonly number[])[];
  readonly wK: readonly (readonly number[])[];
  readonly wV: readonly (readonly number[])[];
}

const examples: ReadonlyMap<string, ExampleData> = new Map<string, ExampleData>([
  [house.name, house],
  [bank.name, bank],
]);

/** The names of all examples. */
export const exampleNames: readonly string[] = [...examples.keys()];

/** The model of an example, or nothing where the name is unknown. */
export function exampleModel(name: string): Model | undefined {
  const data = examples.get(name);
  if (!data) return undefined;
  return {
    tokensQ: data.tokensQ,
    tokensKv: data.tokensKv ?? data.tokensQ,
    matrices: {
      x: tableOf(data.x),
      ...(data.xKv && { xKv: tableOf(data.xKv) }),
      wQ: tableOf(data.wQ),
      wK: tableOf(data.wK),
      wV: tableOf(data.wV),
    },
    options: {},
  };
}
