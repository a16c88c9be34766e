// The language of an element: that of the nearest `lang` around it, through shadow roots.

import { type Strings, stringsFor } from "../strings/index.ts";

/** The messages in the language that holds at `element`; English where none is said. */
export function stringsAround(element: Element): Strings {
  let node: Element | undefined = element;
  while (node) {
    const found: Element | null = node.closest("[lang]");
    if (found) return stringsFor(found.getAttribute("lang") ?? "en");
    const root: Node = node.getRootNode();
    node = root instanceof ShadowRoot ? root.host : undefined;
  }
  return stringsFor("en");
}
