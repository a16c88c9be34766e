// Random computations with every option: against the twin, with and without a trace, every cell asked both ways, and a
// batch against its entries one by one.

import { describe, expect, test } from "vitest";
import type { AttendInput, FlatArray, Reference } from "../../web/core/types.ts";
import { amount, SEED } from "./support/arbitrary.ts";
import { bitDifference, difference, expectBits } from "./support/compare.ts";
import { type Everything, forEverything } from "./support/everything.ts";
import { largest } from "./support/given.ts";
import { loom } from "./support/loom.ts";
import { allNames, checkFeeds, checkOrigin, readAll, traced, turningOf } from "./support/origins.ts";
import { random } from "./support/random.ts";
import { indices } from "./support/rows.ts";
import { cases } from "./support/size.ts";

const TIMES = cases(1, 50);
const each = (count: number, check: (e: Everything) => void, most?: number) =>
  forEverything(count, SEED, check, random, most);

/** Numbers per batch entry come one entry at a time; a mask of all entries keeps its axis. */
function entryOf(input: AttendInput, b: number, batch: number): AttendInput {
  const one = ({ data, shape }: FlatArray): FlatArray => {
    const size = data.length / batch;
    return { data: Array.from(data).slice(b * size, (b + 1) * size), shape: [1, ...shape.slice(1)] };
  };
  const split: Record<string, unknown> = { ...input };
  for (const name of ["x", "xKv", "q", "k", "v"]) if (name in split) split[name] = one(split[name] as FlatArray);
  for (const name of ["allow", "add"]) {
    const mask = split[name] as FlatArray | undefined;
    if (mask?.shape.length === 4 && mask.shape[0] === batch) split[name] = one(mask);
  }
  if (input.past) split.past = { k: one(input.past.k as FlatArray), v: one(input.past.v as FlatArray) };
  if (Array.isArray(input.keyCounts)) split.keyCounts = input.keyCounts[b];
  return split as unknown as AttendInput;
}

describe(`every option (seed ${SEED})`, () => {
  test(`core and twin agree on every stage (${amount(TIMES * 400)})`, () => {
    each(
      TIMES * 400,
      ({ input }) => {
        const trace = traced(input);
        const twin = loom.reference(input);
        const rows = loom.attend(input);
        // Without the shift a sum may; double has a far wider range.
        if (rows.notFiniteRows.length > 0 && input.shift === false) return;
        // Without a row that sees nothing or has left the range, the two are near everywhere. A norm by a variance of
        // about 0 has no bound: those of one column are left out.
        const near = Math.max(2e-5, boundOf(input, twin));
        for (const stage of trace.stages) {
          const got = trace.stage(stage);
          const want = twin.stage(stage);
          expect(got.shape).toEqual(want.shape);
          const wrong = difference(got.data, want.data, { absolute: near, relative: 2e-5 });
          if (wrong !== undefined && !narrow(input)) throw new Error(`${stage}: ${wrong}`);
        }
        expect(twin.output.shape).toEqual(rows.output.shape);
      },
      9,
    );
  });

  test(`the output has the same bits with a trace, without, and into an array of the caller's (${amount(TIMES * 400)})`, () => {
    each(
      TIMES * 400,
      ({ input }) => {
        const plain = loom.attend(input);
        const withTrace = loom.attend({ ...input, trace: true });
        expectBits(withTrace.output.data, plain.output.data, "with a trace");
        expect([plain.emptyRows, plain.notFiniteRows]).toEqual([withTrace.emptyRows, withTrace.notFiniteRows]);
        const into = new Float32Array(plain.output.data.length).fill(Number.NaN);
        const result = loom.attend({ ...input, into });
        expect(result.output.data).toBe(into);
        expectBits(into, plain.output.data, "into");
        expect(result.output.shape).toEqual(plain.output.shape);
      },
      19,
    );
  });

  test(`every cell follows from its operands (${amount(TIMES * 60)})`, () => {
    each(
      TIMES * 60,
      ({ input }) => {
        const trace = traced(input);
        const stages = readAll(trace);
        const turning = turningOf(input, trace);
        for (const stage of allNames(trace)) {
          expect(trace.stage(stage).shape).toEqual(trace.describe(stage).shape);
          for (const index of indices(trace.describe(stage).shape)) {
            checkOrigin(trace, stages, trace.origin(stage, index), { stage, index }, turning);
          }
        }
      },
      3,
    );
  });

  test(`feeds is the exact inverse of origin for every cell (${amount(TIMES * 40)})`, () => {
    each(TIMES * 40, ({ input }) => checkFeeds(traced(input)), 3);
  });

  test(`each batch entry has the bits of a run of its own (${amount(TIMES * 300)})`, () => {
    let seen = 0;
    each(
      TIMES * 300,
      ({ input, sizes: { batch } }) => {
        if (batch === 0) return;
        const all = loom.attend(input).output;
        const size = all.data.length / batch;
        for (let b = 0; b < batch; b++) {
          const one = loom.attend(entryOf(input, b, batch)).output;
          expect(one.shape).toEqual([1, ...all.shape.slice(1)]);
          const wrong = bitDifference(one.data, all.data.subarray(b * size, (b + 1) * size));
          if (wrong !== undefined) throw new Error(`entry ${b}: ${wrong}`);
          seen++;
        }
      },
      19,
    );
    expect(seen).toBeGreaterThan(100);
  });
});

function narrow(input: AttendInput): boolean {
  return "x" in input && input.norm !== undefined && ((input.x as FlatArray).shape.at(-1) as number) < 3;
}

/**
 * 3e-7 · (1 + max|S|) · (1 + max|V|), larger where a norm behind it divides by the root of a small variance: rare among
 * many cases, and then more than the usual bound.
 */
function boundOf(input: AttendInput, twin: Reference): number {
  const has = (name: string) => twin.stages.includes(name);
  const scores = largest(twin.stage("scaled").data) / Math.min(1, input.temperature ?? 1);
  const variances = ["variance", "variance2"].filter(has).flatMap((name) => [...twin.stage(name).data]);
  const least = Math.min(1, ...variances) + (("norm" in input && input.norm?.epsilon) || 1e-5);
  // Weights of a row that are no shares: as many as there are keys, each as large as any.
  const weights = (input.softmax ?? "rows") === "rows" ? 1 : (twin.stage("weights").shape.at(-1) as number);
  return (3e-7 * weights * (1 + scores) * (1 + largest(twin.stage("values").data))) / Math.sqrt(least);
}
