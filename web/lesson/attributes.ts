import type { FaultList, Place } from "./faults.ts";

/** One attribute of a directive, and where it stands. */
export interface Attribute extends Place {
  readonly value: string;
}

const pair = /([A-Za-z_][\w-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`{}]+)))?|(\S)/gu;

/**
 * The attributes in the source of a directive, such as `{stage="scores" row=la}`, with their places. Attributes that
 * stand there twice, and the shortcuts `#id` and `.class`, are faults.
 */
export function readAttributes(braces: string, at: Place, faults: FaultList): Map<string, Attribute> {
  const found = new Map<string, Attribute>();
  const inner = braces.replace(/^\{/u, " ").replace(/\}$/u, "");
  for (const match of inner.matchAll(pair)) {
    const place = advance(at, braces, match.index);
    const [, name, double, single, bare, stray] = match;
    if (stray !== undefined || name === undefined) {
      faults.add(place, `An attribute has the form name="value", but ${stray} was found.`);
      return found;
    }
    if (found.has(name)) faults.add(place, `The attribute ${name} is there twice; keep one.`);
    else found.set(name, { value: double ?? single ?? bare ?? "", ...place });
  }
  return found;
}

/** The place `length` characters behind `at` in `text`. */
export function advance(at: Place, text: string, length: number): Place {
  const passed = text.slice(0, length).split("\n");
  const last = passed.at(-1) ?? "";
  return passed.length === 1
    ? { line: at.line, column: at.column + last.length }
    : { line: at.line + passed.length - 1, column: last.length + 1 };
}
