// Whole programs that are copied from the figure: run, and compared with the core's float32s and with what is shown.

import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { commentWord, cppNumber, pythonNumber } from "../../web/draw/code/literal.ts";
import { formatNumber } from "../../web/draw/number.ts";
import type { Numbers } from "../../web/draw/numbers.ts";
import { cppProgram } from "../../web/draw/take/cpp.ts";
import { numpyProgram } from "../../web/draw/take/numpy.ts";
import { torchProgram } from "../../web/draw/take/torch.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { attendInput, type Model, tableOf } from "../../web/elements/state/index.ts";
import { random } from "./support/random.ts";
import {
  compiler,
  HOSTILE,
  numbersOf,
  printed,
  programFile,
  python,
  randomState,
  runCpp,
  runPython,
  type TakeState,
  wholeProgram,
} from "./support/take.ts";

const SEED = Number(process.env.LOOM_SEED ?? 4001);
const STATES = 10;

const house = exampleModel("house-4x5") as Model;
const example = (options: Model["options"] = {}): TakeState => ({
  name: JSON.stringify(options),
  input: attendInput({ ...house, options }),
  q: house.tokensQ,
  kv: house.tokensKv,
});

/** Every feature once, whatever the seed. */
const chosen: TakeState[] = [
  example(),
  example({ temperature: 0 }),
  example({ softmax: "columns", allow: tableOf([0, 1, 2, 3].map((row) => [0, 1, 1, 1, Number(row > 1)])) }),
  example({ softmax: "columns", heads: 3, temperature: 0 }),
  example({ softmax: "columns", shift: false, temperature: 2, causal: "end" }),
  example({ softmax: "none" }),
  example({ softmax: "none", causal: "start" }),
  example({ shift: false, causal: "end" }),
  // Scores up to 500: ∞, and ∞ ÷ ∞.
  example({ shift: false, scale: 50 }),
  example({ shift: false, scale: -50, temperature: 0.5 }),
  example({ scale: -0.3, temperature: 0.7, causal: "start" }),
  {
    ...example(),
    name: "all rows empty",
    input: { ...example().input, allow: new Array(4).fill(new Array(5).fill(false)) },
  },
  {
    ...example(),
    name: "three heads, W_O, a cap, an empty row, hostile words",
    input: {
      ...example().input,
      heads: 3,
      softCap: 2,
      wO: [
        [1, 0.3],
        [0.1, -1],
        [2, 0],
      ],
      allow: [0, 1, 2, 3].map((row) => [0, 1, 2, 3, 4].map((column) => row !== 2 && column !== row)),
    } as TakeState["input"],
    q: HOSTILE.slice(0, 4),
    kv: HOSTILE.slice(4, 9),
  },
  {
    name: "numbers beyond float32",
    input: {
      q: [
        [1e20, 0],
        [0, 1],
      ],
      k: [
        [1e20, 0],
        [0, -1],
      ],
      v: [
        [1, 2],
        [3, 4],
      ],
    },
    q: ["a", "b"],
    kv: ["c", "d"],
  },
];
const states = [...chosen, ...Array.from({ length: STATES }, (_, i) => randomState(SEED + i))];
const named = states.map((state) => [state.name, state] as const);

/** The same float32, or two zeros, or both no number. */
const isSame = (a: number | undefined, b: number | undefined) => a === b || (Number.isNaN(a) && Number.isNaN(b));

/** Every stage, bit for bit, and its text as the figure writes it. */
function expectStages(numbers: Numbers, found: Map<string, number[]>): void {
  expect([...found.keys()]).toEqual(numbers.trace.stages);
  for (const stage of numbers.trace.stages) {
    const { data, format } = numbers.of(stage);
    const got = (found.get(stage) ?? []).map(Math.fround);
    const wrong = [...data].flatMap((value, i) => (isSame(value, got[i]) ? [] : [`${stage}[${i}] ${value} ${got[i]}`]));
    expect(wrong).toEqual([]);
    expect(got.map((value) => formatNumber(value, format))).toEqual(
      [...data].map((value) => formatNumber(value, format)),
    );
  }
}

const largest = (data: ArrayLike<number>) => Array.from(data).reduce((most, x) => Math.max(most, Math.abs(x)), 0);

/** Half a unit of the last digit that the figure shows for a number, twice. */
function shownUnit(value: number, decimals: number): number {
  const size = Math.abs(value);
  const isScientific = size >= 10_000 || (size > 0 && size < 0.00005);
  return isScientific ? 10 ** (Math.floor(Math.log10(size)) - 2) : 10 ** -decimals;
}

