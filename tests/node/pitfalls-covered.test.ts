// Every known kind of fault that the product can have by now has a test that carries its number.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FIRST_TO_LAST = [[1, 27], [29, 29], [31, 32], [34, 34], [36, 40], [42, 59]]; // biome-ignore format: short

/** Numbers of pitfalls that stand in the titles of a test file: in a string literal or in the name of a C++ test. */
function numbersIn(path: string): number[] {
  const text = readFileSync(path, "utf8");
  const titles = path.endsWith(".cpp")
    ? (text.match(/\bTEST(_F|_P)?\s*\([^)]*\)/g) ?? [])
    : (text.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? []);
  return titles.flatMap((title) =>
    [...title.matchAll(/(?<![A-Za-z0-9])K(\d\d)(?!\d)/g)].map((match) => Number(match[1])),
  );
}

test("R23 every pitfall on the list is named by the title of a test", () => {
  const folder = fileURLToPath(new URL("../", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.(test\.ts|test\.mjs|cpp)$/.test(file) && !file.endsWith("pitfalls-covered.test.ts"),
  );
  const named = new Set(files.flatMap((file) => numbersIn(`${folder}${file}`)));
  const wanted = FIRST_TO_LAST.flatMap(([first, last]) =>
    Array.from({ length: (last as number) - (first as number) + 1 }, (_, n) => (first as number) + n),
  );
  const missing = wanted.filter((number) => !named.has(number)).map((number) => `K${String(number).padStart(2, "0")}`);
  expect(missing).toEqual([]);
});
