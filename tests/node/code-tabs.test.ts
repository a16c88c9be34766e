// The lines in the three tabs: right, when they are run; lit where the cursor is; with the values of the loops.

import { describe, expect, test } from "vitest";
import { CODE_LANGUAGES } from "../../web/draw/code/languages.ts";
import { cppNumber } from "../../web/draw/code/literal.ts";
import { linesText, lineText } from "../../web/draw/code/piece.ts";
import { arrayName } from "../../web/draw/code/recipe.ts";
import { codeText } from "../../web/draw/code/view.ts";
import { cppProgram } from "../../web/draw/take/cpp.ts";
import { numpyProgram } from "../../web/draw/take/numpy.ts";
import { torchProgram } from "../../web/draw/take/torch.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { codePictureOf } from "../../web/elements/maths.ts";
import { attendInput, initialState, type Model, reduce } from "../../web/elements/state/index.ts";
import {
  numbersOf,
  printed,
  python,
  randomState,
  runPython,
  sceneOf,
  type TakeState,
  wholeProgram,
} from "./support/take.ts";

const SEED = Number(process.env.LOOM_SEED ?? 4301);
const house = exampleModel("house-4x5") as Model;
const state: TakeState = { name: "house", input: attendInput(house), q: house.tokensQ, kv: house.tokensKv };
const states = [state, ...Array.from({ length: 10 }, (_, i) => randomState(SEED + i))];
const named = states.map((each) => [each.name, each] as const);

/** The inputs of a whole program with the lines of a tab behind them. Those begin with heads that lie side by side. */
function withLines(whole: string, lines: string): string {
  const inputs = whole.slice(0, whole.search(/^\w+ = matmul/m));
  const joined = "m.swapaxes(0, 1).reshape(m.shape[1], -1) if len(m.shape) == 3 else m";
  const given = /^Q = /m.test(inputs) ? `Q, K, V = (${joined} for m in (Q, K, V))\n` : "";
  return `${inputs}\n${given}${lines}`;
}

describe(`short programs (10 random states, seed ${SEED})`, () => {
  test.skipIf(python === undefined).each(named)(
    "NumPy and PyTorch, on a stand-in, end at the core's result: %s",
    (_, each) => {
      const { trace } = numbersOf(each);
      // Biases are beyond the short programs: no attribute of the figure gives any.
      if (trace.inputs.includes("bQ")) return;
      const last = trace.stages.at(-1) as string;
      const want = trace.stage(last).data;
      for (const language of ["numpy", "torch"] as const) {
        const whole = (language === "numpy" ? numpyProgram : torchProgram)(wholeProgram(each));
        const lines = codeText(codePictureOf(sceneOf(each), language));
        const { out, err } = runPython(`${withLines(whole, lines)}show("result", ${last})\n`);
        expect(err.replace(/.*RuntimeWarning.*\n.*\n/g, "")).toBe("");
        const got = printed(out).get("result") ?? [];
        expect(got).toHaveLength(want.length);
        want.forEach((value, i) => {
          expect(Math.abs((got[i] ?? Number.NaN) - value), `${language} ${i}`).toBeLessThanOrEqual(
            1e-5 * (1 + Math.abs(value)),
          );
        });
      }
    },
  );

  test("the loops in C++ are those of the whole program, which is compiled and run elsewhere", () => {
    for (const each of states) {
      const whole = cppProgram(wholeProgram(each)).replaceAll("e_to(", "std::exp(");
      const { trace } = numbersOf(each);
      for (const stage of trace.stages) {
        if (stage === "capped") continue;
        const { lines } = codePictureOf(sceneOf(each, { stage }), "cpp");
        expect(whole).toContain(lines.map((line) => `  ${lineText(line)}\n`).join(""));
      }
    }
    const cap = codePictureOf(
      sceneOf({ ...state, input: { ...state.input, softCap: 5 } as TakeState["input"] }, { stage: "capped" }),
      "cpp",
    );
    expect(linesText(cap.lines)).toContain("C[i][j] = 5.0f * std::tanh(Z[i][j] / 5.0f);");
  });

  test("every stage lights a line in every language, and lights what makes it", () => {
    for (const each of states) {
      const { trace } = numbersOf(each);
      for (const language of CODE_LANGUAGES) {
        for (const stage of trace.stages) {
          const { lines } = codePictureOf(sceneOf(each, { stage }), language);
          const lit = lines.flatMap((line) =>
            line.filter(([, ...stages]) => stages.includes(stage)).map(([text]) => text),
          );
          expect(lit, `${language} ${stage}`).not.toEqual([]);
          if (language === "cpp") expect(lit[0]).toContain(`${arrayName(stage)}[`);
        }
      }
    }
  });

  test("a program keeps room for its longest stage, so that no step moves what is below", () => {
    for (const language of CODE_LANGUAGES) {
      const pictures = numbersOf(state).trace.stages.map((stage) => codePictureOf(sceneOf(state, { stage }), language));
      expect(new Set(pictures.map(({ most }) => most)).size).toBe(1);
      for (const { lines, most } of pictures) expect(lines.length).toBeLessThanOrEqual(most);
    }
  });
});

