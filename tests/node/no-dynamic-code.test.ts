// The whole Node suite runs where code cannot be made from strings, as under a page's policy without 'unsafe-eval'.

import { expect, test } from "vitest";
import { expectStillRight } from "./support/errors.ts";

test("P14 code made from strings is refused in this very worker, and the core works all the same", () => {
  expect(() => Reflect.construct(Function, ["return 1"])).toThrow(EvalError);
  expectStillRight();
});
