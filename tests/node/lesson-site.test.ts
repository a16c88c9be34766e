// The pages as a whole, with the numbers of the core: what a reader without JavaScript gets, and what stops a build.

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reserveCss } from "../../web/elements/element-styles.ts";
import { readSite, type SiteSource } from "../../web/site/build.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
const content = join(project, "content");
const folder = mkdtempSync(join(tmpdir(), "loom-lessons-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const assets = {
  css: "c.css",
  early: "e.js",
  main: "m.js",
  figures: "f.js",
  modules: [],
  wasm: "w.wasm",
  fonts: ["a.woff2"],
  icon: "i.svg",
};
const lessonPath = "en/05-two-products/index.html";

let site: SiteSource;
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  site = await readSite(content);
  pages = new Map(site.pages.map((page) => [page.path, page.render(assets)]));
});

/** The example of the lessons, changed and under its own name or another. */
function changeExample(made: string, change: Readonly<Record<string, unknown>>, name = "house-4x5"): void {
  const house = JSON.parse(readFileSync(join(content, "examples/house-4x5.json"), "utf8"));
  writeFileSync(join(made, `examples/${name}.json`), JSON.stringify({ ...house, ...change, name }));
}

/** A content folder with the examples and the given lessons. */
function contentWith(name: string, lessons: Readonly<Record<string, string>>): string {
  const made = join(folder, name);
  mkdirSync(join(made, "en"), { recursive: true });
  cpSync(join(content, "examples"), join(made, "examples"), { recursive: true });
  for (const [file, text] of Object.entries(lessons)) writeFileSync(join(made, "en", file), text);
  return made;
}

const lesson = (order: number, body: string, more: Readonly<Record<string, string>> = {}) => {
  const head = { title: "A lesson", order, minutes: 5, needs: "[]", summary: "What it is about.", lang: "en", ...more };
  return `---\n${Object.entries(head)
    .map(([key, value]) => `${key}: ${value}`)
    .join("\n")}\n---\n\n${body}\n`;
};
const first = 10;
const figure = '::loom-attention{example="house-4x5"}\n\n';
const faultsOf = async (name: string, lessons: Readonly<Record<string, string>>) =>
  (await readSite(contentWith(name, lessons), "lessons")).faults;

describe("R15 without JavaScript", () => {
  test("R15 every formula of the lesson is there as MathML, with its source", () => {
    const source = readFileSync(join(content, "en/05-two-products.md"), "utf8");
    const blocks = source.match(/^\$\$$/gmu)?.length ?? 0;
    const html = pages.get(lessonPath) ?? "";
    const article = html.replace(/<loom-attention.*?<\/loom-attention>/su, "");
    expect(article.match(/<math display="block"/gu)).toHaveLength(blocks / 2);
    expect(article.match(/<math/gu)?.length).toBe(article.match(/<annotation encoding="application\/x-tex"/gu)?.length);
    expect(article.replace(/<annotation.*?<\/annotation>/gsu, "")).not.toMatch(/\\[a-z]+|\$/u);
  });

  test("R15 the figure shows its picture and its sentence, the caption stands outside", () => {
    const html = pages.get(lessonPath) ?? "";
    const inside = /<loom-attention [^>]*>(.*?)<\/loom-attention>/su.exec(html)?.[1] ?? "";
    expect(inside).toContain("<table");
    for (const word of ["la", "petite", "maison", "rouge", "the", "small", "red", "house"])
      expect(inside).toContain(word);
    const words = inside.replace(/<[^>]+>/gu, " ").split(/\s+/u);
    expect(words.length).toBeGreaterThan(30);
    expect(html).toMatch(/<\/loom-attention><figcaption>/u);
  });

  test("words in the text carry their role and their stage", () => {
    expect(pages.get(lessonPath)).toContain('<span class="loom-ref loom-query" data-stage="queries">a query</span>');
  });

  test("the style sheet keeps the place of a figure whose script has not come yet", () => {
    expect(site.css).toContain(reserveCss);
  });

  test("R16 no page holds a style attribute, an inline style or an inline script", () => {
    for (const html of pages.values()) {
      expect(html).not.toMatch(/<[^>]+\sstyle=/u);
      expect(html).not.toMatch(/<style/u);
      expect(html).not.toMatch(/<[^>]+\son[a-z]+=/u);
      for (const script of html.match(/<script[^>]*>[^<]*/gu) ?? []) expect(script).toMatch(/src="[^"]+">$/u);
    }
  });
});