describe("the values of the loops", () => {
  const place = (at: Parameters<typeof sceneOf>[1], each = state) =>
    codePictureOf(sceneOf(each, at), "cpp")
      .place.map(({ text, word }) => (word === undefined ? text : `${text} (${word})`))
      .join(", ");

  test.each([
    ["stage", "scores", "i = 0 … 3, j = 0 … 4, t = 0 … 2"],
    ["row", "scores", "i = 1 (petite), j = 0 … 4, t = 0 … 2"],
    ["cell", "scores", "i = 1 (petite), j = 3 (house), t = 0 … 2"],
    ["term", "scores", "i = 1 (petite), j = 3 (house), t = 2"],
    ["term", "keys", "j = 1 (small), c = 2, t = 2"],
    ["term", "output", "i = 1 (petite), c = 2, j = 2 (red)"],
    ["term", "rowsum", "i = 1 (petite), j = 2 (red)"],
    ["term", "weights", "i = 1 (petite), j = 3 (house)"],
  ] as const)("at level %s of %s: %s", (level, stage, text) => {
    const column = stage === "keys" || stage === "output" ? 2 : 3;
    expect(place({ level, stage, row: 1, column, term: 2 })).toBe(text);
  });

  test("with several heads the head comes first", () => {
    const two: TakeState = {
      name: "two heads",
      input: { q: [[1, 2, 3, 4]], k: [[1, 2, 3, 4]], v: [[1, 2, 3, 4]], heads: 2 },
      q: ["a"],
      kv: ["b\u202e\nand more than twelve letters"],
    };
    expect(place({ level: "term", stage: "scores", head: 1, term: 1 }, two)).toMatch(
      /^h = 1, i = 0 \(a\), j = 0 \(b.*…\), t = 1$/,
    );
    expect(linesText(codePictureOf(sceneOf(two, { stage: "scores" }), "cpp").lines)).toContain(
      "S[h][i][j] += Q[h][i][t] * K[h][j][t];",
    );
    expect(linesText(codePictureOf(sceneOf(two, { stage: "concat" }), "cpp").lines)).toContain(
      "concat[i][c] = output[c / 2][i][c % 2];",
    );
  });

  test("the cursor's term is the multiply-add that is shown", () => {
    const scene = sceneOf(state, { level: "term", stage: "scores", row: 1, column: 3, term: 2 });
    const { numbers } = scene;
    const term = numbers.trace.origin("scores", [0, 1, 3]).terms[2];
    expect(term?.operands.map(({ stage, index }) => [stage, ...index])).toEqual([
      ["queries", 0, 1, 2],
      ["keys", 0, 3, 2],
    ]);
    const line = linesText(codePictureOf(scene, "cpp").lines)
      .split("\n")
      .find((text) => text.includes("+="));
    const values: Record<string, number> = { i: 1, j: 3, t: 2 };
    expect(line?.trim().replace(/\[(\w)\]/g, (_, letter) => `[${values[letter]}]`)).toBe(
      "S[1][3] += Q[1][2] * K[3][2];",
    );
  });
});

describe("the open tab", () => {
  test("is part of the state, no edit, and unknown languages are refused", () => {
    const first = initialState(house);
    expect(first.code).toBe("numpy");
    const next = reduce(first, { type: "code", language: "cpp" }, []);
    expect(next).toEqual({ ...first, code: "cpp" });
    expect(reduce(next, { type: "code", language: "cpp" }, [])).toBe(next);
    expect(reduce(next, { type: "code", language: "pascal" as "cpp" }, [])).toBe(next);
    expect(reduce(next, { type: "undo" }, [])).toBe(next);
    expect(JSON.parse(JSON.stringify(next))).toEqual(next);
  });

  test("numbers are the same in all languages", () => {
    expect(cppNumber(numbersOf(state).trace.scale)).toBe("0.57735026f");
  });
});
