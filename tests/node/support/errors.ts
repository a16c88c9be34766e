// What every refusal must be: an Error with a name, a code, the parameter and the value found.

import { LoomError } from "../../../web/core/node.ts";
import type { AttendInput, AttendResult, SoftmaxInput } from "../../../web/core/types.ts";
import { expectClose } from "./compare.ts";
import { loom } from "./loom.ts";

/** Calls and hands back what was thrown. Fails where nothing, or something that is no LoomError, was thrown. */
export function refusal(call: () => unknown): LoomError {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    if (!(error instanceof Error)) throw new Error(`thrown was no Error but a ${typeof error}: ${String(error)}`);
    if (!(error instanceof LoomError)) throw error;
    return error;
  }
  throw new Error(`nothing was refused; the result was ${JSON.stringify(result)?.slice(0, 200)}`);
}

/** Checks a refusal, and that the call after it is right. */
export function expectRefusal(
  call: () => unknown,
  parameter: string | RegExp,
  ...inMessage: (string | RegExp)[]
): LoomError {
  const error = refusal(call);
  const found = (text: string, wanted: string | RegExp) =>
    typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
  if (!found(error.parameter, parameter)) {
    throw new Error(`the error's parameter is "${error.parameter}", expected ${parameter}; message: ${error.message}`);
  }
  const names = typeof parameter === "string" ? [parameter] : [];
  for (const wanted of [...names, ...inMessage]) {
    if (!found(error.message, wanted)) throw new Error(`"${wanted}" is not in the message: ${error.message}`);
  }
  if (typeof error.code !== "string" || error.code.length === 0)
    throw new Error(`the error has no code: ${error.message}`);
  if (!/^(Loom)?[A-Za-z]*Error$/.test(error.name)) throw new Error(`the error's name is "${error.name}"`);
  expectStillRight();
  return error;
}

/** K05 once more: the core works. */
export function expectStillRight(): void {
  const q = [
    [1, 0],
    [0, 1],
  ];
  const v = [
    [1, 2],
    [3, 4],
  ];
  const allow = [
    [true, false],
    [true, true],
  ];
  expectClose(loom.attend({ q, k: q, v, allow }).output.data, [1, 2, 2.3395231, 3.3395231], "the call after it");
}

/** For wrong input that TypeScript would not let through. */
export function attendAny(input: unknown): AttendResult {
  return loom.attend(input as AttendInput);
}

/** The same for softmax. */
export function softmaxAny(input: unknown): unknown {
  return loom.softmax(input as SoftmaxInput);
}
