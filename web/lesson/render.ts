import type { Element, ElementContent, Root as HastRoot } from "hast";
import type { Nodes, Root } from "mdast";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkDirective from "remark-directive";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import { LoomError } from "../core/errors.ts";
import { advance } from "./attributes.ts";
import { checkFences, checkHeadings, checkLinks } from "./checks.ts";
import { type DirectiveContext, el, type LessonTools, txt } from "./directives/kinds.ts";
import { strictDollars } from "./dollars.ts";
import { type Fault, FaultList, type Place } from "./faults.ts";
import { type LessonMeta, readFrontMatter } from "./front-matter.ts";
import { type DirectiveNode, renderDirective } from "./invoke.ts";
import type { InnerLink } from "./links.ts";
import { MathFault, renderMath, type StyleClasses } from "./math.ts";
import { type Computed, compute, type Variant } from "./scope.ts";
import { readSource } from "./source.ts";

/** A lesson, rendered. `html` stands even where there are faults, but a site is only built when there are none. */
export interface RenderedLesson {
  readonly file: string;
  readonly meta: LessonMeta | undefined;
  /** Where each key of the header stands. */
  readonly places: ReadonlyMap<string, Place>;
  /** The body of the lesson, one string per top-level element. */
  readonly blocks: readonly { readonly html: string; readonly isFigure: boolean; readonly isHeading: boolean }[];
  /** All blocks together. */
  readonly html: string;
  /** Ids in the order of the page. */
  readonly ids: readonly string[];
  readonly links: readonly InnerLink[];
  readonly images: readonly (Place & { readonly path: string })[];
  /** Rules that the formulas need, as class → declarations. */
  readonly styles: StyleClasses;
  readonly faults: readonly Fault[];
}

interface State {
  all(node: Nodes): ElementContent[];
}

/** Renders one lesson from the bytes of its file. Never throws for what a lesson says: faults are listed. */
export function renderLesson(file: string, bytes: Uint8Array, tools: LessonTools): RenderedLesson {
  const faults = new FaultList(file);
  const nothing = { file, meta: undefined, places: new Map(), blocks: [], html: "", ids: [], links: [], images: [] };
  const source = readSource(bytes, faults);
  if (source === undefined) return { ...nothing, styles: new Map(), faults: faults.all };
  const header = readFrontMatter(source, faults);
  try {
    return { ...renderBody(source, header?.meta, faults, tools), file, places: header?.places ?? new Map() };
  } catch (error) {
    // The engine's own: the stack is full. The core's are RangeErrors too.
    if (!(error instanceof RangeError) || error instanceof LoomError) throw error;
    faults.add(undefined, "The lesson is nested too deeply to be read.");
    return { ...nothing, styles: new Map(), faults: faults.all };
  }
}

function renderBody(source: string, meta: LessonMeta | undefined, faults: FaultList, tools: LessonTools) {
  const parser = unified()
    .use(remarkParse)
    .use(remarkFrontmatter)
    .use(remarkGfm)
    .use(remarkDirective)
    .use(remarkMath)
    .use(strictDollars);
  const tree = parser.parse(source) as Root;
  const lang = meta?.lang ?? "en";
  const words = tools.words(lang);
  const styles: StyleClasses = new Map();
  const links: InnerLink[] = [];
  const images: (Place & { path: string })[] = [];
  checkLinks(tree, links, images, faults);
  checkHeadings(tree, faults);
  checkFences(tree, source, faults);

  const counters = new Map<string, number>();
  const computedBefore = new Map<string, Computed>();
  const defaultExample = firstExample(tree);
  const contextFor = (state: State): DirectiveContext => ({
    tools,
    faults,
    lang,
    defaultExample,
    compute(name, variant: Variant = {}) {
      const wanted = name ?? defaultExample;
      if (wanted === undefined)
        throw new Error('No example is named: write example="…", or put a figure into the lesson.');
      const example = tools.examples.get(wanted);
      if (!example) throw new Error(`There is no example ${wanted}.`);
      if (!tools.loom) throw new Error("Numbers need the core, which is not built.");
      const key = JSON.stringify([wanted, variant]);
      const known = computedBefore.get(key) ?? compute(tools.loom, example, variant);
      computedBefore.set(key, known);
      return known;
    },
    freshId(stem) {
      const count = (counters.get(stem) ?? 0) + 1;
      counters.set(stem, count);
      return `${stem}-${count}`;
    },
    children: (node) => state.all(node),
  });

  const math = (node: Nodes & { value: string }, display: boolean): ElementContent => {
    const place = node.position?.start ?? { line: 1, column: 1 };
    try {
      return renderMath(node.value, display, styles);
    } catch (error) {
      if (!(error instanceof MathFault)) throw error;
      const inside = display ? { line: place.line + 1, column: 1 } : { line: place.line, column: place.column + 1 };
      faults.add(advance(inside, node.value, error.at), error.message);
      return txt(node.value);
    }
  };
  const directive = (state: State, node: DirectiveNode): ElementContent | ElementContent[] =>
    renderDirective(node, source, contextFor(state), faults);

  const pipeline = unified()
    .use(remarkRehype, {
      handlers: {
        html: (_: State, node: { value: string }) => txt(node.value),
        math: (_: State, node: Nodes & { value: string }) => el("div", "display-math", [math(node, true)]),
        inlineMath: (_: State, node: Nodes & { value: string }) => math(node, false),
        textDirective: directive,
        leafDirective: directive,
        containerDirective: directive,
      } as never,
      footnoteLabel: words("lesson.notes"),
      footnoteBackLabel: words("lesson.back"),
    })
    .use(rehypeSlug);
  const hast = pipeline.runSync(tree) as HastRoot;
  scrollableTables(hast);

  const ids: string[] = [];
  visit(hast, "element", (node: Element) => {
    if (typeof node.properties.id === "string") {
      if (ids.includes(node.properties.id)) faults.add(undefined, `The id ${node.properties.id} is there twice.`);
      ids.push(node.properties.id);
    }
    if (node.properties.style !== undefined) faults.add(undefined, `A style attribute was left on ${node.tagName}.`);
  });
  const writer = unified().use(rehypeStringify, { allowDangerousHtml: true });
  const stringify = (node: HastRoot) => writer.stringify(node as never) as unknown as string;
  const blocks = hast.children
    .filter((node) => node.type === "element" || (node.type === "text" && node.value.trim() !== ""))
    .map((node) => ({
      html: stringify({ type: "root", children: [node] }),
      isFigure: node.type === "element" && node.tagName === "figure",
      isHeading: node.type === "element" && /^h[2-6]$/u.test(node.tagName),
    }));
  const html = blocks.map((block) => block.html).join("\n");
  return { meta, blocks, html, ids, links, images, styles, faults: faults.all };
}

/** The example of the first figure. */
function firstExample(tree: Root): string | undefined {
  let found: string | undefined;
  visit(tree, (node) => {
    const { name, attributes } = node as { name?: string; attributes?: Record<string, string> };
    if (found === undefined && name === "loom-attention" && node.type !== "textDirective") found = attributes?.example;
  });
  return found;
}

/** A wide table scrolls by itself, so the page never scrolls sideways. */
function scrollableTables(tree: HastRoot): void {
  visit(tree, "element", (node, index, parent) => {
    if (node.tagName !== "table" || !parent || index === undefined) return undefined;
    parent.children[index] = el("div", "wide", [node], { tabIndex: 0, role: "group" });
    return SKIP;
  });
}
