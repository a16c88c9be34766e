import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { FaultList, Place } from "./faults.ts";

/** What the header of a lesson says. */
export interface LessonMeta {
  /** Plain text, the h1 of the page. */
  readonly title: string;
  /** Position in the list of contents, from 1. */
  readonly order: number;
  /** Reading time in minutes, 1 to 60. */
  readonly minutes: number;
  /** File names (without `.md`) of the lessons to read before this one. */
  readonly needs: readonly string[];
  /** One or two sentences of plain text for the list of contents. */
  readonly summary: string;
  /** Language of the lesson, for instance `en`; the name of its folder. */
  readonly lang: string;
}

/** The header, where each key stands, and the text behind it. */
export interface Header {
  readonly meta: LessonMeta;
  readonly places: ReadonlyMap<string, Place>;
}

type Check = (value: unknown, written: string) => string | undefined;

const text =
  (longest: number): Check =>
  (value) => {
    if (typeof value !== "string") return `must be text, but ${kind(value)} was found; put it in quotes`;
    if (value.trim() === "") return "is empty";
    if (value.length > longest) return `has ${value.length} characters; at most ${longest} fit`;
    return undefined;
  };

const whole =
  (from: number, to: number): Check =>
  (value, written) =>
    typeof value === "number" && /^[1-9]\d*$/u.test(written) && value >= from && value <= to
      ? undefined
      : `must be a whole number from ${from} to ${to}, but ${written === "" ? "nothing" : written} was found`;

const checks: ReadonlyMap<keyof LessonMeta, Check> = new Map<keyof LessonMeta, Check>([
  ["title", text(120)],
  ["order", whole(1, 99)],
  ["minutes", whole(1, 60)],
  [
    "needs",
    (value) =>
      Array.isArray(value) && value.every((v) => typeof v === "string")
        ? undefined
        : "must be a list of lesson names such as [01-why-context], or [] for none",
  ],
  ["summary", text(300)],
  [
    "lang",
    (value, written) =>
      typeof value === "string" && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/u.test(value)
        ? undefined
        : `must be a language tag such as en, but ${written === "" ? "nothing" : written} was found`,
  ],
]);

function kind(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a block of keys" : `a ${typeof value}`;
}

/** Reads and checks the header. Every fault goes to `faults`; the header is returned only when there is none. */
export function readFrontMatter(source: string, faults: FaultList): Header | undefined {
  const lines = source.split("\n");
  if (lines[0]?.trimEnd() !== "---") {
    faults.add(undefined, "The first line must be ---, which opens the header of the lesson.");
    return undefined;
  }
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---");
  if (end < 0) {
    faults.add(undefined, "The header is not closed: a line with --- alone must follow its last key.");
    return undefined;
  }
  const before = faults.all.length;
  refuseSecondHeader(lines, end, faults);
  const counter = new LineCounter();
  const yaml = lines.slice(1, end).join("\n");
  const document = parseDocument(yaml, { lineCounter: counter, uniqueKeys: false, prettyErrors: false });
  const place = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { line: line + 1, column: col };
  };
  for (const error of document.errors) faults.add(place(error.pos[0]), yamlSentence(error.code, error.message));
  if (document.errors.length > 0) return undefined;
  if (!isMap(document.contents)) {
    faults.add({ line: 2, column: 1 }, "The header must be lines of the form key: value.");
    return undefined;
  }

  const places = new Map<string, Place>();
  const values = new Map<string, unknown>();
  for (const { key, value } of document.contents.items) {
    const keyNode = key as Node;
    const at = place(keyNode.range?.[0] ?? 0);
    const name = isScalar(keyNode) ? String(keyNode.value) : "";
    const check = checks.get(name as keyof LessonMeta);
    if (places.has(name)) {
      faults.add(at, `The key ${name} is there twice; keep one.`);
      continue;
    }
    places.set(name, at);
    if (!check) {
      faults.add(at, `The key ${name} is not known; a header has ${[...checks.keys()].join(", ")}.`);
      continue;
    }
    const node = value as Node | null;
    const valueAt = node?.range ? place(node.range[0]) : at;
    if (node && holdsMachinery(node)) {
      faults.add(valueAt, `The value of ${name} uses an anchor, alias or tag of YAML; write the value itself.`);
      continue;
    }
    const plain: unknown = node ? (node as { toJSON(): unknown }).toJSON() : null;
    const written = node?.range ? yaml.slice(node.range[0], node.range[1]) : "";
    const wrong = check(plain, written);
    if (wrong) faults.add(valueAt, `The value of ${name} ${wrong}.`);
    else values.set(name, plain);
  }
  for (const name of checks.keys()) {
    if (!places.has(name)) faults.add({ line: end + 1, column: 1 }, `The header has no key ${name}; add it.`);
  }
  if (faults.all.length > before) return undefined;
  return { meta: Object.fromEntries(values) as unknown as LessonMeta, places };
}

function holdsMachinery(node: Node): boolean {
  if (isAlias(node)) return true;
  const { anchor, tag } = node as { anchor?: string; tag?: string };
  if (anchor !== undefined || tag !== undefined) return true;
  if (isSeq(node)) return node.items.some((item) => holdsMachinery(item as Node));
  return false;
}

function refuseSecondHeader(lines: readonly string[], end: number, faults: FaultList): void {
  const next = lines.findIndex((line, at) => at > end && line.trim() !== "");
  if (next < 0 || lines[next]?.trimEnd() !== "---") return;
  if (/^[a-z]+:/u.test(lines[next + 1] ?? "")) {
    faults.add({ line: next + 1, column: 1 }, "A second header begins here; a lesson has one.");
  }
}

function yamlSentence(code: string, message: string): string {
  if (code === "BLOCK_AS_IMPLICIT_KEY" || code === "MULTILINE_IMPLICIT_KEY") {
    return "A value that contains a colon and a blank needs quotes around it.";
  }
  if (code === "TAB_AS_INDENT") return "A tab indents this line; the header is indented with blanks.";
  return `The header cannot be read: ${(message.split("\n")[0] ?? "").replace(/\.?$/u, ".")}`;
}
