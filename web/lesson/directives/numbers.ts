import type { ElementContent } from "hast";
import type { Operation } from "../../core/types.ts";
import { advance } from "../attributes.ts";
import { ExpressionFault, evaluate, type Result } from "../expression.ts";
import type { Computed, Variant } from "../scope.ts";
import {
  type AttributeCheck,
  anything,
  type Directive,
  type DirectiveContext,
  type DirectiveUse,
  el,
  exampleName,
  txt,
} from "./kinds.ts";

const variantAttributes: readonly [string, AttributeCheck][] = [
  ["example", exampleName],
  ["scale", anything],
  ["block", anything],
];

/** Evaluates what a directive asks for; a fault at the right column if that fails. */
function ask(text: string, offset: number, use: DirectiveUse, context: DirectiveContext): Result | undefined {
  const source = computed(use, context);
  if (!source) return undefined;
  try {
    return evaluate(text, source);
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    context.faults.add(advance(use.labelPlace, use.label, offset + error.at), error.message);
    return undefined;
  }
}

function computed(use: DirectiveUse, context: DirectiveContext): Computed | undefined {
  const scale = use.attributes.get("scale");
  const block = use.attributes.get("block");
  const name = use.attributes.get("example")?.value;
  try {
    const plain = context.compute(name);
    if (!scale && !block) return plain;
    const variant: { scale?: number; block?: string[] } = {};
    if (scale) {
      const value = evaluate(scale.value, plain);
      if (value.kind !== "numbers" || value.data.length !== 1) throw new Error("scale must be a single number.");
      variant.scale = value.data[0] as number;
    }
    if (block) {
      variant.block = block.value.split(" ");
      const stranger = variant.block.find((token) => !plain.example.tokensKv.includes(token));
      if (stranger !== undefined) throw new Error(`block names the key ${stranger}, which the example does not have.`);
    }
    return context.compute(name, variant satisfies Variant);
  } catch (error) {
    context.faults.add(scale ?? block ?? use.place, (error as Error).message);
    return undefined;
  }
}

/** A result as it stands in prose: numbers as the figure writes them, words as they are. */
function write(result: Result, { tools, lang }: DirectiveContext): string {
  return result.kind === "words"
    ? result.words.join(", ")
    : result.data.map((value) => tools.writeNumber(value, result.family, lang)).join(", ");
}

/** A number or a short row of numbers is never broken at the end of a line. */
const number = (text: string): ElementContent => el("span", text.length <= 16 ? "num whole" : "num", [txt(text)]);

const plainHyphen = (text: string) => text.replaceAll("-", "−");

/**
 * `:num[weights[la, house]]` prints what the core computed. `is="0.6388"` states what the author expects to be printed;
 * the build fails when it is not.
 */
export const num: Directive = {
  name: "num",
  forms: ["text"],
  attributes: new Map([...variantAttributes, ["is", anything]]),
  render(use, context) {
    const result = ask(use.label, 0, use, context);
    if (!result) return [];
    const text = write(result, context);
    const expected = use.attributes.get("is");
    if (expected && plainHyphen(expected.value) !== text) {
      context.faults.add(
        expected,
        `The lesson expects ${use.label} to be ${expected.value}, but the core computes ${text}.`,
      );
    }
    return [result.kind === "words" ? txt(text) : number(text)];
  },
};

/** `::expect[argmin(max(weights)) = rouge]` prints nothing; the build fails when the core disagrees. */
export const expect: Directive = {
  name: "expect",
  forms: ["leaf"],
  attributes: new Map(variantAttributes),
  render(use, context) {
    const split = use.label.indexOf("=");
    if (split < 0) {
      context.faults.add(use.labelPlace, "An expectation has the form ::expect[what = value].");
      return [];
    }
    const asked = use.label.slice(0, split).trim();
    const expected = use.label.slice(split + 1).trim();
    const result = ask(asked, use.label.indexOf(asked), use, context);
    if (!result) return [];
    const text = write(result, context);
    if (text !== plainHyphen(expected)) {
      context.faults.add(use.place, `The lesson expects ${asked} to be ${expected}, but the core computes ${text}.`);
    }
    return [];
  },
};

/** Cells of these are added up from terms; those of all other stages are made in a single step. */
const isAddedUp = (operation: Operation) => operation === "dot" || operation === "sum";

/** The origin of the cell that a label names, such as `scores[la, house]`. */
function originOf(use: DirectiveUse, context: DirectiveContext) {
  const source = computed(use, context);
  const result = source && ask(use.label, 0, use, context);
  if (!result) return undefined;
  const cell = result.kind === "numbers" ? result.cell : undefined;
  if (!cell) {
    context.faults.add(use.labelPlace, `${use.label} is not one cell, such as scores[la, house].`);
    return undefined;
  }
  const { trace } = source;
  const { operation } = trace.describe(cell.stage);
  if (!isAddedUp(operation)) {
    const allowed = trace.stages.filter((name) => isAddedUp(trace.describe(name).operation)).join(", ");
    context.faults.add(
      use.labelPlace,
      `${cell.stage} is no sum of terms (it is made by ${operation}); this takes a cell of ${allowed}.`,
    );
    return undefined;
  }
  return { source, stage: cell.stage, origin: trace.origin(cell.stage, cell.index) };
}

/** `:terms[scores[la, house]]` prints the products that make the cell: −1·1 + 0·2 + 2·1. */
export const terms: Directive = {
  name: "terms",
  forms: ["text"],
  attributes: new Map(variantAttributes),
  render(use, context) {
    const found = originOf(use, context);
    if (!found) return [];
    const { source, origin } = found;
    const factor = (stage: string, value: number, first: boolean) => {
      const text = context.tools.writeNumber(value, source.lookUp(stage)?.family ?? [value], context.lang);
      return value < 0 && !first ? `(${text})` : text;
    };
    const text = origin.terms
      .map((term, at) => term.operands.map((o, i) => factor(o.stage, o.value, at + i === 0)).join("·"))
      .join(" + ");
    return [number(text)];
  },
};

/** `:sums[scores[la, house]]` prints the running sums that make the cell: −1, −1, 1. */
export const sums: Directive = {
  name: "sums",
  forms: ["text"],
  attributes: new Map(variantAttributes),
  render(use, context) {
    const found = originOf(use, context);
    if (!found) return [];
    const family = found.source.lookUp(found.stage)?.family ?? [];
    return [
      number(found.origin.terms.map((t) => context.tools.writeNumber(t.partial, family, context.lang)).join(", ")),
    ];
  },
};
