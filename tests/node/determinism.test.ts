// The same input gives the same bits, here and in every engine: one hash for all.
// After a deliberate change of the arithmetic:  LOOM_WRITE_HASH=1 npx vitest run tests/node/determinism.test.ts

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CORPUS_SIZE, corpusBits, sha256 } from "./support/corpus.ts";
import { loom } from "./support/loom.ts";
import { random } from "./support/random.ts";

const stored = new URL("../golden/determinism.json", import.meta.url);

describe("determinism", { timeout: 60_000 }, () => {
  test(`R05 the hash over ${CORPUS_SIZE} computations is the stored one`, async () => {
    const bits = corpusBits(loom);
    const found = {
      cases: CORPUS_SIZE,
      numbers: bits.length,
      sha256: await sha256(bits),
      compiler: loom.buildInfo().compiler,
    };
    if (process.env.LOOM_WRITE_HASH === "1") writeFileSync(stored, `${JSON.stringify(found, null, 2)}\n`);
    expect(existsSync(stored), "tests/golden/determinism.json is there").toBe(true);
    const { compiler, ...want } = JSON.parse(readFileSync(stored, "utf8"));
    const { compiler: here, ...got } = found;
    expect(got, `stored with ${compiler}, built with ${here}`).toEqual(want);
  });

  test("R05 a second run in the same core gives the same hash", async () => {
    expect(await sha256(corpusBits(loom))).toBe(await sha256(corpusBits(loom)));
  });

  test("R05 the generator of the corpus gives its known numbers", () => {
    // The published check of mulberry32: seed 1.
    const r = random(1);
    expect([r.uniform(), r.uniform(), r.uniform()].map((u) => u * 2 ** 32)).toEqual([2693262067, 11749833, 2265367787]);
  });
});
