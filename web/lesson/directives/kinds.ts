import type { Element, ElementContent } from "hast";
import type { Nodes } from "mdast";
import type { Loom } from "../../core/types.ts";
import type { Attribute } from "../attributes.ts";
import type { Example } from "../example.ts";
import type { FaultList, Place } from "../faults.ts";
import type { Computed, Variant } from "../scope.ts";

/** The prerendered figure of an element: HTML that is there without JavaScript. */
export type FigureRenderer = (figure: {
  readonly example: Example;
  readonly attributes: ReadonlyMap<string, string>;
  readonly lang: string;
}) => string;

/** One number, written as the figure writes it in a language; `family` are the numbers it stands among. */
export type NumberWriter = (value: number, family: readonly number[], lang: string) => string;

/** What a lesson is built with. */
export interface LessonTools {
  /** The core. Without it, a lesson that asks for numbers or figures has a fault. */
  readonly loom?: Loom;
  /** The examples by name. */
  readonly examples: ReadonlyMap<string, Example>;
  readonly renderFigure: FigureRenderer;
  readonly writeNumber: NumberWriter;
  /** Fixed words of the page ("Predict first", …): first the language, then the key. */
  readonly words: (lang: string) => (key: string) => string;
}

/** What a directive sees while the lesson is rendered. */
export interface DirectiveContext {
  readonly tools: LessonTools;
  readonly faults: FaultList;
  readonly lang: string;
  /** Example of the first figure: the one that numbers are read from unless they say otherwise. */
  readonly defaultExample: string | undefined;
  /** A computed example, kept between calls. Throws an Error with a sentence. */
  compute(example: string | undefined, variant?: Variant): Computed;
  /** A fresh id in this page, such as `predict-1`. */
  freshId(stem: string): string;
  /** The rendered children of a node. */
  children(node: Nodes): ElementContent[];
}

/** A directive as it stands in a lesson. */
export interface DirectiveUse {
  readonly node: Nodes & { readonly children: readonly Nodes[] };
  readonly place: Place;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** The source inside the brackets, `""` without them, and where it begins. */
  readonly label: string;
  readonly labelPlace: Place;
}

/** Judges the value of an attribute; a sentence part such as "must be …" if it is wrong. */
export type AttributeCheck = (value: string, context: DirectiveContext) => string | undefined;

/** One kind of directive. A new one is a new file and a line in `directives/index.ts`. */
export interface Directive {
  readonly name: string;
  /** `text` is `:name`, `leaf` is `::name`, `container` is `:::name` … `:::`. */
  readonly forms: readonly ("text" | "leaf" | "container")[];
  readonly attributes: ReadonlyMap<string, AttributeCheck>;
  readonly required?: readonly string[];
  render(use: DirectiveUse, context: DirectiveContext): ElementContent[];
}

/** Shorthand for an element of the page. */
export const el = (tagName: string, className: string, children: ElementContent[], more = {}): Element => ({
  type: "element",
  tagName,
  properties: { ...(className === "" ? {} : { className: className.split(" ") }), ...more },
  children,
});

/** Shorthand for text. */
export const txt = (value: string): ElementContent => ({ type: "text", value });

/** Any value. */
export const anything: AttributeCheck = () => undefined;

/** The name of an example in `content/examples`. */
export const exampleName: AttributeCheck = (value, { tools }) =>
  tools.examples.has(value) ? undefined : `must be the name of an example (${[...tools.examples.keys()].join(", ")})`;

/** True when the example has the stage that an attribute names; otherwise a fault says which it has. */
export function hasStage({ example, trace }: Computed, stage: Attribute, faults: FaultList): boolean {
  if (trace.stages.includes(stage.value)) return true;
  faults.add(stage, `${example.name} has no stage ${stage.value}; it has ${trace.stages.join(", ")}.`);
  return false;
}

/** One of a list. */
export const oneOf =
  (choices: readonly string[]): AttributeCheck =>
  (value) =>
    choices.includes(value) ? undefined : `must be one of ${choices.join(", ")}`;
