// A formula for other programs: MathML and LaTeX, from the formula that is on view.

/** An element of MathML as plain data. */
export interface MathNode {
  readonly name: string;
  /** Of mi, mn and mo. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MathNode[];
}

/** Attributes that say how a sign is set. All others, classes among them, are the page's own. */
const kept: readonly string[] = ["display", "stretchy", "movablelimits", "form", "mathvariant"];

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** MathML without anything that needs a style sheet. */
export function mathmlText(node: MathNode, isRoot = true): string {
  const space = isRoot ? ' xmlns="http://www.w3.org/1998/Math/MathML"' : "";
  const attributes = kept
    .filter((name) => node.attributes[name] !== undefined)
    .map((name) => ` ${name}="${escaped(node.attributes[name] ?? "").replaceAll('"', "&quot;")}"`)
    .join("");
  const inner =
    node.children.length > 0 ? node.children.map((child) => mathmlText(child, false)).join("") : escaped(node.text);
  return `<${node.name}${space}${attributes}>${inner}</${node.name}>`;
}

const signs: ReadonlyMap<string, string> = new Map([
  ["⊤", "\\top"],
  ["∑", "\\sum"],
  ["√", "\\sqrt"],
  ["∞", "\\infty"],
  ["∈", "\\in"],
  ["→", "\\to"],
  ["−", "-"],
  ["·", "\\cdot"],
  ["{", "\\{"],
  ["}", "\\}"],
  ["τ", "\\tau"],
  ["exp", "\\exp"],
  ["max", "\\max"],
  ["lim", "\\lim"],
  ["tanh", "\\tanh"],
  ["⊙", "\\odot"],
  ["≠", "\\ne"],
  ["⋅", "\\cdot"],
]);

function letters({ name, text, attributes }: MathNode): string {
  const known = signs.get(text);
  if (name === "mo" && (text === "(" || text === ")") && attributes.stretchy !== "false") {
    return text === "(" ? "\\left(" : "\\right)";
  }
  if (known !== undefined) return known;
  const plain = text.replace(/[\\{}$&#^_~%]/g, (sign) => (/[{}$&#_%]/.test(sign) ? `\\${sign}` : ""));
  return name === "mi" && [...text].length > 1 ? `\\operatorname{${plain}}` : plain;
}

/** Joined with a blank where a command would run into a letter. */
const joined = (parts: readonly string[]): string =>
  parts.reduce((all, part) => all + (/\\[a-zA-Z]+$/.test(all) && /^[a-zA-Z]/.test(part) ? " " : "") + part, "");

/** LaTeX for mathematics mode, with amsmath's \operatorname. */
export function latexText(node: MathNode): string {
  const [first, second, third] = node.children.map(latexText);
  switch (node.name) {
    case "mfrac":
      return `\\frac{${first}}{${second}}`;
    case "msqrt":
      return `\\sqrt{${joined(node.children.map(latexText))}}`;
    case "msub":
    case "munder":
      return `${first}_{${second}}`;
    case "msup":
    case "mover":
      return `${first}^{${second}}`;
    case "msubsup":
    case "munderover":
      return `${first}_{${second}}^{${third}}`;
    default:
      return node.children.length > 0 ? joined(node.children.map(latexText)) : letters(node);
  }
}
