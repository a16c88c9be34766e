import { writeFileSync } from "node:fs";
import { test } from "vitest";
import { Numbers } from "../../web/draw/numbers.ts";
import { cppProgram } from "../../web/draw/take/cpp.ts";
import { numpyProgram } from "../../web/draw/take/numpy.ts";
import { programOf } from "../../web/draw/take/program.ts";
import { torchProgram } from "../../web/draw/take/torch.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { attendInput } from "../../web/elements/state/index.ts";
import { loom } from "./support/loom.ts";

test("d", () => {
  const m = exampleModel("house-4x5")!;
  const { trace } = loom.attend(attendInput(m));
  const p = programOf(new Numbers(trace!), { q: m.tokensQ, kv: m.tokensKv });
  writeFileSync("/tmp/take1.py", numpyProgram(p));
  writeFileSync("/tmp/take1t.py", torchProgram(p));
  writeFileSync("/tmp/take1.cpp", cppProgram(p));
  const q = [
    [1, 2, 0.1, 1],
    [0, 1, 1, -1],
    [1, 1, 0, 2],
  ];
  const t2 = loom.attend({
    q,
    k: q,
    v: q,
    heads: 2,
    allow: [
      [true, false, true],
      [false, false, false],
      [true, true, true],
    ],
    temperature: 0.7,
    trace: true,
  }).trace;
  const p2 = programOf(new Numbers(t2), { q: ["a", "b", "c\\"], kv: ["x", "\u202e\n", "<"] });
  writeFileSync("/tmp/take2.py", numpyProgram(p2));
  writeFileSync("/tmp/take2.cpp", cppProgram(p2));
  writeFileSync("/tmp/take2t.py", torchProgram(p2));
});
