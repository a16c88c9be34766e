import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { LessonTools } from "./directives/kinds.ts";
import { type Fault, FaultList } from "./faults.ts";
import { type RenderedLesson, renderLesson } from "./render.ts";

/** All lessons of a content folder, and everything that is wrong with them. */
export interface BuiltLessons {
  readonly lessons: readonly RenderedLesson[];
  /** In the order of the files. Nothing may be written while there is one. */
  readonly faults: readonly Fault[];
}

const fileName = /^(\d\d)-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/u;

/**
 * Renders every `<contentFolder>/<lang>/NN-name.md` and checks what only shows across lessons: names, orders, needs, links
 * between pages and to headings, pictures. `shownFolder` is how the folder is called in messages.
 */
export function buildLessons(contentFolder: string, shownFolder: string, tools: LessonTools): BuiltLessons {
  const lessons: RenderedLesson[] = [];
  const more: Fault[] = [];
  const languages = readdirSync(contentFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "examples")
    .map((entry) => entry.name)
    .sort();
  for (const lang of languages) {
    const here: RenderedLesson[] = [];
    for (const name of readdirSync(join(contentFolder, lang)).sort()) {
      if (!/\.md$/iu.test(name)) continue;
      const lesson = renderLesson(
        posix.join(shownFolder, lang, name),
        readFileSync(join(contentFolder, lang, name)),
        tools,
      );
      const faults = new FaultList(lesson.file);
      checkName(lesson, name, lang, faults);
      for (const image of lesson.images) {
        if (!existsSync(join(contentFolder, lang, decodeURIComponent(image.path)))) {
          faults.add(image, `There is no picture ${image.path}.`);
        }
      }
      here.push(lesson);
      more.push(...faults.all);
    }
    more.push(...checkOrders(here), ...checkLinks(here));
    lessons.push(...here);
  }
  const order = new Map(lessons.map((lesson, at) => [lesson.file, at]));
  const faults = [...lessons.flatMap((lesson) => lesson.faults), ...more].sort(
    (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
  );
  return { lessons, faults };
}

/** The address of a lesson within its language: `05-two-products` for `content/en/05-two-products.md`. */
export const slugOf = (lesson: RenderedLesson): string => posix.basename(lesson.file, ".md");

function checkName(lesson: RenderedLesson, name: string, lang: string, faults: FaultList): void {
  const number = fileName.exec(name)?.[1];
  if (number === undefined) {
    faults.add(
      undefined,
      "A lesson's file is named by two digits and small letters, such as 05-two-products.md: its name is its address.",
    );
    return;
  }
  const { meta, places } = lesson;
  if (meta && meta.order !== Number(number)) {
    faults.add(places.get("order"), `The order is ${meta.order}, but the file's name begins with ${number}.`);
  }
  if (meta && meta.lang !== lang) {
    faults.add(places.get("lang"), `The language is ${meta.lang}, but the file lies in the folder ${lang}.`);
  }
}

function checkOrders(lessons: readonly RenderedLesson[]): Fault[] {
  const faults: Fault[] = [];
  const firstWith = new Map<number, RenderedLesson>();
  for (const lesson of lessons) {
    if (!lesson.meta) continue;
    const { order, needs } = lesson.meta;
    const list = new FaultList(lesson.file);
    const other = firstWith.get(order);
    if (other) list.add(lesson.places.get("order"), `The order ${order} is taken by ${other.file}.`);
    else firstWith.set(order, lesson);
    for (const name of needs) {
      const needed = lessons.find((candidate) => slugOf(candidate) === name);
      if (!needed) list.add(lesson.places.get("needs"), `The lesson ${name}, which this one needs, does not exist.`);
      else if (needed.meta && needed.meta.order >= order) {
        list.add(lesson.places.get("needs"), `The lesson ${name} comes no earlier than this one, which needs it.`);
      }
    }
    faults.push(...list.all);
  }
  return faults;
}

function checkLinks(lessons: readonly RenderedLesson[]): Fault[] {
  const faults: Fault[] = [];
  for (const lesson of lessons) {
    const list = new FaultList(lesson.file);
    for (const link of lesson.links) {
      const target = resolve(lesson, link.path, lessons);
      if (target === undefined) {
        list.add(link, `The link to ${link.path} leads to no page of the site.`);
      } else if (target !== "contents" && link.fragment !== "" && !target.ids.includes(link.fragment)) {
        const ids = target.ids.join(", ") || "none";
        list.add(link, `There is no heading #${link.fragment} in ${target.file}; there are ${ids}.`);
      }
    }
    faults.push(...list.all);
  }
  return faults;
}

function resolve(
  from: RenderedLesson,
  path: string,
  lessons: readonly RenderedLesson[],
): RenderedLesson | "contents" | undefined {
  if (path === "") return from;
  const lang = posix.basename(posix.dirname(from.file));
  // Joined below a folder that the address may not climb out of.
  const full = posix.join("/", lang, slugOf(from), path.replace(/index\.html$/u, ""));
  if (!path.endsWith("/") && !path.endsWith("index.html")) return undefined;
  if (full === "/") return "contents";
  return lessons.find((lesson) => full === `/${lang}/${slugOf(lesson)}/`);
}
