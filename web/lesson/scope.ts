import type { Loom, Trace } from "../core/types.ts";
import { axisKinds, indexIn, type StageShape } from "../draw/shape.ts";
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
      ...axesOf(trace.describe(name), example),
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

/** The axes of a stage or input: which tokens stand along each, and whether the first one counts heads. */
function axesOf(stage: StageShape, example: Example): Pick<Values, "labels" | "hasHeadAxis"> {
  const [rows, columns] = axisKinds(stage);
  const tokens = { q: example.tokensQ, kv: example.tokensKv, f: [] };
  // Asked for the cell "head 0, row 1, column 2", this says what each axis is.
  const axes = indexIn(stage, 0, 1, 2);
  return { labels: axes.map((axis) => [[], tokens[rows], tokens[columns]][axis] ?? []), hasHeadAxis: axes[0] === 0 };
}
