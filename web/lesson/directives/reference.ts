import { roleOf } from "../../draw/tokens.ts";
import { roleClass } from "../roles.ts";
import type { Computed } from "../scope.ts";
import { anything, type Directive, el, exampleName, hasStage } from "./kinds.ts";

/**
 * `:ref[a query]{stage="queries"}` gives words the colour of their role and says which part of the figure they speak of:
 * `row` and `column` name tokens of that stage, so that the figure can light up what the sentence names.
 */
export const ref: Directive = {
  name: "ref",
  forms: ["text"],
  attributes: new Map([
    ["stage", anything],
    ["row", anything],
    ["column", anything],
    ["example", exampleName],
  ]),
  required: ["stage"],
  render({ node, place, attributes }, context) {
    const stage = attributes.get("stage");
    if (!stage) return [];
    let source: Computed;
    try {
      source = context.compute(attributes.get("example")?.value);
    } catch (error) {
      context.faults.add(place, (error as Error).message);
      return [];
    }
    if (!hasStage(source, stage, context.faults)) return [];
    const { labels = [], hasHeadAxis = false } = source.lookUp(stage.value) ?? {};
    const [rows = [], columns = []] = hasHeadAxis ? labels.slice(1) : labels;
    const data: Record<string, string> = { dataStage: stage.value };
    for (const [name, key, tokens] of [
      ["row", "dataRow", rows],
      ["column", "dataColumn", columns],
    ] as const) {
      const asked = attributes.get(name);
      if (!asked) continue;
      const at = tokens.indexOf(asked.value);
      if (at >= 0) data[key] = String(at);
      else {
        const choice = tokens.length > 0 ? tokens.join(", ") : "none";
        context.faults.add(asked, `${stage.value} has no ${name} ${asked.value}; there are ${choice}.`);
      }
    }
    return [el("span", `loom-ref ${roleClass(roleOf(stage.value))}`, context.children(node), data)];
  },
};
