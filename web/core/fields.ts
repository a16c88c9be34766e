import { LoomTypeError, show } from "./errors.ts";

/** Options as they arrive. */
export type Fields = { readonly [name: string]: unknown };

/** The options of `call`, none of them unknown or undefined: a misspelt one that is passed over gives wrong pictures. */
export function knownFields(call: string, input: unknown, known: ReadonlySet<string>): Fields {
  if (typeof input !== "object" || input === null) {
    throw new LoomTypeError(`${call} needs an object with options (${[...known].join(", ")}), not ${show(input)}.`, {
      code: "type",
      parameter: "input",
      value: input,
    });
  }
  const fields = input as Fields;
  for (const name in fields) {
    if (!known.has(name)) {
      throw new LoomTypeError(`${name} is not an option of ${call}. It knows ${[...known].join(", ")}.`, {
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
  return fields;
}
