// The reducer of the stepper: frames, movement, edits, undo. Shapes come from the core's own description of a trace.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exampleModel } from "../../web/elements/examples.ts";
import {
  type Action,
  allowOf,
  attendInput,
  clampCursor,
  countFrames,
  cursorAt,
  frameIndex,
  initialState,
  LEVELS,
  type Level,
  type LoomState,
  MOST_WORDS,
  type Model,
  matchWords,
  reduce,
  type StageShape,
  settle,
  tableOf,
  UNDO_LIMIT,
} from "../../web/elements/state/index.ts";
import { loom } from "./support/loom.ts";
import { cases } from "./support/size.ts";

const SEED = Number(process.env.LOOM_SEED ?? 20263);
const RUNS = cases(100, 10_000);
const checked = { seed: SEED, numRuns: RUNS };

function stagesOf(model: Model): StageShape[] {
  const { trace } = loom.attend(attendInput(model));
  if (!trace) throw new Error("no trace");
  return trace.stages.map((name) => trace.describe(name));
}

const house = exampleModel("house-4x5") as Model;
const masked: Model = { ...house, options: { allow: tableOf(house.tokensQ.map(() => [1, 1, 1, 1, 0])) } };
const stages = stagesOf(house);
const start = (level: Level = "stage", model = house) => initialState(model, { level, stage: "queries" });

/** Does an action, and settles the cursor as the element does. */
function doing(state: LoomState, action: Action): LoomState {
  const next = reduce(state, action, stagesOf(state.model));
  return next.model === state.model
    ? next
    : settle(
        next,
        stagesOf(next.model),
        stages.map(({ name }) => name),
      );
}

describe("frames", () => {
  test.each([
    ["stage", 11, 12],
    ["row", 46, 50],
    ["cell", 162, 182],
    ["term", 366, 386],
  ] as const)("E1 has at level %s %i frames, with a mask %i", (level, plain, withMask) => {
    expect(countFrames(stages, level)).toBe(plain);
    expect(countFrames(stagesOf(masked), level)).toBe(withMask);
  });

  test.each(LEVELS)("forth and back at level %s, every frame once, and the first again", (level) => {
    const total = countFrames(stages, level);
    const seen: string[] = [];
    let state = start(level);
    for (let i = 0; i < total; i++) {
      expect(frameIndex(state.cursor, stages)).toBe(i);
      expect(cursorAt(stages, level, i)).toEqual(state.cursor);
      seen.push(JSON.stringify(state.cursor));
      state = reduce(state, { type: "next" }, stages);
    }
    expect(new Set(seen).size).toBe(total);
    expect(reduce(state, { type: "next" }, stages)).toEqual(state);
    for (let i = total - 1; i >= 0; i--) {
      expect(JSON.stringify(state.cursor)).toBe(seen[i]);
      state = reduce(state, { type: "back" }, stages);
    }
    expect(state).toEqual(start(level));
  });

  test(`any shapes: the frame of a cursor's index is that cursor (${RUNS} lists of stages, seed ${SEED})`, () => {
    const size = fc.integer({ min: 0, max: 4 });
    const stage = fc.record({ h: fc.integer({ min: 1, max: 3 }), r: size, c: size, terms: size, isRow: fc.boolean() });
    fc.assert(
      fc.property(fc.array(stage, { minLength: 1, maxLength: 5 }), fc.constantFrom(...LEVELS), (list, level) => {
        const shapes = list.map(
          ({ h, r, c, terms, isRow }, i): StageShape => ({
            name: `s${i}`,
            shape: isRow ? [h, r] : [h, r, c],
            operation: isRow ? "sum" : "dot",
            terms,
          }),
        );
        const total = countFrames(shapes, level);
        for (let i = 0; i < total; i++) {
          const cursor = cursorAt(shapes, level, i);
          expect(frameIndex(cursor, shapes)).toBe(i);
          expect(clampCursor(cursor, shapes)).toEqual(cursor);
        }
        expect(frameIndex(cursorAt(shapes, level, total + 5), shapes)).toBe(Math.max(0, total - 1));
      }),
      checked,
    );
  });

  test("finer and coarser come back to the same place", () => {
    const at = reduce(start("term"), { type: "jump", stage: "scores", row: 2, column: 3, term: 1 }, stages);
    let state = at;
    for (let i = 0; i < 3; i++) state = reduce(state, { type: "coarser" }, stages);
    expect(state.cursor.level).toBe("stage");
    for (let i = 0; i < 3; i++) state = reduce(state, { type: "finer" }, stages);
    expect(state).toEqual(at);
    expect(reduce(state, { type: "finer" }, stages)).toBe(state);
  });
});

