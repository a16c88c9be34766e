// The examples besides E1, against the numbers of the curriculum.

import { describe, expect, test } from "vitest";
import { exampleModel, exampleNames } from "../../web/elements/examples.ts";
import { attendInput, type Model } from "../../web/elements/state/index.ts";
import { expectClose, type Tolerance } from "./support/compare.ts";
import { loom } from "./support/loom.ts";

/** The published numbers have three or four decimals: half a unit of the last, and float32 rounding. */
const decimals = (count: number): Tolerance => ({ absolute: 0.5 * 10 ** -count + 1e-5, relative: 0 });

function stage(name: string, of: string) {
  const model = exampleModel(name) as Model;
  const { trace } = loom.attend(attendInput(model));
  const { shape, data } = trace?.stage(of) ?? { shape: [], data: new Float32Array() };
  const columns = shape.at(-1) ?? 0;
  return { model, row: (at: number) => [...data.subarray(at * columns, (at + 1) * columns)] };
}

test("every example can be computed, and its words are as many as its rows", () => {
  for (const name of exampleNames) {
    const model = exampleModel(name) as Model;
    expect(model.matrices.x?.rows, name).toBe(model.tokensQ.length);
    expect((model.matrices.xKv ?? model.matrices.x)?.rows, name).toBe(model.tokensKv.length);
    expect(loom.attend(attendInput(model)).output.data.every(Number.isFinite), name).toBe(true);
  }
});

describe("E2 bank", () => {
  test("the river pulls the bank to the water", () => {
    const { model, row } = stage("bank", "weights");
    const bank = model.tokensQ.indexOf("bank");
    expectClose(row(bank), [0.0017, 0.0017, 0.0017, 0.0017, 0.4965, 0.4965], "weights", decimals(4));
    expectClose(stage("bank", "output").row(bank), [0.4965, 1.4896, 0.9931, 0.0069], "output", decimals(4));
  });
});

describe("E3 apples: (verb → noun) + (drink → drink)", () => {
  const { model, row } = stage("apples", "weights");
  const share = (verb: string, noun: string) => [row(model.tokensQ.indexOf(verb))[model.tokensQ.indexOf(noun)] ?? 0];

  test("drink finds the juice", () => {
    expectClose(share("drink", "juice"), [0.835], "drink → juice", decimals(3));
  });
  test.each(["apples", "apple", "juice"])("hate finds every noun alike: %s", (noun) => {
    expectClose(share("hate", noun), [0.293], `hate → ${noun}`, decimals(3));
  });
});

describe("E4 a-and-b: two heads, gain 4", () => {
  const { model } = stage("a-and-b", "weights");
  const at = (letter: string) => model.tokensKv.indexOf(letter);

  test("each head finds its letter among nine others", () => {
    const { row } = stage("a-and-b", "weights");
    expectClose([row(0)[at("a")] ?? 0, row(1)[at("b")] ?? 0], [0.858, 0.858], "weights", decimals(3));
  });
  test("the sum of both says that both are there: above 1.5", () => {
    const sum = 2 * (Math.exp(4) / (Math.exp(4) + 9));
    expectClose(stage("a-and-b", "projected").row(0), [sum], "projected");
    expect(sum).toBeGreaterThan(1.5);
  });
});
