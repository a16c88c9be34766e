import type { Nodes } from "mdast";

/** The source of a node, letter for letter. */
export const sourceOf = (node: Nodes, source: string): string =>
  source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
