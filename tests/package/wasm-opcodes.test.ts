// Which instructions the three wasm files contain, as wasm-objdump of Debian's wabt names them.

import { beforeAll, describe, expect, test } from "vitest";
import { inProject } from "../../tools/setup/paths.mjs";
import { run } from "./support/command.ts";

/** How often each instruction occurs. */
async function instructionsOf(file: string): Promise<ReadonlyMap<string, number>> {
  const text = await run("wasm-objdump", ["--disassemble", inProject("dist", file)], inProject());
  const counts = new Map<string, number>();
  // " 0001a4: fd 85 02                   | f32x4.relaxed_madd"
  for (const [, name] of text.matchAll(/^ [0-9a-f]+: [0-9a-f ]+\| +(\S+)/gm)) {
    counts.set(name as string, (counts.get(name as string) ?? 0) + 1);
  }
  return counts;
}

const VECTOR = /^(v128|[if]\d+x\d+)\./;
const count = (counts: ReadonlyMap<string, number>, pattern: RegExp): number =>
  [...counts].reduce((sum, [name, times]) => sum + (pattern.test(name) ? times : 0), 0);

describe.each([
  { file: "loom-core.wasm", vectors: true, relaxed: false },
  { file: "loom-core-relaxed.wasm", vectors: true, relaxed: true },
  { file: "loom-core-scalar.wasm", vectors: false, relaxed: false },
])("$file", ({ file, vectors, relaxed }) => {
  let counts: ReadonlyMap<string, number>;
  beforeAll(async () => {
    counts = await instructionsOf(file);
  });

  test("the list is one of a whole core", () => {
    expect(counts.get("call")).toBeGreaterThan(100);
    expect(counts.get("f32.mul")).toBeGreaterThan(10);
    // What the tool does not know it names otherwise.
    expect([...counts.keys()].filter((name) => /unknown|illegal|invalid/i.test(name))).toEqual([]);
  });

  test(`P15 vector instructions: ${vectors ? "some" : "none"}`, () => {
    const found = count(counts, VECTOR);
    expect(found > 100, `${found} of them`).toBe(vectors);
    if (!vectors) expect(found).toBe(0);
  });

  test(`P15 relaxed instructions: ${relaxed ? "some" : "none"}`, () => {
    const found = count(counts, /relaxed/);
    if (relaxed) expect(found).toBeGreaterThan(0);
    else expect(found).toBe(0);
  });
});