describe(`whole programs (${STATES} random states, seed ${SEED})`, { timeout: 240_000 }, () => {
  test.skipIf(python === undefined).each(named)("NumPy prints the very float32s: %s", (_, state) => {
    const { out, err } = runPython(numpyProgram(wholeProgram(state)));
    expect(err).toBe("");
    expectStages(numbersOf(state), printed(out));
  });

  test.skipIf(compiler === undefined).each(named)("C++ prints the very float32s: %s", (_, state) => {
    const { out, err } = runCpp(cppProgram(wholeProgram(state)), ["-O2"]);
    expect(err).toBe("");
    expectStages(numbersOf(state), printed(out));
  });

  // Where a machine could multiply and add at once, the compilers do so by themselves: not in these programs.
  const compilers = ["clang++", "g++"].filter(
    (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
  );
  test.skipIf(process.arch !== "x64").each(compilers)("C++ by %s never multiplies and adds at once", (by) => {
    const text = cppProgram(wholeProgram(randomState(SEED)));
    const assembly = (name: string, program: string) => {
      const flags = ["-std=c++17", "-O3", "-mfma", ...(by === "g++" ? ["-ffp-contract=fast"] : [])];
      return spawnSync(by, [...flags, "-S", "-o", "-", programFile(name, program)], { encoding: "utf8" }).stdout;
    };
    const fused = /\bvfn?m(add|sub)/;
    expect(assembly("fused.cpp", text.replace(/^#pragma.*$/gm, ""))).toMatch(fused);
    expect(assembly("apart.cpp", text)).not.toMatch(fused);
  });

  test.skipIf(python === undefined).each(named)(
    "PyTorch, on a stand-in, is within one unit of what is shown: %s",
    (_, state) => {
      const text = torchProgram(wholeProgram(state));
      expect(
        runPython(`import py_compile\npy_compile.compile(${JSON.stringify(programFile("t.py", text))}, doraise=True)`)
          .err,
      ).toBe("");
      const { out, err } = runPython(text);
      expect(err.replace(/.*RuntimeWarning.*\n.*\n/g, "")).toBe("");
      const numbers = numbersOf(state);
      const found = printed(out);
      expect([...found.keys()]).toEqual(numbers.trace.stages);
      for (const stage of numbers.trace.stages) {
        const { data, format } = numbers.of(stage);
        const off = [...data].flatMap((value, i) => {
          const got = found.get(stage)?.[i] ?? Number.NaN;
          if (isSame(value, got)) return [];
          // PyTorch's tanh has last bits of its own, and the difference of two near numbers shows them.
          const bits = stage === "shifted" && numbers.has("capped") ? 2 ** -22 * largest(numbers.of("capped").data) : 0;
          return Math.abs(value - got) <= Math.max(bits, shownUnit(value, format.decimals))
            ? []
            : [`${stage}[${i}] ${value} ${got}`];
        });
        expect(off).toEqual([]);
      }
    },
  );

  test("words never leave the comments: one line each, without controls and marks for directions", () => {
    const state: TakeState = { ...example(), q: HOSTILE.slice(0, 4), kv: HOSTILE.slice(4) };
    for (const [mark, text] of [
      ["# ", numpyProgram(wholeProgram(state))],
      ["# ", torchProgram(wholeProgram(state))],
      ["// ", cppProgram(wholeProgram(state))],
    ] as const) {
      const [first, queries, keys] = text.split("\n");
      for (const line of [first, queries, keys]) expect(line?.startsWith(mark)).toBe(true);
      expect(keys?.endsWith('"')).toBe(true);
      expect(text.replaceAll("\n", "")).not.toMatch(/[^\P{C}\u200d]/u);
    }
    for (const word of HOSTILE) expect(commentWord(word)).toMatch(/^"[^\n\r\u2028\u2029]*"$/);
  });

  test("without words there is nothing to compute, and the programs say so", () => {
    const state: TakeState = {
      name: "no words",
      input: { q: { data: [], shape: [0, 2] }, k: [[1, 2]], v: [[1, 2]] },
      q: [],
      kv: ["a"],
    };
    const program = wholeProgram(state);
    expect(numpyProgram(program)).toContain("nothing to compute");
    if (compiler) expect(runCpp(cppProgram(program))).toEqual({ out: "", err: "" });
  });
});

describe("literals", () => {
  test(`are the shortest that are read as the same float32 (100,000 numbers, seed ${SEED})`, () => {
    const r = random(SEED);
    const bits = new Uint32Array(1);
    const value = new Float32Array(bits.buffer);
    let longest = 0;
    for (let i = 0; i < 100_000; i++) {
      bits[0] = r.whole(0, 0xffffffff);
      const number = value[0] as number;
      if (!Number.isFinite(number)) continue;
      const text = pythonNumber(number);
      if (Math.fround(Number(text)) !== number) throw new Error(`${number} became ${text}`);
      const digits = text
        .replace(/e.*/, "")
        .replace(/[-.]/g, "")
        .replace(/^0+|0+$/g, "");
      longest = Math.max(longest, digits.length);
    }
    expect(longest).toBe(9);
  });

  test.skipIf(compiler === undefined)(`C++ reads them as the same, too (2,000 numbers, seed ${SEED})`, () => {
    const r = random(SEED);
    const bits = Uint32Array.from({ length: 2000 }, () => r.whole(0, 0x7f7fffff) + (r.chance(0.5) ? 0x80000000 : 0));
    const literals = Array.from(new Float32Array(bits.buffer), cppNumber);
    const { out, err } = runCpp(`#include <cstdint>
#include <cstdio>
#include <cstring>
static const float numbers[] = {${literals.join(", ")}};
int main() {
  for (float number : numbers) {
    std::uint32_t bits;
    std::memcpy(&bits, &number, 4);
    std::printf("%u\\n", bits);
  }
}
`);
    expect(err).toBe("");
    expect(out.trim().split("\n").map(Number)).toEqual([...bits]);
  });

  test.each([
    [0.3, "0.3", "0.3f"],
    [-2, "-2", "-2.0f"],
    [-0, "-0.0", "-0.0f"],
    [1e21, "1e+21", "1e+21f"],
    [16777216, "16777216", "16777216.0f"],
  ])("%d is %s and %s", (value, inPython, inCpp) => {
    expect(pythonNumber(value)).toBe(inPython);
    expect(cppNumber(value)).toBe(inCpp);
  });
});
