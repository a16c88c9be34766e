// Every fixed text of a page is in the language of its lesson. English is the only catalogue so far, so the catalogues are
// replaced by ones that name the language in each text.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { readSite } from "../../web/site/build.ts";

vi.mock("../../web/site/words.ts", () => ({ wordsFor: (lang: string) => (key: string) => `${lang}:${key}` }));

const content = mkdtempSync(join(tmpdir(), "loom-language-"));
afterAll(() => rmSync(content, { recursive: true, force: true }));

test("the frame of a page speaks the language of its lesson", async () => {
  const examples = fileURLToPath(new URL("../../content/examples", import.meta.url));
  cpSync(examples, join(content, "examples"), { recursive: true });
  for (const lang of ["de", "en"]) {
    mkdirSync(join(content, lang));
    const header = `title: T\norder: 1\nminutes: 5\nneeds: []\nsummary: S.\nlang: ${lang}`;
    writeFileSync(join(content, lang, "01-x.md"), `---\n${header}\n---\n\n:::limits\ntext\n:::\n`);
  }
  const { faults, pages } = await readSite(content);
  expect(faults).toEqual([]);
  const assets = { css: "", early: "", icon: "", main: "", figures: "", modules: [], wasm: "", fonts: [] };
  const languages = (path: string) => {
    const html = pages.find((page) => page.path === path)?.render(assets) ?? "";
    return new Set([...html.matchAll(/\b([a-z]{2}):(?:site|theme|lesson|box|footer)\./gu)].map(([, lang]) => lang));
  };
  expect([...languages("de/01-x/index.html")]).toEqual(["de"]);
  expect([...languages("en/01-x/index.html")]).toEqual(["en"]);
  expect([...languages("index.html")]).toEqual(["en"]);
});
