// Numbers and words as programs write them.

/** A float32 has at most this many significant digits that say which one it is. */
const FLOAT_DIGITS = 9;
/** More than a decimal can differ from the double it is read as. */
const NUDGE = 2 ** -51;

/**
 * The shortest decimal that is read as the same float32, whether it is rounded once (a float literal of C++) or by way of
 * a double (everything else): a little more or less has to be read as the same, too.
 */
function shortest(value: number): string {
  const wanted = Math.fround(value);
  for (let digits = 1; digits < FLOAT_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if ([short, short * (1 + NUDGE), short * (1 - NUDGE)].every((near) => Math.fround(near) === wanted)) {
      return String(short);
    }
  }
  return String(Number(value.toPrecision(FLOAT_DIGITS)));
}

/** A finite float32 in Python. */
export const pythonNumber = (value: number): string => (Object.is(value, -0) ? "-0.0" : shortest(value));

/** A finite float32 as a literal of C++. */
export function cppNumber(value: number): string {
  const text = pythonNumber(value);
  return `${/[.e]/.test(text) ? text : `${text}.0`}f`;
}

/**
 * A word inside a comment of one line: quoted, and without anything that could end the line, go on with it, or turn the
 * direction of what follows (controls, line ends, marks for directions, halves of pairs).
 */
export function commentWord(word: string): string {
  const plain = word.replace(/["\\]|\p{C}|\p{Zl}|\p{Zp}/gu, (letter) =>
    letter === '"' || letter === "\\" ? `\\${letter}` : `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${plain}"`;
}
