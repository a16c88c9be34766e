// Known faults of compiler flags: fast-math, and a stack that is too small for large calls.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadLoom } from "../../web/core/node.ts";
import { startCore } from "../../web/core/start.ts";
import { expectBits, expectClose } from "./support/compare.ts";
import { random } from "./support/random.ts";

const BUILDS = [
  { simd: "auto", preset: "wasm", file: "loom-core.wasm" },
  { simd: "off", preset: "wasm-scalar", file: "loom-core-scalar.wasm" },
] as const;
const inBuild = (path: string) => new URL(`../../build/${path}`, import.meta.url);

describe.each(BUILDS)("the build $preset", ({ simd, preset, file }) => {
  test("K20 it sees NaN, and −∞ blocks exactly", async () => {
    const core = startCore(await WebAssembly.compile(readFileSync(inBuild(`wasm/${file}`))));
    expect([Number.NaN, 0, Number.POSITIVE_INFINITY].map((x) => core.seesNaN(x))).toEqual([1, 0, 0]);
    const loom = await loadLoom({ simd });
    expect([...loom.softmax({ data: [0, Number.NEGATIVE_INFINITY] }).data]).toEqual([1, 0]);
    loom.dispose();
  });

  test("K34 the stack has 64 kB, by a flag, and the largest call of the criteria is right with it", async () => {
    const loom = await loadLoom({ simd });
    expect(loom.buildInfo().linkFlags.split(" ")).toContain("-sSTACK_SIZE=64KB");
    const [n, d, heads] = [512, 128, 16];
    const r = random(34);
    const matrix = () => ({ data: r.numbers(n * d * heads), shape: [n, d * heads] });
    const [q, k, v] = [matrix(), matrix(), matrix()];
    const { output } = loom.attend({ q, k, v, heads });
    const traced = loom.attend({ q, k, v, heads, trace: true });
    expectBits(traced.output.data, output.data, "with a trace");
    expect(traced.trace.origin("output", [heads - 1, n - 1, d - 1]).terms).toHaveLength(n);
    // Some heads by themselves: calls of a sixteenth of the size.
    const columns = (from: typeof q, g: number) => ({
      data: Float32Array.from({ length: n * d }, (_, at) => {
        return from.data[Math.floor(at / d) * d * heads + g * d + (at % d)] as number;
      }),
      shape: [n, d],
    });
    for (const g of [0, 7, heads - 1]) {
      const alone = loom.attend({ q: columns(q, g), k: columns(k, g), v: columns(v, g) }).output.data;
      expectBits(columns({ ...q, data: output.data }, g).data, alone, `head ${g}`);
      // And one row of each by the formula in double.
      const i = r.whole(0, n - 1);
      const row = formula(columns(q, g).data.subarray(i * d, (i + 1) * d), columns(k, g).data, columns(v, g).data, d);
      expectClose(alone.subarray(i * d, (i + 1) * d), row, `head ${g}, row ${i}, seed ${r.seed}`);
    }
    loom.dispose();
  });

  test(`K20 no compile command of ${preset} asks for fast-math`, () => {
    const commands = readFileSync(inBuild(`${preset}/compile_commands.json`), "utf8");
    expect(commands).toContain("-ffp-contract=off");
    expect(commands).not.toMatch(/-ffast-math|-ffinite-math-only|-funsafe-math|-fassociative-math|-Ofast/);
  });
});

/** softmax(q·kᵀ/√d)·v for one query. */
function formula(q: Float32Array, k: Float32Array, v: Float32Array, d: number): number[] {
  const dots = Array.from({ length: k.length / d }, (_, j) =>
    q.reduce((sum, x, c) => sum + x * (k[j * d + c] as number), 0),
  );
  const most = Math.max(...dots);
  const shares = dots.map((dot) => Math.exp((dot - most) / Math.sqrt(d)));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return Array.from({ length: d }, (_, c) =>
    shares.reduce((sum, share, j) => sum + (share / all) * (v[j * d + c] as number), 0),
  );
}
