// What a number was at the start: found by its words, told where it differs, and nowhere else.

import { describe, expect, test } from "vitest";
import { Numbers } from "../../web/draw/numbers.ts";
import { pictureOf } from "../../web/draw/picture.ts";
import type { Scene } from "../../web/draw/scene.ts";
import { Computation } from "../../web/elements/computation.ts";
import type { Desk } from "../../web/elements/desk.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { SinceStart } from "../../web/elements/since-start.ts";
import {
  type Action,
  attendInput,
  initialState,
  type LoomState,
  type Model,
  reduce,
} from "../../web/elements/state/index.ts";
import { stringsFor } from "../../web/strings/index.ts";
import { loom } from "./support/loom.ts";

const house = exampleModel("house-4x5") as Model;
const strings = stringsFor("en");

async function since(...actions: Action[]): Promise<(stage: string) => ReturnType<typeof marks>> {
  const computation = new Computation();
  await computation.load(async () => loom);
  const known = new SinceStart({} as Desk, computation);
  const state = actions.reduce<LoomState>((before, action) => reduce(before, action, []), initialState(house));
  const { trace } = loom.attend(attendInput(state.model));
  if (!trace) throw new Error("no trace");
  const numbers = new Numbers(trace);
  const { tokensQ, tokensKv } = state.model;
  const was = known.was(state, numbers.mark);
  return (stage) => {
    const cursor = { level: "stage", stage, head: 0, row: 0, column: 0, term: 0 } as const;
    return marks({ numbers, cursor, tokensQ, tokensKv, strings, was });
  };
}

/** What the cells of the result were, those that are the same left empty. */
const marks = (scene: Scene) =>
  pictureOf(scene)
    .matrices.find(({ slot }) => slot === "result")
    ?.cells.map((line) => line.map(({ was, wasShown }) => (wasShown ? `${was}|${wasShown}` : was)));

const edit: Action = { type: "edit", matrix: "xKv", row: 3, column: 1, value: 7 };

describe("numbers of the start", () => {
  test("an edited key marks its column of scores, and says what was there", async () => {
    // x of house 1 7 2: key 1 −5 1 instead of 1 2 1
    const scores = (await since(edit))("scores");
    expect(scores?.map((line) => line.map((was) => was !== ""))).toEqual([
      [false, false, false, false, false], // the query of la is −1 0 2: its 0 meets what has changed
      [false, false, false, true, false],
      [false, false, false, true, false],
      [false, false, false, true, false],
    ]);
    expect(scores?.[1]?.[3]).toBe("at the start −1");
    expect(scores?.[2]?.[3]).toBe("at the start 6");
  });

  test("on request it stands in the cell", async () => {
    expect((await since(edit, { type: "compare" }))("scores")?.[1]?.[3]).toBe("at the start −1|−1");
    expect((await since(edit, { type: "compare" }, { type: "compare" }))("scores")?.[1]?.[3]).toBe("at the start −1");
  });

  test("nothing is marked at the start, and again after undo and reset", async () => {
    for (const actions of [[], [edit, { type: "undo" }], [edit, { type: "reset" }]] satisfies Action[][]) {
      expect((await since(...actions))("scores")?.flat().join("")).toBe("");
    }
  });

  test("a word put in moves the others, and marks none of their scores; its own have no past", async () => {
    const words: Action = { type: "words", side: "kv", words: ["the", "very", "small", "red", "house", "."] };
    const shown = await since(words);
    expect(shown("scores")?.flat().join("")).toBe("");
    // one key more: every share has become smaller, that of the new word was none
    expect(shown("weights")?.[0]?.map((was) => was !== "")).toEqual([true, false, true, true, true, true]);
  });

  test("a blocked pair says what its share was, and the mask that came knows no past", async () => {
    const shown = await since({ type: "mask", area: { rows: [0, 0], columns: [4, 4] }, isOpen: false });
    expect(shown("weights")?.[0]?.[4]).toBe("at the start 0.1130");
    expect(shown("masked")?.flat().join("")).toBe("");
    expect(shown("scaled")?.flat().join("")).toBe("");
    expect(shown("weights")?.[1]?.join("")).toBe("");
  });

  test("a difference beyond the digits shown is told in all digits", async () => {
    const shown = await since({ type: "option", change: { scale: Math.fround(0.577351) } });
    const cell = shown("weights")?.[0]?.[0] ?? "";
    expect(cell).toMatch(/^at the start 0\.6388\d{3,}$/);
  });

  test("another width has no counterpart", async () => {
    const shown = await since({ type: "option", change: { heads: 3 } });
    expect(shown("scores")?.flat().join("")).toBe("");
    expect(shown("queries")?.flat().join("")).toBe("");
  });
});
