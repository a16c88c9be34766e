import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadLoom } from "../core/node.ts";
import { decimalMark, formatFor, formatNumber } from "../draw/number.ts";
import { figureCss, renderStaticFigure } from "../draw/static.ts";
import { tokenCss } from "../draw/tokens.ts";
import { reserveCss } from "../elements/element-styles.ts";
import { buildLessons } from "../lesson/build.ts";
import { type Example, readExample } from "../lesson/example.ts";
import { faultLine } from "../lesson/faults.ts";
import { roleCss } from "../lesson/roles.ts";
import { contentsPage, folderOf, type GoodLesson, lessonPage } from "./pages.ts";
import { type Page, renderPage, type SiteAssets } from "./shell.ts";
import { wordsFor } from "./words.ts";

/** The site before its scripts, styles and fonts have names. */
export interface SiteSource {
  /** One line per fault. When there is any, nothing is to be written. */
  readonly faults: readonly string[];
  /** Addresses of the pages below the root of the site. */
  readonly pages: readonly { readonly path: string; render(assets: SiteAssets): string }[];
  /** Pictures of the lessons: where they are, and their address on the site. */
  readonly pictures: readonly { readonly from: string; readonly path: string }[];
  /** Rules to put in front of the site's own style sheet. */
  readonly css: string;
}

/** Renders all lessons and pages of a content folder. The numbers come from the core, run in Node. */
export async function readSite(contentFolder: string, shownFolder = "content"): Promise<SiteSource> {
  const loom = await loadLoom();
  const examples = readExamples(join(contentFolder, "examples"));
  const { lessons, faults } = buildLessons(contentFolder, shownFolder, {
    loom,
    examples,
    renderFigure: ({ example, attributes, lang }) => renderStaticFigure(loom, example, attributes, lang),
    writeNumber: (value, family, lang) => formatNumber(value, formatFor(family, decimalMark(lang))),
    words: wordsFor,
  });
  const css = [
    tokenCss(":root", (theme) => `:root[data-theme="${theme}"]`),
    figureCss,
    reserveCss,
    roleCss(),
    ...new Set(lessons.flatMap((l) => [...l.styles].map(([name, declarations]) => `.${name}{${declarations}}`))),
  ].join("\n");
  if (faults.length > 0) return { faults: faults.map(faultLine), pages: [], pictures: [], css };

  const good = lessons.filter((lesson): lesson is GoodLesson => lesson.meta !== undefined);
  const page = (path: string, source: Page) => ({
    path,
    render: (assets: SiteAssets) => renderPage(source, assets),
  });
  return {
    faults: [],
    pages: [
      page("index.html", contentsPage(good, "en", wordsFor("en"))),
      ...good.map((lesson) => {
        const own = wordsFor(lesson.meta.lang);
        const peers = good.filter((other) => other.meta.lang === lesson.meta.lang);
        return page(`${folderOf(lesson)}index.html`, lessonPage(lesson, peers, own));
      }),
    ],
    pictures: good.flatMap((lesson) =>
      lesson.images.map(({ path }) => ({
        from: join(contentFolder, lesson.meta.lang, decodeURIComponent(path)),
        path: folderOf(lesson) + path,
      })),
    ),
    css,
  };
}

function readExamples(folder: string): ReadonlyMap<string, Example> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return new Map(
    files.map((name) => {
      try {
        const example = readExample(readFileSync(join(folder, name), "utf8"));
        return [example.name, example] as const;
      } catch (error) {
        throw new Error(`content/examples/${name}: ${(error as Error).message}`);
      }
    }),
  );
}
