import { slugOf } from "../lesson/build.ts";
import type { RenderedLesson } from "../lesson/render.ts";
import { escapeHtml, type Page } from "./shell.ts";
import type { Words } from "./words.ts";

/** A lesson that has no faults. */
export type GoodLesson = RenderedLesson & { readonly meta: NonNullable<RenderedLesson["meta"]> };

/** Where a lesson lives below the root of the site. */
export const folderOf = (lesson: GoodLesson): string => `${lesson.meta.lang}/${slugOf(lesson)}/`;

/**
 * The page of a lesson. Text and figure stand side by side on a wide screen: each figure opens a scene, with the text
 * before it, the figure, and the text behind it up to the heading that leads to the next figure.
 */
export function lessonPage(lesson: GoodLesson, all: readonly GoodLesson[], words: Words): Page {
  const { meta } = lesson;
  const needs = meta.needs.map((slug) => all.find((other) => slugOf(other) === slug)).filter((l) => l !== undefined);
  const needsText =
    needs.length === 0
      ? ""
      : ` · ${escapeHtml(words("lesson.needs", { lessons: "\u0000" })).replace(
          "\u0000",
          needs.map((l) => `<a href="../${slugOf(l)}/">${escapeHtml(l.meta.title)}</a>`).join(", "),
        )}`;
  const kicker = escapeHtml(words("lesson.kicker", { order: meta.order, minutes: meta.minutes }));
  const opening = `<p class="kicker">${kicker}${needsText}</p>\n<h1>${escapeHtml(meta.title)}</h1>`;
  const sorted = [...all].sort((a, b) => a.meta.order - b.meta.order);
  const here = sorted.indexOf(lesson);
  const neighbours = [
    [sorted[here - 1], "lesson.previous"],
    [sorted[here + 1], "lesson.next"],
  ] as const;
  const turns = neighbours
    .map(([other, key]) =>
      other === undefined
        ? ""
        : `<a href="../${slugOf(other)}/">${escapeHtml(words(key, { title: other.meta.title }))}</a>`,
    )
    .filter((link) => link !== "");
  const pager =
    turns.length === 0
      ? ""
      : `<nav class="pager" aria-label="${escapeHtml(words("site.lessons"))}">${turns.join("")}</nav>`;
  return {
    lang: meta.lang,
    title: meta.title,
    description: meta.summary,
    place: `${meta.order} · ${meta.title}`,
    skipText: words("site.skip"),
    toRoot: "../../",
    hasFigures: lesson.blocks.some((block) => block.isFigure),
    main: `<article>\n${scenes(opening, lesson.blocks)}\n${pager}</article>`,
  };
}

function scenes(opening: string, blocks: RenderedLesson["blocks"]): string {
  const figures = blocks.flatMap((block, at) => (block.isFigure ? [at] : []));
  const starts = figures.slice(1).map((at, i) => {
    const previous = figures[i] as number;
    const headings = blocks.flatMap((block, j) => (block.isHeading && j > previous && j < at ? [j] : []));
    return headings.at(-1) ?? at;
  });
  const bounds = [0, ...starts, blocks.length];
  return bounds
    .slice(0, -1)
    .map((from, i) => {
      const part = blocks.slice(from, bounds[i + 1]);
      const at = part.findIndex((block) => block.isFigure);
      const html = (list: typeof part) => list.map((block) => block.html).join("\n");
      const head = i === 0 ? `${opening}\n` : "";
      if (at < 0) return `<div class="scene plain"><div class="prose">\n${head}${html(part)}\n</div></div>`;
      const before = head + html(part.slice(0, at));
      return `<div class="scene">
<div class="prose before">
${before}
</div>
${part[at]?.html ?? ""}
<div class="prose after">
${html(part.slice(at + 1))}
</div>
</div>`;
    })
    .join("\n");
}

/** The front page: what this is, and the list of contents. */
export function contentsPage(lessons: readonly GoodLesson[], lang: string, words: Words): Page {
  const items = [...lessons]
    .filter((lesson) => lesson.meta.lang === lang)
    .sort((a, b) => a.meta.order - b.meta.order)
    .map(
      (lesson) => `<li>
<span class="number" aria-hidden="true">${lesson.meta.order}</span>
<div>
<h3><a href="${folderOf(lesson)}">${escapeHtml(lesson.meta.title)}</a></h3>
<p>${escapeHtml(lesson.meta.summary)}</p>
<p class="minutes">${escapeHtml(words("lesson.minutes", { minutes: lesson.meta.minutes }))}</p>
</div>
</li>`,
    );
  return {
    lang,
    title: words("site.name"),
    description: words("site.tagline"),
    place: "",
    skipText: words("site.skipContents"),
    toRoot: "",
    hasFigures: false,
    main: `<div class="scene plain front"><div class="prose">
<h1>${escapeHtml(words("site.name"))}</h1>
<p class="tagline">${escapeHtml(words("site.tagline"))}</p>
<p>${escapeHtml(words("site.intro"))}</p>
<h2>${escapeHtml(words("site.lessons"))}</h2>
<ol class="contents">
${items.join("\n")}
</ol>
</div></div>`,
  };
}