describe("edits", () => {
  const anyAction: fc.Arbitrary<Action> = fc.oneof(
    fc.constantFrom<Action>(
      { type: "next" },
      { type: "back" },
      { type: "last" },
      { type: "finer" },
      { type: "coarser" },
    ),
    fc.record({
      type: fc.constant("edit" as const),
      matrix: fc.constantFrom("x", "xKv", "wQ", "wK", "wV"),
      row: fc.integer({ min: 0, max: 5 }),
      column: fc.integer({ min: 0, max: 3 }),
      value: fc.integer({ min: -9, max: 9 }),
    }),
    fc.record({
      type: fc.constant("words" as const),
      side: fc.constantFrom("q", "kv"),
      words: fc.array(fc.constantFrom("la", "the", "red", "new", "."), { maxLength: 6 }),
    }),
  );

  test(`undo restores exactly, redo too, whatever was done (${RUNS} runs, seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 12 }), (actions) => {
        const models = [house];
        let state = start("cell");
        for (const action of actions) {
          state = doing(state, action);
          if (state.model !== models.at(-1)) models.push(state.model);
        }
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        for (let i = models.length - 1; i > 0; i--) {
          expect(state.model).toEqual(models[i]);
          state = doing(state, { type: "undo" });
        }
        expect(state.model).toEqual(house);
        expect(state.past).toEqual([]);
        for (const model of models.slice(1)) {
          state = doing(state, { type: "redo" });
          expect(state.model).toEqual(model);
        }
      }),
      checked,
    );
  });

  test(`${UNDO_LIMIT} edits in a row are undone to the start, one more forgets the first`, () => {
    const edit = (i: number) => ({ type: "edit", matrix: "x", row: 0, column: 0, value: i + 10 }) as const;
    let state = start();
    for (let i = 0; i < UNDO_LIMIT; i++) state = reduce(state, edit(i), stages);
    const most = state;
    for (let i = 0; i < UNDO_LIMIT; i++) state = reduce(state, { type: "undo" }, stages);
    expect(state.model).toEqual(house);
    expect(UNDO_LIMIT).toBeGreaterThanOrEqual(500);
    state = reduce(most, edit(UNDO_LIMIT), stages);
    for (let i = 0; i <= UNDO_LIMIT; i++) state = reduce(state, { type: "undo" }, stages);
    expect(state.model.matrices.x?.data[0]).toBe(10);
  });

  test("matrices that have not one row for each word are refused", () => {
    const one = tableOf([[1, 2, 3]]);
    const { xKv: _, ...self } = house.matrices;
    for (const action of [
      { type: "matrices", change: { x: one } },
      { type: "matrices", change: { xKv: undefined } },
      { type: "matrices", change: { q: house.matrices.x } },
      { type: "model", model: { ...house, tokensKv: ["the"] } },
      { type: "model", model: { ...house, matrices: self, tokensKv: ["la", "petite", "maison", "noire"] } },
    ] satisfies Action[])
      expect(reduce(start(), action, stages), JSON.stringify(action)).toEqual(start());
  });

  test("an edit keeps the cursor, and a smaller matrix clamps it", () => {
    const at = reduce(start("cell"), { type: "jump", stage: "weights", row: 3, column: 4 }, stages);
    const edit = doing(at, { type: "edit", matrix: "wK", row: 0, column: 0, value: 5 });
    expect(edit.cursor).toEqual(at.cursor);
    expect(edit.model.matrices.wK?.data[0]).toBe(5);
    const fewer = doing(at, { type: "words", side: "kv", words: ["the", "red"] });
    expect(fewer.cursor).toMatchObject({ stage: "weights", row: 3, column: 1 });
  });

  test("words that stay keep their numbers, new ones start with zeros", () => {
    const state = doing(start(), { type: "words", side: "kv", words: ["oh", "the", "red", "house", "tiny", "."] });
    expect(state.model.matrices.xKv).toEqual(
      tableOf([
        [0, 0, 0],
        [1, 1, 0],
        [0, 0, 2],
        [1, 0, 2],
        [0, 0, 0],
        [0, -1, 0],
      ]),
    );
    expect(matchWords(["a", "b", "c"], ["c", "a", "b"])).toEqual([-1, 0, 1]);
  });

  test("a renamed word keeps its numbers", () => {
    const state = doing(start(), { type: "word", side: "q", position: 1, word: "grande" });
    expect(state.model.tokensQ).toEqual(["la", "grande", "maison", "rouge"]);
    expect(state.model.matrices).toEqual(house.matrices);
  });

  test("no words at all: the shapes stay, and words can come back", () => {
    let state = doing(start("term"), { type: "words", side: "q", words: [] });
    state = doing(state, { type: "words", side: "kv", words: [] });
    for (const level of LEVELS) {
      state = doing(state, { type: "level", level });
      for (const type of ["last", "next", "back", "first"] as const) state = doing(state, { type });
    }
    expect(state.model.matrices.x).toEqual({ rows: 0, columns: 3, data: [] });
    state = doing(state, { type: "words", side: "q", words: ["la"] });
    state = doing(state, { type: "words", side: "kv", words: ["the", "red"] });
    expect(stagesOf(state.model).find(({ name }) => name === "weights")?.shape).toEqual([1, 1, 2]);
  });

  test("without a second sequence the words are shared", () => {
    const model: Model = {
      tokensQ: ["a", "b"],
      tokensKv: ["a", "b"],
      matrices: { x: tableOf([[1], [2]]), wQ: tableOf([[1]]), wK: tableOf([[1]]), wV: tableOf([[1]]) },
      options: { causal: true },
    };
    const state = doing(start("stage", model), { type: "words", side: "kv", words: ["a", "c", "b"] });
    expect(state.model.tokensQ).toEqual(["a", "c", "b"]);
    expect(state.model.matrices.x?.data).toEqual([1, 0, 2]);
  });

  test("the mask follows the words", () => {
    const state = doing(start("stage", masked), { type: "words", side: "kv", words: ["the", "new", "."] });
    expect(state.model.options.allow?.data.slice(0, 3)).toEqual([1, 1, 0]);
  });

  test("editing one key changes one column of the scores; one query, one row", () => {
    const scores = (model: Model) => loom.attend(attendInput(model)).trace?.stage("scores").data ?? new Float32Array();
    const before = scores(house);
    const differ = (model: Model) =>
      [...scores(model)].flatMap((value, i) => (value === before[i] ? [] : [[Math.floor(i / 5), i % 5]]));
    const key = doing(start(), { type: "edit", matrix: "xKv", row: 3, column: 1, value: 7 }).model;
    expect(new Set(differ(key).map(([, column]) => column))).toEqual(new Set([3]));
    const query = doing(start(), { type: "edit", matrix: "x", row: 1, column: 2, value: 7 }).model;
    expect(new Set(differ(query).map(([row]) => row))).toEqual(new Set([1]));
  });

  test("reset goes back to the start and can be undone", () => {
    const edit = doing(start(), { type: "edit", matrix: "x", row: 0, column: 0, value: 9 });
    const reset = doing(edit, { type: "reset" });
    expect(reset.model).toEqual(house);
    expect(doing(reset, { type: "undo" }).model).toEqual(edit.model);
  });

  test("a number that is not finite, or a place outside, changes nothing", () => {
    const state = start();
    expect(reduce(state, { type: "edit", matrix: "x", row: 0, column: 0, value: Number.NaN }, stages)).toBe(state);
    expect(reduce(state, { type: "edit", matrix: "x", row: 9, column: 0, value: 1 }, stages)).toBe(state);
    expect(reduce(state, { type: "edit", matrix: "q", row: 0, column: 0, value: 1 }, stages)).toBe(state);
  });
});

describe("what changes nothing", () => {
  test.each(LEVELS)("a move at either end of level %s, or to where the cursor is, keeps the same object", (level) => {
    const total = countFrames(stages, level);
    const first = start(level);
    for (const action of [
      { type: "back" },
      { type: "first" },
      { type: "frame", index: 0 },
      { type: "level", level },
      { type: "head", head: 0 },
      { type: "jump", stage: "queries" },
    ] satisfies Action[])
      expect(reduce(first, action, stages), action.type).toBe(first);
    const last = reduce(first, { type: "last" }, stages);
    expect(last).not.toBe(first);
    expect(frameIndex(last.cursor, stages)).toBe(total - 1);
    expect(reduce(last, { type: "next" }, stages)).toBe(last);
    expect(reduce(last, { type: "last" }, stages)).toBe(last);
  });
});

describe("words of both sides", () => {
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`);

  test("are one edit: one undo takes back both", () => {
    const before = start();
    const both = doing(before, { type: "bothWords", q: ["la", "souris"], kv: ["the", "mouse", "."] });
    expect(both.past).toHaveLength(1);
    const apart = doing(doing(before, { type: "words", side: "q", words: ["la", "souris"] }), {
      type: "words",
      side: "kv",
      words: ["the", "mouse", "."],
    });
    expect(both.model).toEqual(apart.model);
    expect(doing(both, { type: "undo" }).model).toEqual(house);
    expect(reduce(before, { type: "bothWords", q: house.tokensQ, kv: house.tokensKv }, stages)).toBe(before);
  });

  test("that are shared are those of the queries", () => {
    const { x, wQ, wK, wV } = house.matrices;
    if (!x || !wQ || !wK || !wV) throw new Error("the example gives tokens and projections");
    const self: Model = { ...house, tokensKv: house.tokensQ, matrices: { x, wQ, wK, wV } };
    const next = doing(start("stage", self), { type: "bothWords", q: ["la", "souris"], kv: ["the"] });
    expect(next.model.tokensQ).toEqual(["la", "souris"]);
    expect(next.model.tokensKv).toEqual(["la", "souris"]);
    expect(next.model.matrices.x?.rows).toBe(2);
  });

  test(`more than ${MOST_WORDS} on a side are refused, ${MOST_WORDS} are taken`, () => {
    const before = start();
    const tooMany = words(MOST_WORDS + 1);
    for (const side of ["q", "kv"] as const)
      expect(reduce(before, { type: "words", side, words: tooMany }, stages)).toBe(before);
    expect(reduce(before, { type: "bothWords", q: ["la"], kv: tooMany }, stages)).toBe(before);
    expect(reduce(before, { type: "bothWords", q: tooMany, kv: ["the"] }, stages)).toBe(before);
    const most = words(MOST_WORDS);
    expect(doing(before, { type: "bothWords", q: most, kv: most }).model.tokensKv).toEqual(most);
  });
});

