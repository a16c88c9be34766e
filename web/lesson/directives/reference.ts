import { roleClass, roleOfStage, stageNames } from "../roles.ts";
import { anything, type Directive, el, exampleName, oneOf } from "./kinds.ts";

/**
 * `:ref[a query]{stage="queries"}` gives words the colour of their role and says which part of the figure they speak of:
 * `row` and `column` name tokens of that stage, so that the figure can light up what the sentence names.
 */
export const ref: Directive = {
  name: "ref",
  forms: ["text"],
  attributes: new Map([
    ["stage", oneOf(stageNames)],
    ["row", anything],
    ["column", anything],
    ["example", exampleName],
  ]),
  required: ["stage"],
  render(use, context) {
    const stage = use.attributes.get("stage")?.value ?? "";
    const data: Record<string, string> = { dataStage: stage };
    const asked = (["row", "column"] as const).filter((name) => use.attributes.has(name));
    if (asked.length > 0) {
      try {
        const labels = context.compute(use.attributes.get("example")?.value).lookUp(stage)?.labels ?? [];
        for (const name of asked) {
          const attribute = use.attributes.get(name);
          if (!attribute) continue;
          const tokens = labels[name === "row" ? 1 : 2] ?? [];
          const at = tokens.indexOf(attribute.value);
          if (at < 0) {
            const choice = tokens.length > 0 ? tokens.join(", ") : "none";
            context.faults.add(attribute, `${stage} has no ${name} ${attribute.value}; there are ${choice}.`);
          } else data[name === "row" ? "dataRow" : "dataColumn"] = String(at);
        }
      } catch (error) {
        context.faults.add(use.place, (error as Error).message);
      }
    }
    return [el("span", `loom-ref ${roleClass(roleOfStage(stage))}`, context.children(use.node), data)];
  },
};
