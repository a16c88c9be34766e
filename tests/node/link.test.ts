// The state in a link: there and back, short, and nothing but a clear sentence for what cannot be read.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exampleModel, exampleNames } from "../../web/elements/examples.ts";
import {
  type Action,
  attendInput,
  initialState,
  LEVELS,
  LinkError,
  type LoomState,
  MOST_LINK,
  type Model,
  readLink,
  reduce,
  settle,
  tableOf,
  writeLink,
} from "../../web/elements/state/index.ts";
import { loom } from "./support/loom.ts";
import { cases } from "./support/size.ts";

const SEED = Number(process.env.LOOM_SEED ?? 20264);
const examples = { names: exampleNames, model: exampleModel };
const house = exampleModel("house-4x5") as Model;

const travel = (state: LoomState) => readLink(writeLink(state, examples), examples);
const begin = (model = house) => initialState(model, { level: "stage", stage: "scores" });

function stagesOf(model: Model) {
  const { trace } = loom.attend(attendInput(model));
  return trace?.stages.map((name) => trace.describe(name)) ?? [];
}

describe("there and back", () => {
  test("a place in an example is short", () => {
    const state = initialState(house, { level: "term", stage: "weights", row: 1, column: 2 });
    expect(writeLink(state, examples)).toBe("1~term.weights.0.1.2~e=house-4x5");
    expect(travel(state).state).toEqual(state);
  });

  test("only what differs from the example is written", () => {
    const model: Model = { ...house, options: { softCap: 2, temperature: Math.fround(0.1) } };
    const link = writeLink({ ...begin(house), model }, examples);
    expect(link).toBe("1~stage.scores~e=house-4x5~temperature=0.1~softCap=2");
    expect(readLink(link, examples).state).toEqual({
      ...begin(house),
      model: { ...model, options: { ...model.options } },
    });
  });

  test("a computation of its own travels whole, and reset comes back to it", () => {
    const two = tableOf(
      [
        [1, -0],
        [0.1, 1e-30],
      ].map((row) => row.map(Math.fround)),
    );
    const model: Model = {
      tokensQ: ["a~b", "", "="],
      tokensKv: ["k, 1", "&#"],
      matrices: { q: two, k: two, v: two },
      options: { causal: "end" },
    };
    const { state } = travel(begin(model));
    expect(state).toEqual(begin(model));
    expect(Object.is(state.model.matrices.q?.data[1], -0)).toBe(true);
  });

  test("any state that actions lead to, and within 2,000 characters for up to 8 words", () => {
    const float = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
    const small = fc.nat(5);
    const action: fc.Arbitrary<Action> = fc.oneof(
      fc.record({
        type: fc.constantFrom("next", "back", "last", "finer", "undo", "redo", "reset" as const),
      }) as fc.Arbitrary<Action>,
      fc.record({
        type: fc.constant("edit" as const),
        matrix: fc.constantFrom("x", "wQ", "wK" as const),
        row: small,
        column: small,
        value: float,
      }),
      fc.record({
        type: fc.constant("word" as const),
        side: fc.constantFrom("q", "kv" as const),
        position: small,
        word: fc.string({ maxLength: 12, unit: "grapheme" }),
      }),
      fc.record({
        type: fc.constant("option" as const),
        change: fc.record({
          softCap: fc.constantFrom(2, Math.fround(0.3), undefined),
          scale: fc.constantFrom(1, Math.fround(0.1), undefined),
          temperature: fc.constantFrom(0, 2.5, undefined),
        }),
      }),
      fc.record({
        type: fc.constant("mask" as const),
        isOpen: fc.boolean(),
        area: fc.record({ rows: fc.tuple(small, small), columns: fc.tuple(small, small) }),
      }),
      fc.record({ type: fc.constant("level" as const), level: fc.constantFrom(...LEVELS) }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...exampleNames), fc.array(action, { maxLength: 25 }), (name, actions) => {
        let state = initialState(exampleModel(name) as Model, { level: "row", stage: "queries" });
        for (const each of actions) {
          const next = reduce(state, each, stagesOf(state.model));
          state = settle(next, stagesOf(next.model));
        }
        const link = writeLink(state, examples);
        expect(link.length).toBeLessThanOrEqual(2000);
        expect(link).toMatch(/^[\w.~=:,%'()!*+-]*$/);
        const { state: back, unknown } = readLink(link, examples);
        expect(unknown).toEqual([]);
        expect(back).toEqual({ ...state, past: [], future: [] });
        expect(attendInput(back.model)).toEqual(attendInput(state.model));
      }),
      { seed: SEED, numRuns: cases(100, 10_000) },
    );
  });
});

describe("what cannot be read", () => {
  test.each([
    ["", "version: nothing"],
    ["2~stage.scores", "version: 2 where 1"],
    ["1", "cursor: nothing"],
    ["1~atom.scores", "cursor: atom"],
    ["1~stage.<b>", "cursor: <b>"],
    ["1~stage.scores.1e9", "cursor: 1e9"],
    ["1~stage.scores.0.0.0.0.0", "cursor:"],
    ["1~stage.scores~e=barn", "e: barn where one of house-4x5, bank"],
    ["1~stage.scores~e=__proto__", "e: __proto__"],
    ["1~stage.scores~softCap=NaN", "softCap: NaN where a number"],
    ["1~stage.scores~scale=1e99", "scale: 1e99 where a number in the range"],
    ["1~stage.scores~wQ=999999999x2:1", "wQ: 999999999"],
    ["1~stage.scores~wQ=2x2:1,2,3", "wQ: 3 numbers where 4 numbers for 2 by 2"],
    ["1~stage.scores~allow=2x2:10", "allow: 2 digits where 4"],
    ["1~stage.scores~q=%E0%A4%A", "q: %E0%A4%A"],
    ["1~stage.scores~scale=1~scale=2", "scale: it twice"],
    ["1~stage.scores~scale", "link: scale where name=value"],
    [`1~stage.scores~q=${",".repeat(64)}`, "q: 65 words where at most 64"],
    [`1~${"x".repeat(MOST_LINK)}`, `link: ${MOST_LINK + 2} characters`],
  ])("%.40s", (text, message) => {
    expect(() => readLink(text, examples)).toThrow(LinkError);
    expect(() => readLink(text, examples)).toThrow(message);
  });

  test("names of another time are left out, and told", () => {
    const { state, unknown } = readLink("1~stage.scores~e=house-4x5~colour=red~constructor=1", examples);
    expect(unknown).toEqual(["colour", "constructor"]);
    expect(state).toEqual(begin());
  });

  test("any text at all is read or refused", () => {
    const piece = fc.constantFrom("1~", "stage.scores", "~e=house-4x5", "~wQ=", "2x2:", "1,", "-", "~", "=", "%", "e9");
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 8, unit: "binary" })), { maxLength: 12 });
    fc.assert(
      fc.property(text, (pieces) => {
        try {
          readLink(pieces.join(""), examples);
        } catch (error) {
          expect(error).toBeInstanceOf(LinkError);
        }
      }),
      { seed: SEED, numRuns: cases(2000, 100_000) },
    );
  });
});