describe("A19 structure", () => {
  test("A19 one h1, no skipped level, landmarks, a skip link, a language, unique titles and ids", () => {
    for (const [path, html] of pages) {
      const levels = [...html.matchAll(/<h([1-6])[ >]/gu)].map((match) => Number(match[1]));
      expect(levels.filter((level) => level === 1)).toHaveLength(1);
      levels.forEach((level, at) => {
        expect(level, path).toBeLessThanOrEqual((levels[at - 1] ?? 0) + 1);
      });
      for (const mark of ["<html lang=", "<header", "<nav ", "<main ", "<footer", 'class="skip" href="#main"']) {
        expect(html).toContain(mark);
      }
      const ids = [...html.matchAll(/\sid="([^"]*)"/gu)].map((match) => match[1]);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const titles = [...pages.values()].map((html) => /<title>(.*?)<\/title>/u.exec(html)?.[1]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test("every link and heading of every page resolves", () => {
    let checked = 0;
    for (const [path, html] of pages) {
      for (const [, href = ""] of html.matchAll(/<a [^>]*href="([^"]*)"/gu)) {
        if (/^https:/u.test(href)) continue;
        const target = new URL(href, `https://site.example/a/b/${path}`);
        expect(target.pathname.startsWith("/a/b/")).toBe(true);
        const file = target.pathname.slice("/a/b/".length).replace(/(^|\/)$/u, "$1index.html");
        expect([...pages.keys()]).toContain(file);
        if (target.hash !== "") expect(pages.get(file)).toContain(`id="${decodeURIComponent(target.hash.slice(1))}"`);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(4);
  });
});

describe("numbers in prose", () => {
  const shown = async (name: string, expression: string, change: Readonly<Record<string, unknown>> = {}) => {
    const source = contentWith(name, { "01-x.md": lesson(1, `${figure}A ${expression} z`) });
    changeExample(source, change);
    const made = await readSite(source, "lessons");
    expect(made.faults).toEqual([]);
    const html = made.pages.find(({ path }) => path.startsWith("en/"))?.render(assets) ?? "";
    return /<p>A (.*?) z<\/p>/u.exec(html)?.[1]?.replace(/<[^>]+>/gu, "");
  };

  test.each([
    [":num[weights[la, the]]", "0.6388"],
    [":num[weights[0, 0]]", "0.6388"],
    [":num[weights[0, 0, 0]]", "0.6388"],
    [':num[weights[la, "."]]', "0.1130"],
    [":num[scores[la, small]]", "−4"],
    [":num[queries[la]]", "−1, 0, 2"],
    [":num[x[petite]]", "2, 1, 2"],
    [":num[argmin(max(weights))]", "rouge"],
    [":num[argmax(weights[petite])]", "small"],
    [":num[sum(weights[maison])]", "1.0000"],
    [":num[terms(scores)]", "60"],
    [":num[terms(queries) + terms(keys) + terms(values)]", "126"],
    [":num[count(weights) / n_k]", "4"],
    [":num[1 / scale]", "1.7321"],
    [":num[sqrt(d_k) * 2 - (1 + 1)]", "1.4641"],
    [':num[max(weights)]{scale="1"}', "0.8384, 0.9799, 0.8649, 0.6803"],
    [':num[max(weights)]{scale="1 / 3"}', "0.4614, 0.6549, 0.5133, 0.3865"],
    [':num[weights[la]]{block="."}', "0.7202, 0.0127, 0.0402, 0.2270, 0.0000"],
    [":terms[scores[la, house]]", "−1·1 + 0·2 + 2·1"],
    [":terms[scores[petite, small]]", "2·2 + (−1)·(−1) + (−1)·(−1)"],
    [":sums[scores[la, house]]", "−1, −1, 1"],
    [":sums[output[la, 0]]", "0.6388, 0.6276, 0.6276, 0.8289, 0.8289"],
    [":terms[rowsum[la]]", "1.0000 + 0.0176 + 0.0558 + 0.3152 + 0.1769"],
    [':num[allow[la]]{block="."}', "1, 1, 1, 1, 0"],
    [':num[argmin(allow[la])]{block="."}', "."],
  ])("%s is %s", async (expression, text) => {
    expect(await shown(`n${Math.abs(hash(expression))}`, expression)).toBe(text);
  });

  const withComma = { tokensKv: ["the", "small", "red", "house", ","] };
  test.each([
    [":terms[scores[la, house]]", "−1·1 + 0·2 + 2·1"],
    [':terms[scores[rouge, ","]]', "1·0 + 1·1 + 0·0"],
    [':sums[scores[0, rouge, ","]]', "0, 1, 1"],
  ])("a token may be a comma: %s is %s", async (expression, text) => {
    expect(await shown(`comma${Math.abs(hash(expression))}`, expression, withComma)).toBe(text);
  });

  const oneToken = { tokensQ: ["la"], x: [[1, 1, -1]] };
  test.each([
    [":num[x[la]]", "1, 1, −1"],
    [":num[x[la, 2]]", "−1"],
    [":num[weights[la, the]]", "0.6388"],
    [":num[rowmax[la]]", "1.7321"],
  ])("only the head axis may be left out, also with a single token: %s is %s", async (expression, text) => {
    expect(await shown(`one${Math.abs(hash(expression))}`, expression, oneToken)).toBe(text);
  });

  test.each([
    [
      'A :num[weights[la, the]]{is="0.6389"}',
      first + 2,
      26,
      "expects weights[la, the] to be 0.6389, but the core computes 0.6388",
    ],
    ["::expect[argmin(max(weights)) = la]", first + 2, 1, "to be la, but the core computes rouge"],
    [
      "A :num[weights[le, the]]",
      first + 2,
      16,
      "le is no index of weights here; there are la, petite, maison, rouge or 0 to 3",
    ],
    ["A :num[shares[la]]", first + 2, 8, "There is no shares"],
    ["A :num[weights[la, the]", first + 2, 7, "was expected"],
    ["A :num[median(weights)]", first + 2, 8, "There is no function median"],
    ["A :num[weights + 1]", first + 2, 16, "Arithmetic takes single numbers"],
    ["A :num[]", first + 2, 8, "was expected"],
    ["A :terms[weights]", first + 2, 10, "is not one cell"],
    ['A :num[max(weights[la])]{block="chat"}', first + 2, 26, "block names the key chat"],
    ['A :num[x[la]]{example="barn"}', first + 2, 15, "must be the name of an example"],
    [':ref[x]{stage="scores" row="le"}', first + 2, 24, "scores has no row le"],
    [':ref[x]{stage="shares"}', first + 2, 9, "house-4x5 has no stage shares; it has queries, keys"],
    ['::loom-attention{example="house-4x5" stage="shares"}', first + 2, 38, "house-4x5 has no stage shares; it has"],
    ["A :terms[weights[la, house]]", first + 2, 10, "weights is no sum of terms (it is made by divide)"],
    ["A :terms[shifted[la, house]]", first + 2, 10, "shifted is no sum of terms (it is made by shift)"],
    ["A :terms[rowmax[la]]", first + 2, 10, "a cell of queries, keys, values, scores, rowsum, output"],
    ["A :sums[rowmax[la]]", first + 2, 9, "rowmax is no sum of terms (it is made by max)"],
    ["A :terms[x[la, 0]]", first + 2, 10, "x is no sum of terms (it is made by input)"],
    ["A :terms[1 + 2]", first + 2, 10, "is not one cell"],
  ])("%s is refused with its place", async (markdown, line, column, part) => {
    const faults = await faultsOf(`f${Math.abs(hash(markdown))}`, { "01-x.md": lesson(1, figure + markdown) });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^lessons/en/01-x\\.md:${line}:${column}: `, "u"));
    expect(faults[0]).toContain(part);
  });

  test("a lesson without a figure must name its example", async () => {
    expect(await faultsOf("nofig", { "01-x.md": lesson(1, "A :num[weights[la, the]]") })).toEqual([
      expect.stringContaining("01-x.md:10:3: No example is named"),
    ]);
    expect(await faultsOf("named", { "01-x.md": lesson(1, 'A :num[weights[la, the]]{example="house-4x5"}') })).toEqual(
      [],
    );
  });
});

describe("text is data", () => {
  test("K42 tokens of an example are shown letter for letter, in the figure and in the prose", async () => {
    const tokens = ["<img src=x onerror=window.__x=1>", "a<b<c", "</span><script>window.__x=1</script>", "&lt;b&gt;"];
    const made = contentWith("k42", {
      "01-x.md": lesson(1, `${figure}A :num[argmax(max(weights))] and :num[argmax(weights[3])] z`),
    });
    changeExample(made, { tokensQ: tokens, tokensKv: [...tokens, "."] });
    const built = await readSite(made, "lessons");
    expect(built.faults).toEqual([]);
    const html = built.pages.find(({ path }) => path.startsWith("en/"))?.render(assets) ?? "";
    expect(html).not.toMatch(/<img|<script>/u);
    const inside = /<loom-attention [^>]*>(.*?)<\/loom-attention>/su.exec(html)?.[1] ?? "";
    expect(inside).toContain("a&lt;b&lt;c");
    expect(inside).toContain("&amp;lt;b&amp;gt;");
    // Row 1 has the largest weight of all; row 3 looks at key 2 most.
    expect(html).toContain("A a&#x3C;b&#x3C;c and &#x3C;/span>&#x3C;script>window.__x=1&#x3C;/script> z");
  });

  test("a figure's example must be one that the live element has; numbers may come from any", async () => {
    const made = contentWith("barn", {
      "01-x.md": lesson(1, '::loom-attention{example="barn"}\n\nA :num[x[la]]{example="barn"} z'),
    });
    changeExample(made, {}, "barn");
    const { faults } = await readSite(made, "lessons");
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(
      /^lessons\/en\/01-x\.md:10:18: The attribute example must be .*\(house-4x5, bank, apples, a-and-b\).*barn/u,
    );
  });

  test("K42 a broken example is named with its file", async () => {
    const made = contentWith("broken", { "01-x.md": lesson(1, "") });
    writeFileSync(
      join(made, "examples/odd.json"),
      '{"name": "odd", "tokensQ": ["a"], "tokensKv": ["b"], "x": [[1, 2], [3]]}',
    );
    await expect(readSite(made, "lessons")).rejects.toThrow("content/examples/odd.json: The example's x must be rows");
  });
});

describe("across lessons", () => {
  test("K62 all faulty files are named in one run, and no page is made", async () => {
    const made = await readSite(
      contentWith("k62", {
        "01-x.md": lesson(1, "text"),
        "02-x.md": lesson(2, "text").replace("title: A lesson", "title: a: b"),
        "03-x.md": lesson(3, "text").replace("minutes: 5", "minutes: 5\nminutes: 6"),
        "04-x.md": lesson(4, "text").replace("title: A lesson\n", ""),
        "05-x.md": lesson(5, "text", { order: '"two"' }),
      }),
      "lessons",
    );
    expect(made.faults).toEqual([
      expect.stringMatching(/^lessons\/en\/02-x\.md:2:8: /u),
      expect.stringMatching(/^lessons\/en\/03-x\.md:5:1: .*minutes/u),
      expect.stringMatching(/^lessons\/en\/04-x\.md:7:1: .*title/u),
      expect.stringMatching(/^lessons\/en\/05-x\.md:3:8: .*order/u),
    ]);
    expect(made.pages).toEqual([]);
  });

  test("K62 the command ends with exit code 1, one line per fault, no stack trace, nothing written", async () => {
    const out = join(folder, "out");
    const made = contentWith("command", { "03-x.md": lesson(3, "text").replace("A lesson", "a: b"), "04-x.md": "" });
    const run = promisify(execFile)(process.execPath, ["tools/build-site.mjs", "--content", made, "--out", out], {
      cwd: project,
    });
    const { code, stderr } = (await run.catch((error: unknown) => error)) as { code?: number; stderr: string };
    expect(code).toBe(1);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe(`${made}/en/03-x.md:2:8: A value that contains a colon and a blank needs quotes around it.`);
    expect(lines[1]).toMatch(/04-x\.md:1:1: The file is empty/u);
    expect(existsSync(out) || existsSync(`${out}.new`)).toBe(false);
  });

  test("K63 links to headings are checked, within a page and between pages", async () => {
    const faults = await faultsOf("k63", {
      "01-x.md": lesson(1, "## Softmax\n\n## Softmax\n\n[one](#softmax-1) [two](#nope)"),
      "02-x.md": lesson(
        2,
        "[good](../01-x/#softmax) [good too](01-x.md#softmax) [bad](../01-x/#nope) [none](../09-x/)",
      ),
    });
    expect(faults).toEqual([
      expect.stringMatching(/^lessons\/en\/01-x\.md:14:19: There is no heading #nope/u),
      expect.stringMatching(/^lessons\/en\/02-x\.md:10:54: There is no heading #nope/u),
      expect.stringMatching(/^lessons\/en\/02-x\.md:10:75: .*\.\.\/09-x\//u),
    ]);
  });

  test("K64 nothing in a page has an absolute address, so the site works in any folder", () => {
    for (const html of pages.values()) {
      for (const [, address = ""] of html.matchAll(/\s(?:href|src)="([^"]*)"/gu)) {
        expect(address).toMatch(/^(?:https:\/\/|#|(?:\.\.\/)*[\w-])/u);
      }
    }
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "an order taken twice",
      { "01-x.md": lesson(1, ""), "01-y.md": lesson(1, "") },
      /01-y\.md:3:1: The order 1 is taken by/u,
    ],
    ["an order unlike the name", { "02-x.md": lesson(1, "") }, /02-x\.md:3:1: The order is 1/u],
    ["a missing lesson", { "01-x.md": lesson(1, "", { needs: "[00-no]" }) }, /01-x\.md:5:1: The lesson 00-no/u],
    [
      "a cycle",
      { "01-x.md": lesson(1, "", { needs: "[02-x]" }), "02-x.md": lesson(2, "", { needs: "[01-x]" }) },
      /01-x\.md:5:1: The lesson 02-x comes no earlier/u,
    ],
    ["another language", { "01-x.md": lesson(1, "", { lang: "de" }) }, /01-x\.md:7:1: The language is de/u],
    ["a name with a blank", { "01 x.md": lesson(1, "") }, /01 x\.md:1:1: A lesson's file/u],
    ["a name with #", { "01-x#y.md": lesson(1, "") }, /01-x#y\.md:1:1: A lesson's file/u],
    ["a name with %", { "01-%41.md": lesson(1, "") }, /01-%41\.md:1:1: A lesson's file/u],
    ["a name in capitals", { "01-X.MD": lesson(1, "") }, /01-X\.MD:1:1: A lesson's file/u],
    [
      "a missing picture",
      { "01-x.md": lesson(1, "![a thing](none.png)") },
      /01-x\.md:10:1: There is no picture none\.png/u,
    ],
    ["a link that climbs out", { "01-x.md": lesson(1, "[up](../../../../x/)") }, /01-x\.md:10:1: The link to/u],
  ])("R13 %s is a fault", async (name, lessons, expected) => {
    const faults = await faultsOf(`across ${name}`, lessons);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(expected);
  });
});

/** A small number for a text, for names of folders. */
function hash(text: string): number {
  let value = 0;
  for (const letter of text) value = (Math.imul(value, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return value;
}
