import { type Words, wordsFor } from "./words.ts";

/** Text as HTML text or attribute value. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Files that every page loads, as addresses relative to the root of the site. */
export interface SiteAssets {
  readonly css: string;
  /** Classic script that sets the colours before the first paint. */
  readonly early: string;
  /** Module script of every page: the switch of colours. */
  readonly main: string;
  /** Module script of pages with a figure: the elements. */
  readonly figures: string;
  /** Modules that `figures` imports; fetched at the same time. */
  readonly modules: readonly string[];
  /** The core; fetched at the same time as the scripts. */
  readonly wasm: string;
  /** Fonts that the first view shows. */
  readonly fonts: readonly string[];
  readonly icon: string;
}

/** One page, apart from the frame that all pages share. */
export interface Page {
  readonly lang: string;
  readonly title: string;
  readonly description: string;
  /** Shown in the head of the page beside the name of the site; empty on the front page. */
  readonly place: string;
  readonly skipText: string;
  /** From this page to the root of the site: `""` or `../../`. */
  readonly toRoot: string;
  readonly main: string;
  /** False for pages without a figure: they do not load the elements. */
  readonly hasFigures: boolean;
}

const icons: Readonly<Record<string, string>> = {
  light:
    '<circle cx="8" cy="8" r="3"/><path d="M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1"/>',
  dark: '<path d="M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z"/>',
  auto: '<circle cx="8" cy="8" r="5.6"/><path class="filled" d="M8 2.4a5.6 5.6 0 0 1 0 11.2z"/>',
};

const themeSwitch = (words: Words): string => `<fieldset class="theme">
<legend class="unseen">${escapeHtml(words("theme.label"))}</legend>
${["light", "dark", "auto"]
  .map((theme) => {
    const name = escapeHtml(words(`theme.${theme}`));
    return `<label title="${name}"><input type="radio" name="theme" value="${theme}"${theme === "auto" ? " checked" : ""}><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">${icons[theme]}</svg><span class="unseen">${name}</span></label>`;
  })
  .join("\n")}
</fieldset>`;

/**
 * The whole document of a page, in the page's language: landmarks, skip link, one h1 (in `main`), no inline script, no
 * inline style.
 */
export function renderPage(page: Page, assets: SiteAssets): string {
  const words = wordsFor(page.lang);
  const at = (file: string) => escapeHtml(page.toRoot + file);
  const title = page.place === "" ? words("site.name") : words("site.title", { title: page.title });
  const early = page.hasFigures
    ? [
        ...assets.modules.map((file) => `<link rel="modulepreload" href="${at(file)}">`),
        `<link rel="preload" href="${at(assets.wasm)}" as="fetch" type="application/wasm" crossorigin>`,
      ]
    : [];
  return `<!doctype html>
<html lang="${escapeHtml(page.lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(page.description)}">
<meta name="color-scheme" content="light dark">
<script src="${at(assets.early)}"></script>
<link rel="stylesheet" href="${at(assets.css)}">
${assets.fonts.map((font) => `<link rel="preload" href="${at(font)}" as="font" type="font/woff2" crossorigin>`).join("\n")}
${early.join("\n")}
<link rel="icon" href="${at(assets.icon)}" type="image/svg+xml">
<script type="module" src="${at(assets.main)}"></script>${page.hasFigures ? `\n<script type="module" src="${at(assets.figures)}"></script>` : ""}
</head>
<body>
<a class="skip" href="#main">${escapeHtml(page.skipText)}</a>
<header class="head">
<div class="head-in">
<p class="head-name"><a href="${at("index.html")}">${escapeHtml(words("site.name"))}</a></p>
${page.place === "" ? "" : `<p class="head-place">${escapeHtml(page.place)}</p>`}
<nav aria-label="${escapeHtml(words("site.main"))}"><a href="${at("index.html")}"${page.place === "" ? ' aria-current="page"' : ""}>${escapeHtml(words("site.contents"))}</a></nav>
${themeSwitch(words)}
</div>
</header>
<main id="main" tabindex="-1">
${page.main}
</main>
<footer class="foot">
<div class="foot-in">
<p>${escapeHtml(words("footer.numbers"))}</p>
<p>${escapeHtml(words("footer.lessons"))} <a href="https://creativecommons.org/licenses/by/4.0/" rel="license">${escapeHtml(words("footer.cc"))}</a> · ${escapeHtml(words("footer.code"))} <a href="https://opensource.org/license/mit">${escapeHtml(words("footer.mit"))}</a></p>
</div>
</footer>
</body>
</html>
`;
}
