import type { Element, ElementContent } from "hast";
import { attentionAttributes } from "../element-attributes.ts";
import { type Directive, el, hasStage } from "./kinds.ts";

/**
 * `::loom-attention{example="house-4x5" stage="scores" level="stage"}`, or `:::loom-attention{…}` with a caption in it:
 * the element with its picture and its sentence inside, which are what a reader without JavaScript sees. The caption
 * stands outside the element and stays.
 */
export const attention: Directive = {
  name: "loom-attention",
  forms: ["leaf", "container"],
  attributes: attentionAttributes,
  required: ["example"],
  render(use, context) {
    const values = new Map([...use.attributes].map(([name, { value }]) => [name, value]));
    const example = context.tools.examples.get(values.get("example") ?? "");
    if (!example) return [];
    let still = "";
    try {
      const stage = use.attributes.get("stage");
      if (stage && !hasStage(context.compute(example.name), stage, context.faults)) return [];
      still = context.tools.renderFigure({ example, attributes: values, lang: context.lang });
    } catch (error) {
      context.faults.add(use.place, `The figure cannot be drawn: ${(error as Error).message}`);
    }
    // The picture is our own markup; no text of a lesson gets in here unescaped.
    const inside = { type: "raw", value: still } as unknown as ElementContent;
    const caption = context.children(use.node);
    const figure: Element = el("figure", "loom-figure", [
      el("loom-attention", "", [inside], Object.fromEntries(values)),
      ...(caption.some((node) => node.type === "element" || (node.type === "text" && node.value.trim() !== ""))
        ? [el("figcaption", "", caption)]
        : []),
    ]);
    return [figure];
  },
};
