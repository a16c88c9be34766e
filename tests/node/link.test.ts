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
import { random } from "./support/random.ts";
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
    const rows = (count: number) =>
      tableOf(
        [
          [1, -0],
          [0.1, 1e-30],
          [-3.4e38, 1e-45],
        ]
          .slice(0, count)
          .map((row) => row.map(Math.fround)),
      );
    const model: Model = {
      tokensQ: ["a~b", "", "="],
      tokensKv: ["k, 1", "&#"],
      matrices: { q: rows(3), k: rows(2), v: rows(2) },
      options: { causal: "end" },
    };
    const { state } = travel(begin(model));
    expect(state).toEqual(begin(model));
    expect(Object.is(state.model.matrices.q?.data[1], -0)).toBe(true);
  });

  test("against the example that makes it shortest; the one that reset goes back to is named where it is another", () => {
    const bank = exampleModel("bank") as Model;
    const moved = reduce(begin(), { type: "model", model: bank }, stagesOf(house));
    expect(writeLink(moved, examples)).toBe("1~stage.scores~e=bank~s=house-4x5");
    expect(travel(moved).state).toEqual({ ...moved, past: [] });
    const own: Model = {
      tokensQ: ["a"],
      tokensKv: ["b"],
      matrices: { q: tableOf([[1]]), k: tableOf([[2]]), v: tableOf([[3]]) },
      options: {},
    };
    const away = reduce(begin(), { type: "model", model: own }, stagesOf(house));
    expect(writeLink(away, examples)).toBe("1~stage.scores~s=house-4x5~q=a~k=b~Q=1x1:1~K=1x1:2~V=1x1:3");
    expect(travel(away).state).toEqual({ ...away, past: [] });
  });

  test("a zero keeps its sign, against an example too", () => {
    const edit = (value: number) => ({ type: "edit", matrix: "wQ", row: 0, column: 0, value }) as const;
    const signed = [5, -0].reduce((state, value) => reduce(state, edit(value), stagesOf(state.model)), begin());
    expect(Object.is(signed.model.matrices.wQ?.data[0], -0)).toBe(true);
    expect(travel(signed).state.model).toEqual(signed.model);
  });

  test("a number that was typed is the float32 that is computed with", () => {
    const edit = { type: "edit", matrix: "wQ", row: 0, column: 0, value: 0.1 } as const;
    const option = { type: "option", change: { scale: 0.3 } } as const;
    const state = [edit, option].reduce<LoomState>((s, action) => reduce(s, action, stagesOf(s.model)), begin());
    expect(state.model.matrices.wQ?.data[0]).toBe(Math.fround(0.1));
    expect(writeLink(state, examples)).toContain("~scale=0.3");
    expect(travel(state).state.model).toEqual(state.model);
  });

  test("every float32 is read back bit for bit, as a number by itself and in a matrix of any others", () => {
    const float = fc.float({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(float, fc.array(float, { minLength: 1, maxLength: 4 }), (scale, row) => {
        const model: Model = { ...house, matrices: { ...house.matrices, wO: tableOf([row]) }, options: { scale } };
        expect(travel(begin(model)).state.model).toEqual(model);
      }),
      { seed: SEED, numRuns: cases(5000, 100_000) },
    );
  });

  test("a matrix is written as decimals or as the letters of its bits, whichever is shorter, and read from both", () => {
    const read = (text: string) => readLink(`1~stage.scores~e=house-4x5~wQ=${text}`, examples).state.model.matrices.wQ;
    // By hand: 1 is 0x3f800000 and −2 is 0xc0000000, the lowest byte first.
    expect(read("1x2*AACAPwAAAMA")).toEqual(tableOf([[1, -2]]));
    expect(read("1x2:1,-2")).toEqual(tableOf([[1, -2]]));
    const wQ = tableOf([[0.123456789, -0, 1e-45].map(Math.fround)]);
    const model = { ...house, matrices: { ...house.matrices, wQ } };
    expect(writeLink(begin(model), examples)).toMatch(/~wQ=1x3\*[\w-]{16}$/);
    expect(travel(begin(model)).state.model).toEqual(model);
  });

  /** So many words in so many columns, each number with all its digits. */
  function large(count: number, width: number): LoomState {
    const r = random(SEED);
    const words = Array.from({ length: count }, (_, i) => `word${i}`);
    const table = (rows: number) => ({ rows, columns: width, data: [...r.numbers(rows * width)] });
    const [x, wQ, wK, wV] = [table(count), table(width), table(width), table(width)];
    return begin({ tokensQ: words, tokensKv: words, matrices: { x, wQ, wK, wV }, options: {} });
  }

  test("E20 8 words within 2,000 characters, were all numbers of 8 columns the reader's own; 64 words within 30,000", () => {
    const own = large(8, 8);
    expect(writeLink(own, examples).length).toBeLessThanOrEqual(2000);
    expect(travel(own).state).toEqual(own);
    const wide = large(64, 32);
    expect(writeLink(wide, examples).length).toBeLessThanOrEqual(30_000);
    expect(travel(wide).state).toEqual(wide);
  });

  test("what is too large for a link is refused in a sentence", () => {
    expect(() => writeLink(large(64, 64), examples)).toThrow(LinkError);
    expect(() => writeLink(large(64, 64), examples)).toThrow(
      /^link: \d+ characters where at most 64000 characters was expected$/,
    );
  });

  test("E20 any state that actions lead to, and within 2,000 characters for up to 8 words", () => {
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
    ["1~stage.scores~wQ=1x1*AAAA", "wQ: AAAA where the letters of float32 numbers"],
    ["1~stage.scores~wQ=1x1*AADAfw", "wQ: AADAfw where the letters"],
    ["1~stage.scores~wQ=1x1*AACAP+", "wQ: AACAP+ where the letters"],
    ["1~stage.scores~wQ=2x2*AACAPw", "wQ: 1 numbers where 4 numbers for 2 by 2"],
    ["1~stage.scores~allow=2x2:10", "allow: 2 digits where 4"],
    ["1~stage.scores~q=%E0%A4%A", "q: %E0%A4%A"],
    ["1~stage.scores~scale=1~scale=2", "scale: it twice"],
    ["1~stage.scores~scale", "link: scale where name=value"],
    ["1~stage.scores~e=house-4x5~s=barn", "s: barn where one of house-4x5, bank"],
    ["1~stage.scores~e=house-4x5~heads=0", "heads: 0 where a whole number from 1 to 16"],
    ["1~stage.scores", "matrices: nothing where x, wQ, wK and wV, or else q, k and v"],
    ["1~stage.scores~e=house-4x5~wQ=-", "matrices: x, xKv, wK, wV where"],
    ["1~stage.scores~e=house-4x5~Q=4x1:1,2,3,4", "matrices: x, xKv, wQ, wK, wV, q where"],
    ["1~stage.scores~e=house-4x5~q=a,b", "words q: 2 where one for each of the 4 rows of x"],
    ["1~stage.scores~e=house-4x5~k=a", "words k: 1 where one for each of the 5 rows of xKv"],
    ["1~stage.scores~e=bank~k=I,sat,on,the,river,boat", "words k: I sat on the river boat where the words q"],
    [`1~stage.scores~e=bank~x=65x4:${"0,".repeat(259)}0`, "words q: 6 where one for each of the 65 rows"],
    [`1~stage.scores~q=${",".repeat(512)}`, "q: 513 words where at most 512"],
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
