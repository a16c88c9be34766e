// Questions in the state: the trail from the cell first asked about to the one on view.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exampleModel } from "../../web/elements/examples.ts";
import {
  type Action,
  initialState,
  type LoomState,
  MOST_TRAIL,
  type Model,
  reduce,
  settleAsked,
} from "../../web/elements/state/index.ts";
import { cases } from "./support/size.ts";

const SEED = Number(process.env.LOOM_SEED ?? 20264);
const RUNS = cases(200, 10_000);

const start = initialState(exampleModel("house-4x5") as Model, { level: "cell", stage: "output" });
const doing = (state: LoomState, ...actions: Action[]) =>
  actions.reduce((before, action) => reduce(before, action, []), state);
const ask = (stage: string, index: number[], more: object = {}): Action => ({
  type: "ask",
  stage,
  index,
  about: "origin",
  ...more,
});
const follow = { follow: true };
const trailOf = ({ asked = [] }: LoomState) => asked.map(({ stage, about }) => `${stage} ${about}`);

describe("the trail", () => {
  const walked = doing(
    start,
    ask("output", [0, 0, 0]),
    ask("weights", [0, 0, 1], follow),
    ask("exp", [0, 0, 1], follow),
  );

  test("a question begins one, following an operand goes on, back and close undo that", () => {
    expect(trailOf(walked)).toEqual(["output origin", "weights origin", "exp origin"]);
    expect(trailOf(doing(walked, { type: "askBack" }))).toEqual(["output origin", "weights origin"]);
    expect(trailOf(doing(walked, { type: "askBack", to: 0 }))).toEqual(["output origin"]);
    expect(doing(walked, { type: "askClose" })).toEqual(start);
    expect(doing(walked, { type: "askClose" })).not.toHaveProperty("asked");
    expect(trailOf(doing(walked, ask("scores", [0, 0, 0])))).toEqual(["scores origin"]);
  });

  test("another question about the same cell takes its place", () => {
    const turned = doing(walked, ask("exp", [0, 0, 1], { about: "feeds", whole: true }));
    expect(trailOf(turned)).toEqual(["output origin", "weights origin", "exp feeds"]);
    expect(turned.asked?.at(-1)).toMatchObject({ whole: true });
    expect(doing(turned, ask("exp", [0, 0, 1]))).toEqual(walked);
  });

  test("a trail that comes back to one of its cells is cut there", () => {
    expect(trailOf(doing(walked, ask("weights", [0, 0, 1], { about: "feeds", ...follow })))).toEqual([
      "output origin",
      "weights feeds",
    ]);
    const long = Array.from({ length: MOST_TRAIL + 3 }, (_, i) => ask("scores", [0, 0, i], follow));
    expect(doing(start, ...long).asked).toHaveLength(MOST_TRAIL);
  });

  test("what changes nothing is the same object", () => {
    for (const action of [
      ask("exp", [0, 0, 1]),
      { type: "askBack", to: 2 },
      { type: "askBack", to: 7 },
      { type: "askBack", to: -1 },
    ] as Action[])
      expect(reduce(walked, action, [])).toBe(walked);
    for (const type of ["askBack", "askClose"] as const) expect(reduce(start, { type }, [])).toBe(start);
  });

  test("moving and editing leave it; a cell that is gone takes the rest with it", () => {
    const edited = doing(walked, { type: "edit", matrix: "x", row: 0, column: 0, value: 4 });
    expect(edited.asked).toEqual(walked.asked);
    expect(doing(edited, { type: "undo" }).asked).toEqual(walked.asked);
    expect(settleAsked(walked, () => true)).toBe(walked);
    expect(settleAsked(start, () => false)).toBe(start);
    expect(trailOf(settleAsked(walked, ({ stage }) => stage !== "weights"))).toEqual(["output origin"]);
    expect(settleAsked(walked, ({ stage }) => stage !== "output")).toEqual(start);
  });

  test(`any questions: plain data, no cell twice, never empty (${RUNS} runs, seed ${SEED})`, () => {
    const action: fc.Arbitrary<Action> = fc.oneof(
      fc.record({
        type: fc.constant("ask" as const),
        stage: fc.constantFrom("x", "queries", "scores", "weights"),
        index: fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 2 })),
        about: fc.constantFrom("origin" as const, "feeds" as const),
        follow: fc.boolean(),
        whole: fc.boolean(),
      }),
      fc.record({ type: fc.constant("askBack" as const), to: fc.integer({ min: -1, max: 4 }) }),
      fc.constantFrom<Action>({ type: "askBack" }, { type: "askClose" }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
        const state = doing(start, ...actions);
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        const cells = (state.asked ?? []).map(({ stage, index }) => `${stage} ${index}`);
        expect(new Set(cells).size).toBe(cells.length);
        if ("asked" in state) expect(cells.length).toBeGreaterThan(0);
        expect({ ...state, asked: undefined }).toEqual({ ...start, asked: undefined });
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});
