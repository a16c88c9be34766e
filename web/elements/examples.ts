// Examples by name. Their data lives in content/examples, once for lessons, tests and elements.

import aAndB from "../../content/examples/a-and-b.json" with { type: "json" };
import apples from "../../content/examples/apples.json" with { type: "json" };
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
  readonly wO?: readonly (readonly number[])[];
  /** Default 1. */
  readonly heads?: number;
}

const examples: ReadonlyMap<string, ExampleData> = new Map<string, ExampleData>([
  [house.name, house],
  [bank.name, bank],
  [apples.name, apples],
  [aAndB.name, aAndB],
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
      ...(data.wO && { wO: tableOf(data.wO) }),
    },
    options: data.heads === undefined ? {} : { heads: data.heads },
  };
}