describe("options, masks and whole matrices", () => {
  const doneFrom = (...actions: Action[]) => actions.reduce((state, action) => doing(state, action), start());

  test("an option is set, and goes back to its default where it is undefined", () => {
    const capped = doneFrom({ type: "option", change: { softCap: 2, temperature: 0.5 } });
    expect(capped.model.options).toEqual({ softCap: 2, temperature: 0.5 });
    expect(stagesOf(capped.model).map(({ name }) => name)).toContain("capped");
    expect(doing(capped, { type: "option", change: { softCap: undefined } }).model.options).toEqual({
      temperature: 0.5,
    });
  });

  test("an area of the mask is closed in either direction, and without a blocked pair there is no mask", () => {
    const area = { rows: [3, 2], columns: [0, 1] } as const;
    const closed = doneFrom({ type: "mask", area, isOpen: false });
    expect(closed.model.options.allow).toEqual(
      tableOf([
        [1, 1, 1, 1, 1],
        [1, 1, 1, 1, 1],
        [0, 0, 1, 1, 1],
        [0, 0, 1, 1, 1],
      ]),
    );
    expect(doing(closed, { type: "mask", area, isOpen: true }).model).toEqual(house);
  });

  test.each([
    ["start", [1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0]],
    ["end", [1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1]],
  ] as const)("causal from the %s shows what the core blocks", (causal, open) => {
    const model: Model = { ...house, options: { causal } };
    expect(allowOf(model).data).toEqual(open);
    const { trace } = loom.attend(attendInput(model));
    const masked = trace?.stage("masked").data ?? [];
    expect([...masked].map((score) => (score === Number.NEGATIVE_INFINITY ? 0 : 1))).toEqual(open);
  });

  test("a matrix is replaced and taken away; undo brings back every bit", () => {
    const wO = tableOf([
      [1, 0],
      [0, 2],
      [1, 1],
    ]);
    const state = doneFrom(
      { type: "matrices", change: { wO } },
      { type: "matrices", change: { wK: house.matrices.wQ } },
    );
    expect(stagesOf(state.model).at(-1)).toMatchObject({ name: "projected", shape: [4, 2] });
    const without = doing(state, { type: "matrices", change: { wO: undefined } });
    expect(without.model.matrices.wO).toBeUndefined();
    const undone = ["undo", "undo", "undo"].reduce((s, type) => doing(s, { type } as Action), without);
    expect(undone.model).toEqual(house);
  });
});
