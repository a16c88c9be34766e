// The core against the plain sequential float32 loop, bit for bit: the multiply-add shown is the multiply-add done.

import { describe, expect, test } from "vitest";
import { amount, forAllCases } from "./support/arbitrary.ts";
import { repeatHeads } from "./support/cases.ts";
import { expectBits } from "./support/compare.ts";
import { cappedOf } from "./support/given.ts";
import { loom } from "./support/loom.ts";
import { joinHeads, plainAttention } from "./support/plain.ts";
import { cases } from "./support/size.ts";

const COUNT = cases(1000, 20_000);

describe(`bit for bit (${amount(COUNT)})`, { timeout: cases(120_000, 3_600_000) }, () => {
  test("every stage but exp, and the output without a trace, equal the plain sequential loop", () => {
    forAllCases(COUNT, {}, (c) => {
      const { trace } = loom.attend({ ...c.input, trace: true });
      if (trace === undefined) throw new Error("trace: true gave no trace");
      if (c.form !== "qkv") {
        expectBits(trace.stage("queries").data, c.queries, "queries");
        const repeated = (name: string) => repeatHeads(trace.stage(name).data, c.kvHeads, c.heads);
        expectBits(repeated("keys"), c.keys, "keys");
        expectBits(repeated("values"), c.values, "values");
      }
      const exp = trace.stage("exp").data;
      const plain = plainAttention({ ...c, scale: trace.scale, exp, capped: cappedOf(trace) });
      const names = ["scores", "scaled", "shifted", "rowsum", "weights", "output"] as const;
      for (const name of names) expectBits(trace.stage(name).data, plain[name], name);
      expect(trace.stages.includes("masked")).toBe(c.hasMask);
      if (c.hasMask) expectBits(trace.stage("masked").data, plain.masked, "masked");
      // Which of two zeros is the larger is not said: adding 0 makes them alike.
      const zeroed = (data: Float32Array) => data.map((value) => value + 0);
      expectBits(zeroed(trace.stage("rowmax").data), zeroed(plain.rowmax), "rowmax");
      const { output } = loom.attend(c.input);
      expectBits(output.data, joinHeads(plain.output, c.heads, c.nQ, c.dV), "output without a trace");
    });
  });
});
