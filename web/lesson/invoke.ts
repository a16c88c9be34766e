import type { ElementContent } from "hast";
import type { Nodes } from "mdast";
import { advance, readAttributes } from "./attributes.ts";
import { directives } from "./directives/index.ts";
import { type Directive, type DirectiveContext, txt } from "./directives/kinds.ts";
import type { FaultList, Place } from "./faults.ts";
import { sourceOf } from "./positions.ts";

/** A directive as the parser leaves it: `:name`, `::name` or `:::name`. */
export type DirectiveNode = Nodes & { name: string; children: Nodes[]; type: string };

/**
 * Renders a directive after checking its name, its form and its attributes. What only looks like an inline directive
 * stays text; an unknown block directive is a fault.
 */
export function renderDirective(
  node: DirectiveNode,
  source: string,
  context: DirectiveContext,
  faults: FaultList,
): ElementContent | ElementContent[] {
  const place = node.position?.start ?? { line: 1, column: 1 };
  const form = node.type.replace("Directive", "") as Directive["forms"][number];
  const known = directives.get(node.name);
  if (form === "text" && !known?.forms.includes("text")) return asText(node, source, context);
  const marks = { text: ":", leaf: "::", container: ":::" };
  if (!known) {
    const names = [...directives.values()].filter((d) => !d.forms.includes("text")).map((d) => d.name);
    faults.add(
      place,
      `There is no directive ${marks[form]}${node.name}; the block directives are ${names.join(", ")}.`,
    );
    return [];
  }
  if (!known.forms.includes(form)) {
    const right = known.forms.map((f) => marks[f] + known.name).join(" or ");
    faults.add(place, `${marks[form]}${node.name} is written ${right}.`);
    return [];
  }

  const opening = sourceOf(node, source);
  const { label, labelPlace, braces, bracesPlace } = openingOf(opening, place, node.name);
  const faultsBefore = faults.all.length;
  const attributes = readAttributes(braces, bracesPlace, faults);
  let sound = faults.all.length === faultsBefore;
  for (const [name, attribute] of attributes) {
    const judge = known.attributes.get(name);
    const wrong = judge
      ? judge(attribute.value, context)
      : `is not known; ${node.name} has ${[...known.attributes.keys()].join(", ") || "none"}`;
    if (wrong) {
      faults.add(
        attribute,
        `The attribute ${name} ${wrong}${judge ? `, but ${attribute.value || "nothing"} was found` : ""}.`,
      );
      sound = false;
    }
  }
  for (const name of known.required ?? []) {
    if (!attributes.has(name)) {
      faults.add(place, `${node.name} needs the attribute ${name}.`);
      sound = false;
    }
  }
  return sound ? known.render({ node, place, attributes, label, labelPlace }, context) : [];
}

/** Text that only looks like a directive ("10:30", "scores:weights") stays as it was written. */
function asText(node: DirectiveNode, source: string, context: DirectiveContext): ElementContent[] {
  const from = node.position?.start.offset ?? 0;
  const to = node.position?.end.offset ?? from;
  const first = node.children[0]?.position?.start.offset;
  const last = node.children.at(-1)?.position?.end.offset;
  if (first === undefined || last === undefined) return [txt(source.slice(from, to))];
  return [txt(source.slice(from, first)), ...context.children(node), txt(source.slice(last, to))];
}

/** Splits `::name[label]{attributes}` and says where the parts begin. */
function openingOf(opening: string, place: Place, name: string) {
  let at = opening.indexOf(name) + name.length;
  let label = "";
  let labelAt = at;
  if (opening.charAt(at) === "[") {
    const start = ++at;
    for (let depth = 1; at < opening.length; at++) {
      const mark = opening.charAt(at);
      if (mark === "\\") at++;
      else if (mark === "[") depth++;
      else if (mark === "]" && --depth === 0) break;
    }
    label = opening.slice(start, at++);
    labelAt = start;
  }
  let braces = "";
  const bracesAt = at;
  if (opening.charAt(at) === "{") {
    let quote = "";
    for (at++; at < opening.length; at++) {
      const mark = opening.charAt(at);
      if (quote !== "") quote = mark === quote ? "" : quote;
      else if (mark === '"' || mark === "'") quote = mark;
      else if (mark === "}") break;
    }
    braces = opening.slice(bracesAt, at + 1);
  }
  return {
    label,
    labelPlace: advance(place, opening, labelAt),
    braces,
    bracesPlace: advance(place, opening, bracesAt),
  };
}
