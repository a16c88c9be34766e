import type { Definition, Heading, Image, Link, Nodes, Parents, Root } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import { advance } from "./attributes.ts";
import type { FaultList, Place } from "./faults.ts";
import { type InnerLink, isMeaningful, judgeLink } from "./links.ts";
import { sourceOf } from "./positions.ts";

/**
 * Judges every link and picture. Refused links lose their address and keep their text; inner links and pictures are
 * collected, to be checked once all pages are known.
 */
export function checkLinks(
  tree: Root,
  links: InnerLink[],
  images: (Place & { path: string })[],
  faults: FaultList,
): void {
  visit(tree, ["link", "definition", "image"], (node, index, parent) => {
    const { url, position } = node as Link | Definition | Image;
    const place = position?.start ?? { line: 1, column: 1 };
    const judged = judgeLink(url);
    if (node.type === "image") {
      const { alt } = node as Image;
      if (!alt) faults.add(place, "This picture has no description; write it between the brackets.");
      if (judged.kind === "inner" && judged.fragment === "") images.push({ ...place, path: judged.path });
      else faults.add(place, "A picture must be a file beside the lesson, named by a relative address.");
      return undefined;
    }
    if (judged.kind === "refused") {
      faults.add(place, judged.sentence);
      const siblings = (parent as Parents).children as Nodes[];
      const kept = node.type === "link" ? ((node as Link).children as Nodes[]) : [];
      siblings.splice(index ?? 0, 1, ...kept);
      return [SKIP, index ?? 0];
    }
    if (judged.kind === "inner") {
      links.push({ ...place, path: judged.path, fragment: judged.fragment });
      (node as Link).url = judged.href;
    }
    if (node.type === "link" && !isMeaningful(textOf(node as Link))) {
      faults.add(place, "The text of this link does not say where it goes.");
    }
    return undefined;
  });
}

function textOf(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map((child) => textOf(child as Nodes)).join("") : "";
}

/** Headings begin at level 2, skip none, and are not empty. */
export function checkHeadings(tree: Root, faults: FaultList): void {
  let depth = 1;
  visit(tree, "heading", (node: Heading) => {
    const place = node.position?.start;
    if (node.depth === 1) faults.add(place, "The title in the header is the only heading of level 1; begin with ##.");
    else if (node.depth > depth + 1) {
      faults.add(place, `A heading of level ${node.depth} follows one of level ${depth}; no level may be skipped.`);
    }
    if (textOf(node).trim() === "") faults.add(place, "This heading is empty.");
    depth = Math.max(node.depth, 1);
  });
}

const fenced: ReadonlySet<string> = new Set(["containerDirective", "math", "code", "text"]);

/** What is opened must be closed: `:::`, `$$`, code fences, and formulas in a line. */
export function checkFences(tree: Root, source: string, faults: FaultList): void {
  visit(tree, (node) => {
    if (!fenced.has(node.type)) return;
    const place = node.position?.start;
    const written = sourceOf(node as Nodes, source);
    if (node.type === "text") {
      const open = /\$[^\s$]*\\[A-Za-z]+/u.exec(written);
      if (open && place) faults.add(advance(place, written, open.index), "This formula is not closed; a $ is missing.");
      return;
    }
    const lines = written.split("\n");
    const last = (lines.at(-1) ?? "").replace(/^[\s>]+/u, "").trimEnd();
    const fence = /^(:{3,}|\${2,}|`{3,}|~{3,})/u.exec(lines[0] ?? "")?.[1];
    if (fence && (lines.length < 2 || !last.startsWith(fence) || last.replaceAll(fence.charAt(0), "") !== "")) {
      faults.add(place, `What ${fence} opens here is not closed; write ${fence} in a line of its own behind it.`);
    }
  });
}
