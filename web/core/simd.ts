// What vector instructions the engine has: it is asked whether a module of a few bytes with one of them is valid.

/** A module with one function that gives a vector, made by these instructions. */
function isValid(instructions: readonly number[]): boolean {
  const body = [0, ...instructions, 11];
  const code = [1, body.length, ...body];
  const [type, functions] = [
    [1, 5, 1, 96, 0, 1, 123],
    [3, 2, 1, 0],
  ] as const;
  return WebAssembly.validate(
    Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, ...type, ...functions, 10, code.length, ...code),
  );
}

/** i32.const 0, i8x16.splat */
const VECTOR = [65, 0, 253, 15] as const;

export const hasSimd = (): boolean => isValid(VECTOR);

/** With f32x4.relaxed_madd, the one that the relaxed build uses. */
export const hasRelaxedSimd = (): boolean => isValid([...VECTOR, ...VECTOR, ...VECTOR, 253, 133, 2]);
