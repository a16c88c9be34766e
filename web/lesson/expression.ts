// What a lesson may write where it wants a number: cells, rows and whole stages of an example's trace, by token or by
// index, four reductions, and plain arithmetic.
//
//   weights[la, house]        one cell            max(weights[la])     the largest of a row
//   weights[la]               a row               argmax(weights[la])  the key it belongs to
//   weights                   a stage             argmin(max(weights)) the query whose largest weight is smallest
//   terms(scores)             multiply-adds of all its cells           4 * 5, sqrt(d_k), 1 / scale
//
// max, min, sum and argmax, argmin run along the last axis. With one head its axis may be left out.

/** Numbers with their axes. A single number has no axes. */
export interface Values {
  readonly kind: "numbers";
  readonly data: readonly number[];
  readonly shape: readonly number[];
  /** One name per index, for each axis; empty where the axis has no tokens. */
  readonly labels: readonly (readonly string[])[];
  /** True where the first axis counts heads. */
  readonly hasHeadAxis: boolean;
  /** All numbers of the stage they come from: they decide the number of decimals. */
  readonly family: readonly number[];
  /** Which cell of the trace this is, if it is one. */
  readonly cell?: { readonly stage: string; readonly index: readonly number[] };
}

/** Names of tokens, from argmax and argmin. */
export interface Words {
  readonly kind: "words";
  readonly words: readonly string[];
}

export type Result = Values | Words;

/** Where an expression gets its names from. */
export interface Scope {
  /** A stage, an input or a dimension; nothing if unknown. */
  lookUp(name: string): Values | undefined;
  /** Number of multiply-adds (or other single steps) that a stage takes; nothing if unknown. */
  termsOf(name: string): number | undefined;
  /** All names, for the message about an unknown one. */
  readonly names: readonly string[];
}

/** A fault in an expression, `at` characters from its beginning. */
export class ExpressionFault extends Error {
  readonly at: number;
  constructor(sentence: string, at: number) {
    super(sentence);
    this.at = at;
  }
}

const maxDepth = 32;

/** A number that no stage owns. */
export const single = (value: number): Values => ({
  kind: "numbers",
  data: [value],
  shape: [],
  labels: [],
  hasHeadAxis: false,
  family: [value],
});

