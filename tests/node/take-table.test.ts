// The current stage as a table for spreadsheets: the very numbers, and words that stay words.

import { describe, expect, test } from "vitest";
import { csvText, tsvText } from "../../web/draw/take/table.ts";
import { HOSTILE, numbersOf, randomState, type TakeState } from "./support/take.ts";

const SEED = Number(process.env.LOOM_SEED ?? 4101);

/** RFC 4180, read letter by letter. */
function readTable(text: string, comma: string, end: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (isQuoted && letter === '"' && text[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (letter === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (!isQuoted && letter === comma) {
      line.push(cell);
      cell = "";
    } else if (!isQuoted && text.startsWith(end, at)) {
      lines.push([...line, cell]);
      [line, cell] = [[], ""];
      at += end.length - 1;
    } else cell += letter;
  }
  expect([line, cell, isQuoted]).toEqual([[], "", false]);
  return lines;
}

const readCsv = (text: string) => readTable(text, ",", "\r\n");
const readTsv = (text: string) => readTable(text, "\t", "\n");

const numberOf = (text: string | undefined) =>
  text === "−∞" ? Number.NEGATIVE_INFINITY : text === "∞" ? Number.POSITIVE_INFINITY : Number(text);

const sceneOf = (state: TakeState, stage: string) => ({
  numbers: numbersOf(state),
  stage,
  tokensQ: state.q,
  tokensKv: state.kv,
  head: "head",
});

const square: TakeState = {
  name: "square",
  input: {
    q: [
      [1, 0.1],
      [0, -1],
    ],
    k: [
      [1, 2],
      [3, 4],
    ],
    v: [
      [1, 2],
      [3, 4],
    ],
    allow: [
      [true, false],
      [true, true],
    ],
  },
  q: ["la", "=A1"],
  kv: ["the", 'a "b", c'],
};

describe("tables", () => {
  test("a stage, letter by letter", () => {
    expect(tsvText(sceneOf(square, "scores"))).toBe('scores\tthe\t"a ""b"", c"\nla\t1.2\t3.4\n\'=A1\t-2\t-4\n');
    expect(csvText(sceneOf(square, "scores"))).toBe('scores,the,"a ""b"", c"\r\nla,1.2,3.4\r\n\'=A1,-2,-4\r\n');
    expect(tsvText(sceneOf(square, "masked")).split("\n")[1]).toBe("la\t0.84852815\t−∞");
    expect(csvText(sceneOf(square, "rowmax"))).toBe("rowmax,rowmax\r\nla,0.84852815\r\n'=A1,-1.4142135\r\n");
    expect(csvText(sceneOf(square, "output")).split("\r\n")[0]).toBe("output,1,2");
  });

  test(`every stage of 30 random states keeps its float32s, its shape and its words (seed ${SEED})`, () => {
    for (let seed = SEED; seed < SEED + 30; seed++) {
      const state = randomState(seed);
      const numbers = numbersOf(state);
      for (const stage of numbers.trace.stages) {
        const { data, grid } = numbers.of(stage);
        const front = grid.heads > 1 ? 2 : 1;
        for (const table of [readTsv(tsvText(sceneOf(state, stage))), readCsv(csvText(sceneOf(state, stage)))]) {
          expect(table).toHaveLength(1 + grid.heads * grid.rows);
          for (const line of table) expect(line).toHaveLength(front + grid.columns);
          const values = table.slice(1).flatMap((line) => line.slice(front).map(numberOf));
          expect(values.map(Math.fround), `seed ${seed}, ${stage}`).toEqual([...data].map((value) => value + 0));
        }
      }
    }
  });

  test("no word is a formula, breaks a line or a cell", () => {
    const kv = HOSTILE;
    const state: TakeState = {
      name: "hostile",
      input: { q: [[1]], k: kv.map(() => [1]), v: kv.map(() => [1]) },
      q: ["\n=cmd|' /C calc'!A0"],
      kv,
    };
    const csv = csvText(sceneOf(state, "weights"));
    const tsv = tsvText(sceneOf(state, "weights"));
    expect(tsv.split("\n")).toHaveLength(3);
    expect(csv.split("\r\n")).toHaveLength(3);
    for (const table of [readCsv(csv), readTsv(tsv)]) {
      const [heading = [], line = []] = table;
      expect(heading).toHaveLength(kv.length + 1);
      for (const cell of [...heading, line[0] ?? ""]) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]|[\n\r\t\0]/);
      expect(heading).toContain("'=1+1");
      expect(heading).toContain("'@x");
      expect(heading).toContain("two↵lines");
      expect(heading).toContain('say "yes"');
      expect(line[0]).toBe("↵=cmd|' /C calc'!A0");
    }
  });
});
