import type { Processor } from "unified";

// The rule of the dollar sign, stricter than remark-math's own: a formula opens with a dollar that no blank follows, and
// closes with a dollar that no blank precedes and no digit follows. So "$5 and $6" stays text.

type Code = number | null;
type State = (code: Code) => State | undefined;
interface Effects {
  enter(type: string): unknown;
  exit(type: string): unknown;
  consume(code: Code): void;
}

const dollar = 36;
/** Negative codes are line ends (−5 … −3), tabs and virtual blanks (−2, −1). */
const isLineEnd = (code: Code): boolean => code !== null && code <= -3;
const isBlank = (code: Code): boolean => code === null || code < 0 || code === 32;
const isDigit = (code: Code): boolean => code !== null && code >= 48 && code <= 57;

function tokenize(effects: Effects, ok: State, nok: State): State {
  let previous: Code = dollar;

  const open: State = (code) => {
    effects.enter("mathText");
    effects.enter("mathTextSequence");
    effects.consume(code);
    effects.exit("mathTextSequence");
    return first;
  };
  const first: State = (code) => (isBlank(code) || code === dollar ? nok(code) : between(code));
  const between: State = (code) => {
    if (code === null) return nok(code);
    if (isLineEnd(code)) {
      previous = code;
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      return between;
    }
    if (code === dollar) {
      if (isBlank(previous)) return nok(code);
      effects.enter("mathTextSequence");
      effects.consume(code);
      effects.exit("mathTextSequence");
      effects.exit("mathText");
      return afterClose;
    }
    effects.enter("mathTextData");
    return data(code);
  };
  const data: State = (code) => {
    if (code === null || isLineEnd(code) || code === dollar) {
      effects.exit("mathTextData");
      return between(code);
    }
    effects.consume(code);
    previous = code;
    // A backslash takes the next character with it, as in `\$`.
    return code === 92 ? escaped : data;
  };
  const escaped: State = (code) => {
    if (code === null || isLineEnd(code)) return data(code);
    effects.consume(code);
    previous = 0;
    return data;
  };
  const afterClose: State = (code) => (isDigit(code) || code === dollar ? nok(code) : ok(code));
  return open;
}

/** Puts the stricter rule in the place of remark-math's. Use after `remark-math`. */
export function strictDollars(this: Processor): undefined {
  const store = this.data() as { micromarkExtensions?: unknown[] };
  store.micromarkExtensions ??= [];
  store.micromarkExtensions.push({
    text: {
      [dollar]: { name: "strictMathText", tokenize, previous: (code: Code) => code !== dollar },
    },
    // Tags and comments stay text, letter for letter.
    disable: { null: ["mathText", "htmlText", "htmlFlow"] },
  });
  return undefined;
}
