import type { Directive } from "./kinds.ts";
import { el, txt } from "./kinds.ts";

/** A titled box around what stands in it, such as `:::predict`. The title comes from the catalogue. */
const box = (name: string): Directive => ({
  name,
  forms: ["container"],
  attributes: new Map(),
  render(use, context) {
    const id = context.freshId(name);
    const title = el("p", "box-title", [txt(context.tools.words(context.lang)(`box.${name}`))], { id });
    return [
      el("div", `box box-${name}`, [title, ...context.children(use.node)], { role: "group", ariaLabelledBy: [id] }),
    ];
  },
});

/** A question to answer before anything moves. */
export const predict = box("predict");
/** A number to work out by hand. */
export const check = box("check");
/** What the lesson leaves out. */
export const limits = box("limits");

/** Folded until asked for; opens without JavaScript. */
export const answer: Directive = {
  name: "answer",
  forms: ["container"],
  attributes: new Map(),
  render(use, context) {
    const summary = el("summary", "", [txt(context.tools.words(context.lang)("box.answer"))]);
    return [el("details", "answer", [summary, ...context.children(use.node)])];
  },
};

/** A calculation in a line of its own. */
export const calc: Directive = {
  name: "calc",
  forms: ["container"],
  attributes: new Map(),
  render: (use, context) => [el("div", "calc", context.children(use.node))],
};
