import { LoomTypeError, show } from "./errors.ts";

/** Options as they arrive. */
export type Fields = { readonly [name: string]: unknown };

/** Names that are known, whatever stands behind them. */
interface Known {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

function asFields(call: string, input: unknown, known: Known, parameter = "input"): Fields {
  if (typeof input === "object" && input !== null) return input as Fields;
  throw new LoomTypeError(
    `${call} needs an object with options (${[...known.keys()].join(", ")}), not ${show(input)}.`,
    {
      code: "type",
      parameter,
      value: input,
    },
  );
}

function checkField(call: string, fields: Fields, name: string, known: Known): void {
  if (!known.has(name)) {
    throw new LoomTypeError(`${name} is not an option of ${call}. It knows ${[...known.keys()].join(", ")}.`, {
      code: "option",
      parameter: name,
      value: fields[name],
    });
  }
  if (fields[name] === undefined) {
    throw new LoomTypeError(`${name} is undefined. Leave the option out to get its default.`, {
      code: "type",
      parameter: name,
      value: undefined,
    });
  }
}

/** The options of `call`, none of them unknown or undefined: a misspelt one that is passed over gives wrong pictures. */
export function knownFields(call: string, input: unknown, known: ReadonlySet<string>, parameter?: string): Fields {
  const fields = asFields(call, input, known, parameter);
  for (const name in fields) checkField(call, fields, name, known);
  return fields;
}

/**
 * The same where the options fall into groups, for a call that should not look for sixty names: the groups that may have
 * something in them, as bits. An object of a class may have properties that no loop sees: then all of them.
 */
export function groupsOf(call: string, input: unknown, known: ReadonlyMap<string, number>): number {
  const fields = asFields(call, input, known);
  let groups = 0;
  for (const name in fields) {
    const group = known.get(name);
    if (group === undefined || fields[name] === undefined) checkField(call, fields, name, known);
    else groups |= group;
  }
  const plain = Object.getPrototypeOf(fields);
  return plain === Object.prototype || plain === null ? groups : -1;
}
