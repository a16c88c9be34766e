// Random states of the figure, and programs that are copied from it, run.

import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AttendInput, Matrix } from "../../../web/core/types.ts";
import type { Cursor } from "../../../web/draw/cursor.ts";
import { Numbers } from "../../../web/draw/numbers.ts";
import type { Scene } from "../../../web/draw/scene.ts";
import { type Program, programOf } from "../../../web/draw/take/program.ts";
import { stringsFor } from "../../../web/strings/index.ts";
import { loom } from "./loom.ts";
import { type Random, random } from "./random.ts";

/** One state: what is computed, and the words. */
export interface TakeState {
  readonly name: string;
  readonly input: AttendInput;
  readonly q: readonly string[];
  readonly kv: readonly string[];
}

/** Words that are hard on programs, tables and files. */
export const HOSTILE: readonly string[] = [
  'say "yes"',
  "back\\slash\\",
  "two\nlines",
  "\r\n",
  "</script><script>x=1</script>",
  "\u202eright to left\u2066",
  "שלום",
  "*/ /* // # '''",
  '"""',
  "=1+1",
  "+1",
  "-1",
  "@x",
  "＝1",
  " =1",
  "a\tb",
  "\0",
  "\ud800",
  "??/",
  "]]> <!-- &amp; &",
  "👩‍👩‍👧‍👦",
  "a,b;c",
  "",
  "%d %s {x} $x",
  "\u2028\u2029",
];

function matrix(r: Random, rows: number, columns: number, size: number): Matrix {
  return { name: "", shape: [rows, columns], data: r.numbers(rows * columns, size) };
}

/** A random state: forms, heads, masks, empty rows, temperatures, factors, caps, biases, W_O. */
export function randomState(seed: number): TakeState {
  const r = random(seed);
  const heads = r.whole(1, 3);
  const form = r.pick(["self", "cross", "qkv"] as const);
  const nQ = r.whole(1, 5);
  const nK = form === "self" ? nQ : r.whole(1, 6);
  const [model, dK, dV] = [r.whole(1, 4), heads * r.whole(1, 3), heads * r.whole(1, 3)];
  const size = r.pick([0.3, 1, 8]);
  const given =
    form === "qkv"
      ? { q: matrix(r, nQ, dK, size), k: matrix(r, nK, dK, size), v: matrix(r, nK, dV, size) }
      : {
          x: matrix(r, nQ, model, size),
          ...(form === "cross" && { xKv: matrix(r, nK, model, size) }),
          wQ: matrix(r, model, dK, 1),
          wK: matrix(r, model, dK, 1),
          wV: matrix(r, model, dV, 1),
          ...(r.chance(0.3) && { bQ: r.numbers(dK), bK: r.numbers(dK), bV: r.numbers(dV) }),
        };
  const hides = r.chance(0.5);
  const allow = Array.from({ length: nQ }, () => Array.from({ length: nK }, () => r.chance(0.6)));
  if (hides && r.chance(0.5)) allow[r.whole(0, nQ - 1)]?.fill(false);
  const softmax = r.chance(0.4) ? r.pick(["columns", "none"] as const) : undefined;
  const isUnshifted = softmax !== "none" && r.chance(0.3);
  const input = {
    ...given,
    heads,
    ...(hides && { allow }),
    ...(r.chance(0.3) && { causal: r.pick(["start", "end"] as const) }),
    ...(softmax && { softmax }),
    ...(isUnshifted && { shift: false }),
    ...(r.chance(0.5) && softmax !== "none" && { temperature: r.pick([isUnshifted ? 2 : 0, 0.5, 0.7, 3]) }),
    ...(r.chance(0.4) && { scale: r.pick([-0.3, 1e-5, 1, 0]) }),
    ...(r.chance(0.3) && { softCap: r.pick([0.5, 5, 1000]) }),
    ...(r.chance(0.4) && { wO: matrix(r, dV, r.whole(1, 4), 1) }),
  } as AttendInput;
  const words = (count: number) => Array.from({ length: count }, () => r.pick(HOSTILE));
  const q = words(nQ);
  return { name: `seed ${seed}`, input, q, kv: form === "self" ? q : words(nK) };
}

/** The numbers of a state. */
export function numbersOf({ input }: TakeState): Numbers {
  const { trace } = loom.attend({ ...input, trace: true });
  return new Numbers(trace);
}

/** The frame of a state at a place. */
export function sceneOf(state: TakeState, at: Partial<Cursor> = {}): Scene {
  const cursor: Cursor = { level: "stage", stage: "weights", head: 0, row: 0, column: 0, term: 0, ...at };
  const self = "x" in state.input && !("xKv" in state.input);
  return {
    numbers: numbersOf(state),
    cursor,
    tokensQ: state.q,
    tokensKv: state.kv,
    strings: stringsFor("en"),
    self,
  };
}

export const wholeProgram = (state: TakeState): Program => programOf(numbersOf(state), { q: state.q, kv: state.kv });

/** Debian's Python where NumPy is there, for tests that are skipped where it is not. */
export const python = ["/usr/bin/python3", "python3"].find(
  (program) => spawnSync(program, ["-c", "import numpy"], { stdio: "ignore" }).status === 0,
);
if (python === undefined)
  console.log("copied programs in Python are not run: no python3 with NumPy (package python3-numpy)");

/** A compiler of C++. */
export const compiler = ["clang++", "g++"].find(
  (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0,
);
if (compiler === undefined) console.log("copied programs in C++ are not run: no clang++ or g++");

/** Where the stand-in for PyTorch lies. */
const standIn = fileURLToPath(new URL("stand-in/", import.meta.url));

let made: string | undefined;
/** A file of its own for each program, in a folder that the system clears. */
export function programFile(name: string, text: string): string {
  made ??= mkdtempSync(join(tmpdir(), "loom-take-"));
  const file = join(made, name);
  writeFileSync(file, text);
  return file;
}

let count = 0;

/** What a program in Python prints, and what it complains of. */
export function runPython(text: string): { out: string; err: string } {
  const file = programFile(`program${count++}.py`, text);
  const env = { ...process.env, PYTHONPATH: standIn, PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout, stderr } = spawnSync(python as string, [file], { encoding: "utf8", env });
  return { out: stdout, err: stderr };
}

/** What a program in C++ prints, and what the compiler complains of. */
export function runCpp(
  text: string,
  flags: readonly string[] = [],
  by = compiler as string,
): { out: string; err: string } {
  const file = programFile(`program${count++}.cpp`, text);
  const strict = ["-std=c++17", "-Wall", "-Wextra", "-pedantic"];
  const { stderr } = spawnSync(by, [...strict, ...flags, file, "-o", `${file}.out`], { encoding: "utf8" });
  const { stdout } = spawnSync(`${file}.out`, [], { encoding: "utf8" });
  return { out: stdout ?? "", err: stderr };
}

/** The matrices that a program has printed, all heads one after another, by name. */
export function printed(out: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  let numbers: number[] = [];
  for (const line of out.split("\n")) {
    if (/^[a-z]\w+$/i.test(line)) {
      numbers = [];
      found.set(line, numbers);
    } else {
      for (const word of line.split(/\s+/).filter(Boolean)) {
        numbers.push(Number(word.replace("inf", "Infinity").replace(/^-?nan$/, "NaN")));
      }
    }
  }
  return found;
}