/** Evaluates `text`. Throws {@link ExpressionFault}. */
export function evaluate(text: string, scope: Scope): Result {
  let at = 0;
  let depth = 0;

  const fail = (sentence: string, where = at): never => {
    throw new ExpressionFault(sentence, where);
  };
  const skip = () => {
    while (/\s/u.test(text.charAt(at))) at++;
  };
  const peek = () => {
    skip();
    return text.charAt(at);
  };
  const expect = (mark: string) => {
    if (peek() !== mark) fail(`${mark} was expected in ${text}, but ${text.charAt(at) || "its end"} was found.`);
    at++;
  };
  const takeName = (): string | undefined => {
    skip();
    const found = /^[A-Za-z_]\w*/u.exec(text.slice(at));
    if (!found) return undefined;
    at += found[0].length;
    return found[0];
  };
  const numbers = (value: Result, where: number): Values =>
    value.kind === "numbers" ? value : fail("Words cannot be calculated with.", where);
  const one = (value: Result, where: number): number => {
    const { data, shape } = numbers(value, where);
    return shape.length === 0 ? (data[0] as number) : fail("Arithmetic takes single numbers, not rows.", where);
  };

  const sum = (): Result => {
    if (++depth > maxDepth) fail("The expression is nested too deeply.");
    let left = product();
    for (let mark = peek(); mark === "+" || mark === "-"; mark = peek()) {
      const where = at++;
      const right = one(product(), where);
      left = single(mark === "+" ? one(left, where) + right : one(left, where) - right);
    }
    depth--;
    return left;
  };
  const product = (): Result => {
    let left = factor();
    for (let mark = peek(); mark === "*" || mark === "/"; mark = peek()) {
      const where = at++;
      const right = one(factor(), where);
      left = single(mark === "*" ? one(left, where) * right : one(left, where) / right);
    }
    return left;
  };
  const factor = (): Result => {
    const mark = peek();
    if (mark === "-") {
      const where = at++;
      if (++depth > maxDepth) fail("The expression is nested too deeply.");
      const value = single(-one(factor(), where));
      depth--;
      return value;
    }
    if (mark === "(") {
      at++;
      const inner = sum();
      expect(")");
      return inner;
    }
    const literal = /^\d+(?:\.\d+)?/u.exec(text.slice(at));
    if (literal) {
      at += literal[0].length;
      return single(Number(literal[0]));
    }
    const start = at;
    const name = takeName();
    if (name === undefined) return fail(`A number, a stage or a function was expected in ${text || "an empty label"}.`);
    if (peek() === "(") {
      at++;
      return call(name, start);
    }
    const whole = scope.lookUp(name);
    if (!whole) return fail(`There is no ${name}; the names are ${scope.names.join(", ")}.`, start);
    return peek() === "[" ? pick(whole, name) : whole;
  };
  const call = (name: string, start: number): Result => {
    if (name === "terms" || name === "count") {
      const stage = takeName() ?? fail(`${name}() takes the name of a stage.`);
      expect(")");
      const counted = name === "terms" ? scope.termsOf(stage) : scope.lookUp(stage)?.data.length;
      return counted === undefined ? fail(`There is no stage ${stage}.`, start) : single(counted);
    }
    const argument = sum();
    expect(")");
    if (name === "sqrt") return single(Math.sqrt(one(argument, start)));
    const reduce = reductions.get(name);
    if (!reduce) {
      const known = ["terms", "count", "sqrt", ...reductions.keys()].join(", ");
      return fail(`There is no function ${name}; the functions are ${known}.`, start);
    }
    const values = numbers(argument, start);
    if (values.shape.length === 0) fail(`${name} takes a row or a stage, not a single number.`, start);
    return reduce(values);
  };
  const pick = (whole: Values, name: string): Values => {
    expect("[");
    const indices: { name: string; at: number }[] = [];
    while (true) {
      skip();
      const quoted = /^"([^"\]]*)"/u.exec(text.slice(at));
      const bare = quoted ?? /^[^\s,\]"[]+/u.exec(text.slice(at));
      if (!bare) return fail(`An index or a token was expected behind ${name}[.`);
      indices.push({ name: quoted?.[1] ?? bare[0], at });
      at += bare[0].length;
      if (peek() === "]") break;
      expect(",");
    }
    expect("]");
    // With one head, [query, key] means [0, query, key].
    let { shape, labels } = whole;
    const leavesOutHead = whole.hasHeadAxis && shape[0] === 1 && indices.length < shape.length;
    if (leavesOutHead) {
      shape = shape.slice(1);
      labels = labels.slice(1);
    }
    if (indices.length > shape.length)
      fail(`${name} has ${shape.length} axes, but ${indices.length} indices were given.`);
    const index = leavesOutHead ? [0] : [];
    let offset = 0;
    let size = shape.reduce((a, b) => a * b, 1);
    indices.forEach((asked, axis) => {
      const length = shape[axis] as number;
      const tokens = labels[axis] ?? [];
      const byToken = tokens.indexOf(asked.name);
      const position = byToken >= 0 ? byToken : /^\d+$/u.test(asked.name) ? Number(asked.name) : -1;
      if (position < 0 || position >= length) {
        const choice = tokens.length > 0 ? `${tokens.join(", ")} or 0 to ${length - 1}` : `0 to ${length - 1}`;
        fail(`${asked.name} is no index of ${name} here; there are ${choice}.`, asked.at);
      }
      index.push(position);
      size /= length;
      offset += position * size;
    });
    return {
      kind: "numbers",
      data: whole.data.slice(offset, offset + size),
      shape: shape.slice(indices.length),
      labels: labels.slice(indices.length),
      hasHeadAxis: false,
      family: whole.family,
      ...(indices.length === shape.length && { cell: { stage: name, index } }),
    };
  };

  const result = sum();
  if (peek() !== "") fail(`${text.charAt(at)} was not expected in ${text}.`);
  return result;
}

const fold =
  (pickOne: (row: readonly number[]) => number) =>
  (values: Values): Values => {
    const rows = rowsOf(values);
    return { ...values, data: rows.map(pickOne), shape: values.shape.slice(0, -1), labels: values.labels.slice(0, -1) };
  };

const arg =
  (pickOne: (row: readonly number[]) => number) =>
  (values: Values): Words => {
    const tokens = values.labels.at(-1) ?? [];
    return {
      kind: "words",
      words: rowsOf(values).map((row) => {
        const at = row.indexOf(pickOne(row));
        return tokens[at] ?? String(at);
      }),
    };
  };

const reductions: ReadonlyMap<string, (values: Values) => Result> = new Map<string, (values: Values) => Result>([
  ["max", fold((row) => Math.max(...row))],
  ["min", fold((row) => Math.min(...row))],
  ["sum", fold((row) => row.reduce((a, b) => a + b, 0))],
  ["argmax", arg((row) => Math.max(...row))],
  ["argmin", arg((row) => Math.min(...row))],
]);

function rowsOf({ data, shape }: Values): readonly (readonly number[])[] {
  const width = shape.at(-1) ?? 1;
  return Array.from({ length: width === 0 ? 0 : data.length / width }, (_, i) =>
    data.slice(i * width, (i + 1) * width),
  );
}
