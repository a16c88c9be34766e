import { createHash } from "node:crypto";
import type { Element, ElementContent } from "hast";
import temml from "temml";
import { roleClasses, roleMacros, roleWords } from "./roles.ts";

/** A formula is at most this long. */
const maxLength = 2000;
/** Macro expansions per formula. */
const maxExpand = 500;

/** The style declarations that Temml wrote, as class → declarations, to go into the style sheet of the site. */
export type StyleClasses = Map<string, string>;

/** What went wrong in a formula, with the place in it where that is known. */
export class MathFault extends Error {
  readonly at: number;
  constructor(sentence: string, at: number) {
    super(sentence);
    this.at = at;
  }
}

interface TemmlNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly classes?: readonly string[];
  readonly style?: Readonly<Record<string, string>>;
  readonly children?: readonly TemmlNode[];
}

/**
 * TeX as a MathML tree without style attributes: a strict policy of a page ignores those, so each becomes a class whose
 * rule is added to `styles`. The TeX stays beside it as an annotation, to be copied.
 * Throws {@link MathFault}.
 */
export function renderMath(tex: string, display: boolean, styles: StyleClasses): Element {
  if (tex.length > maxLength) {
    throw new MathFault(`This formula has ${tex.length} characters; at most ${maxLength} are read.`, 0);
  }
  if (/\\(?:text|math)?color\b|\\colorbox\b|\\fcolorbox\b/u.test(tex)) {
    throw new MathFault("Colours in formulas are roles: write \\query{…}, \\key{…}, \\value{…} and so on.", 0);
  }
  let tree: TemmlNode;
  try {
    tree = temml.__renderToMathMLTree(tex, {
      displayMode: display,
      throwOnError: true,
      annotate: true,
      maxExpand,
      maxSize: [20, 20],
      macros: { ...roleMacros },
      trust: (context: { command?: string; class?: string }) =>
        context.command === "\\class" && roleClasses.has(context.class ?? ""),
    }) as TemmlNode;
  } catch (error) {
    const { message = "", position = 0 } = error as { message?: string; position?: number };
    // The first line names the fault; the rest repeats the formula with combining underlines.
    const reason = message.trim().split(/ at (?:position|end)|\n/u)[0] ?? "";
    throw new MathFault(`This formula cannot be read: ${reason.replace(/[.:\s]*$/u, "")}.`, position);
  }
  const math = toHast(tree, styles).find((node): node is Element => node.type === "element");
  if (!math) throw new MathFault("This formula is empty.", 0);
  return math;
}

function toHast(node: TemmlNode, styles: StyleClasses): ElementContent[] {
  const children = (node.children ?? []).flatMap((child) => toHast(child, styles));
  if (node.text !== undefined) return [{ type: "text", value: node.text }];
  if (node.type === undefined) return children;
  const classes = [...(node.classes ?? [])];
  const declarations = Object.entries(node.style ?? {})
    // "display: block math" only says what the browsers' own sheet says already.
    .filter(([property, value]) => !(property === "display" && value === "block math"))
    .map(([property, value]) => `${property.replace(/[A-Z]/gu, (c) => `-${c.toLowerCase()}`)}:${value}`)
    .join(";");
  if (declarations !== "") {
    const name = `m-${createHash("sha256").update(declarations).digest("hex").slice(0, 6)}`;
    styles.set(name, declarations);
    classes.push(name);
  }
  const properties: Record<string, string | string[]> = { ...node.attributes };
  if (properties.style !== undefined) throw new MathFault("This formula asks for a style attribute.", 0);
  if (classes.length > 0) properties.className = classes;
  if (node.type === "annotation") return [element("annotation", properties, [{ type: "text", value: plainTex(node) }])];
  return [element(node.type, properties, children)];
}

const element = (tagName: string, properties: Element["properties"], children: ElementContent[]): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});

/** The formula's source without our own macros, so that it can be pasted anywhere. */
function plainTex(annotation: TemmlNode): string {
  const source = (annotation.children ?? []).map((child) => child.text ?? "").join("");
  return source.replace(new RegExp(String.raw`\\(?:${Object.values(roleWords).join("|")})\{([^{}]*)\}`, "gu"), "$1");
}
