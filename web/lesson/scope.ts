import type { Loom, Trace } from "../core/types.ts";
import { type Example, traceOf } from "./example.ts";
import { type Scope, single, type Values } from "./expression.ts";

/** What may be changed about an example before its numbers are read. */
export interface Variant {
  /** Factor on the scores instead of 1/√d_k. */
  readonly scale?: number;
  /** Key tokens that no query may look at. */
  readonly block?: readonly string[];
}

/** An example as computed by the core, with names for all its numbers. */
export interface Computed extends Scope {
  readonly example: Example;
  readonly trace: Trace;
}

/** Runs the core on an example and names what comes out. */
export function compute(loom: Loom, example: Example, variant: Variant = {}): Computed {
  const { scale, block } = variant;
  const visible = example.tokensKv.map((token) => !block?.includes(token));
  const trace = traceOf(loom, example, {
    ...(scale === undefined ? {} : { scale }),
    ...(block === undefined ? {} : { allow: example.tokensQ.map(() => visible) }),
  });
  const held = new Set([...trace.stages, ...trace.inputs]);
  const dimensions: ReadonlyMap<string, number> = new Map([
    ["n_q", example.tokensQ.length],
    ["n_k", example.tokensKv.length],
    ["d_model", example.wQ.length],
    ["d_k", example.wK[0]?.length ?? 0],
    ["d_v", example.wV[0]?.length ?? 0],
    ["scale", trace.scale],
  ]);
  const cache = new Map<string, Values>();

  const lookUp = (name: string): Values | undefined => {
    const dimension = dimensions.get(name);
    if (dimension !== undefined) return single(dimension);
    if (!held.has(name)) return undefined;
    const known = cache.get(name);
    if (known) return known;
    const { data, shape } = trace.stage(name);
    const numbers = Array.from(data);
    const values: Values = {
      kind: "numbers",
      data: numbers,
      shape,
      labels: labelsOf(name, shape, example),
      family: numbers,
    };
    cache.set(name, values);
    return values;
  };

  const termsOf = (name: string): number | undefined => {
    if (!held.has(name)) return undefined;
    const { shape, terms } = trace.describe(name);
    return shape.reduce((a, b) => a * b, 1) * terms;
  };

  return { example, trace, lookUp, termsOf, names: [...trace.stages, ...trace.inputs, ...dimensions.keys()] };
}

const keyRows = new Set(["keys", "values"]);
const inputs: ReadonlyMap<string, "tokensQ" | "tokensKv" | undefined> = new Map<
  string,
  "tokensQ" | "tokensKv" | undefined
>([
  ["x", "tokensQ"],
  ["xKv", "tokensKv"],
  ["wQ", undefined],
  ["wK", undefined],
  ["wV", undefined],
]);
/** Stages whose last axis runs along the keys. */
const perPair = new Set(["scores", "scaled", "masked", "shifted", "exp", "weights"]);

function labelsOf(name: string, shape: readonly number[], example: Example): (readonly string[])[] {
  const labels: (readonly string[])[] = shape.map(() => []);
  if (inputs.has(name)) {
    const tokens = inputs.get(name);
    if (tokens) labels[0] = example[tokens];
    return labels;
  }
  // Stages carry the head axis first.
  labels[1] = keyRows.has(name) ? example.tokensKv : example.tokensQ;
  if (perPair.has(name)) labels[2] = example.tokensKv;
  return labels;
}
