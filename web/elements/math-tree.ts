// The formula on view as plain data, without the parts that are not shown.

import type { MathNode } from "../draw/take/math.ts";

/** An element of MathML and what is in it. */
export function mathTree(element: Element): MathNode {
  const children = [...element.children].filter((child) => !child.classList.contains("off")).map(mathTree);
  const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
  return { name: element.localName, text: element.textContent?.trim() ?? "", attributes, children };
}
