// Lessons as text: what the Markdown rules keep, refuse and name. Nothing here needs the core.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LoomRangeError } from "../../web/core/errors.ts";
import type { LessonTools } from "../../web/lesson/directives/kinds.ts";
import { readExample } from "../../web/lesson/example.ts";
import { faultLine } from "../../web/lesson/faults.ts";
import { type RenderedLesson, renderLesson } from "../../web/lesson/render.ts";
import { maxLessonBytes } from "../../web/lesson/source.ts";
import { wordsFor } from "../../web/site/words.ts";

const project = new URL("../../", import.meta.url);
const house = readExample(readFileSync(new URL("content/examples/house-4x5.json", project), "utf8"));
const tools: LessonTools = {
  examples: new Map([[house.name, house]]),
  renderFigure: () => "<p>still</p>",
  writeNumber: String,
  words: wordsFor,
};
const header = `---
title: A lesson
order: 3
minutes: 5
needs: []
summary: What it is about.
lang: en
---
`;
const firstLine = header.split("\n").length;
const encoder = new TextEncoder();
const file = "content/en/03-x.md";
const raw = (source: string | Uint8Array): RenderedLesson =>
  renderLesson(file, typeof source === "string" ? encoder.encode(source) : source, tools);
const body = (markdown: string): RenderedLesson => raw(header + markdown);
const lines = (lesson: RenderedLesson): string[] => lesson.faults.map(faultLine);
const without = (html: string, tag: string): string =>
  html.replaceAll(new RegExp(`<${tag}[ >].*?</${tag}>`, "gsu"), "");

describe("mathematics", () => {
  test("K60 formulas with underscores are formulas, prices are text", () => {
    const { html, faults } = body("$A_i, A_{i+1}$ and $B_i$ cost $5 and $6\n");
    expect(faults).toEqual([]);
    const sources = [...html.matchAll(/<annotation[^>]*>(.*?)<\/annotation>/gu)].map((match) => match[1]);
    expect(sources).toEqual(["A_i, A_{i+1}", "B_i"]);
    expect(html.match(/<math/gu)).toHaveLength(2);
    expect(html).not.toContain("<em>");
    expect(without(html, "math")).toBe("<p> and  cost $5 and $6</p>");
  });

  test.each([
    ["$5 and $6", 0],
    ["$x$", 1],
    ["($x$)", 1],
    ["$x $ and $ x$", 0],
    ["from $5 to $x$", 1],
    ["$a\nb$", 1],
    ["\\$x$ and `$x$`", 0],
    ["$\\$5$", 1],
    ["$$x$$ in a line", 0],
  ])("K60 in %j stand %i formulas", (markdown, count) => {
    expect(body(markdown).html.match(/<math/gu) ?? []).toHaveLength(count);
  });

  test("formulas have no style attribute: declarations become classes", () => {
    const { html, styles } = body(
      "$$\n\\begin{aligned} a &= \\hat{x} \\\\ b &= \\begin{bmatrix}1&2\\end{bmatrix}\\! \\end{aligned}\n$$\n",
    );
    expect(html).not.toMatch(/\sstyle=/u);
    expect(styles.size).toBeGreaterThan(0);
    for (const name of styles.keys()) expect(html).toContain(name);
  });

  test("roles have their colour by class, and the copied source is plain TeX", () => {
    const { html } = body("$\\query{Q}\\key{K}^\\top \\value{V}$");
    for (const role of ["query", "key", "value"]) expect(html).toContain(`class="loom-${role}"`);
    expect(html).toContain('<annotation encoding="application/x-tex">QK^\\top V</annotation>');
  });

  test.each([
    "\\class{evil}{x}",
    "\\textcolor{red}{x}",
    "\\href{https://x.example}{x}",
    "\\includegraphics{x}",
    "\\nope{x}",
  ])("%s is refused with its place", (tex) => {
    expect(lines(body(`a $${tex}$ b`))[0]).toMatch(new RegExp(`^content/en/03-x\\.md:${firstLine}:4: .*\\.$`, "u"));
  });
});

describe("links", () => {
  test("K61 only http, https, mailto, # and relative links pass", () => {
    const source =
      "[a](javascript&#58;window.__x=1) [b](JaVaScRiPt:1) [c](data:text/html;base64,PHA+) [d](vbscript:1) [<svg/onload=window.__x=1>](x/) <https://ok.example>";
    const { html, faults } = body(source);
    expect(html.match(/href="[^"]*"/gu)).toEqual(['href="x/"', 'href="https://ok.example"']);
    expect(html).toContain("&#x3C;svg/onload=window.__x=1>");
    expect(html).not.toContain("<svg");
    expect(faults).toHaveLength(4);
  });

  test.each([
    "java\tscript:1",
    "\u0001javascript:1",
    "//other.example/",
    "/absolute/",
    "\\\\other.example",
    "blob:x",
    "file:///etc/passwd",
  ])("K61 %j is refused", (url) => {
    const { html, faults } = body(`[text](<${url}>) and [two][ref]\n\n[ref]: <${url}>\n`);
    expect(html).not.toContain("href");
    expect(faults.length).toBeGreaterThan(0);
  });

  test("K61 tags in the text are text, letter for letter", () => {
    const { html } = body(
      "a <b>bold</b> <img src=x onerror=window.__x=1>\n\n<script>window.__x=1</script>\n\n<!-- note -->\n",
    );
    expect(html).not.toMatch(/<(?:b|img|script|!--)/u);
    expect(html).toContain("&#x3C;script>window.__x=1&#x3C;/script>");
  });

  test("a link says where it goes", () => {
    expect(lines(body("read [here](https://a.example)"))[0]).toMatch(/:6: The text of this link/u);
  });
});

describe("headings", () => {
  test("K63 ids are unique and keep letters of every script", () => {
    expect(body("## Softmax\n\n## Softmax\n\n## 注意 (attention)\n").ids).toEqual([
      "softmax",
      "softmax-1",
      "注意-attention",
    ]);
  });

  test("A19 a second h1 and skipped levels are faults", () => {
    expect(lines(body("# One\n\n## Two\n\n#### Four\n"))).toEqual([
      expect.stringMatching(new RegExp(`:${firstLine}:1: The title`, "u")),
      expect.stringMatching(new RegExp(`:${firstLine + 4}:1: A heading of level 4`, "u")),
    ]);
  });
});

describe("directives", () => {
  test.each(["at 10:30 sharp", "scores:weights", "a :smile: b", "see :name[x]{y} there", "ratio 4:3", "C:\\dir"])(
    "%j stays text",
    (text) => {
      const { html, faults } = body(text);
      expect(faults).toEqual([]);
      expect(html).toBe(`<p>${text}</p>`);
    },
  );

  test("emphasis inside what only looks like a directive still works", () => {
    expect(body("see :name[*x*] there").html).toBe("<p>see :name[<em>x</em>] there</p>");
  });

  test("an unknown block directive is an error with its place", () => {
    expect(lines(body("text\n\n::nope{a=1}\n\n:::neither\ntext\n:::\n"))).toEqual([
      expect.stringMatching(new RegExp(`^content/en/03-x\\.md:${firstLine + 2}:1: There is no directive ::nope;`, "u")),
      expect.stringMatching(
        new RegExp(`^content/en/03-x\\.md:${firstLine + 4}:1: There is no directive :::neither;`, "u"),
      ),
    ]);
  });

  test.each([
    ['::loom-attention{example="house-4x5" colour="red"}', 38, "colour is not known"],
    ['::loom-attention{example="house-4x5" example="house-4x5"}', 38, "example is there twice"],
    ['::loom-attention{example="barn"}', 18, "must be the name of an example"],
    ['::loom-attention{example="house-4x5" level="atom"}', 38, "level must be one of"],
    ['::loom-attention{example="house-4x5" #id}', 38, "has the form"],
    ["::loom-attention", 1, "needs the attribute example"],
    ["::predict", 1, "is written :::predict"],
  ])("%s is refused at column %i", (directive, column, part) => {
    const [line] = lines(body(directive));
    expect(line).toMatch(new RegExp(`:${firstLine}:${column}: `, "u"));
    expect(line).toContain(part);
  });

  test("E2 the figure stands in the element, the caption outside", () => {
    const { html } = body(':::loom-attention{example="house-4x5"}\nA caption.\n:::\n');
    expect(html).toBe(
      '<figure class="loom-figure"><loom-attention example="house-4x5"><p>still</p></loom-attention><figcaption><p>A caption.</p></figcaption></figure>',
    );
  });
});

describe("headers", () => {
  const withLine = (at: number, text: string) =>
    header
      .split("\n")
      .map((line, index) => (index === at - 1 ? text : line))
      .join("\n");

  test.each([
    ["title: a: b", 2, 8],
    ["title: [a]", 2, 8],
    ["title: 12", 2, 8],
    ["title: true", 2, 8],
    ["title: ''", 2, 8],
    ["title: &a x", 2, 11],
    ["title: !!str 5", 2, 14],
    ["title:", 2, 7],
    ['order: "two"', 3, 8],
    ["order: 010", 3, 8],
    ["order: 1.5", 3, 8],
    ["order: 0", 3, 8],
    ["order: yes", 3, 8],
    ["order: 2024-01-01", 3, 8],
    ["minutes: 600", 4, 10],
    ["needs: 04-x", 5, 8],
    ["needs: [1, 2]", 5, 8],
    ["summary: {a: b}", 6, 10],
    ["lang: english!", 7, 7],
    ["title: x\norder: 3\norder: 3", 4, 1],
  ])("K62 %j is named at line %i, column %i", (text, line, column) => {
    const lesson = raw(withLine(text.startsWith("title") ? 2 : line, text));
    expect(lines(lesson)[0]).toMatch(new RegExp(`^content/en/03-x\\.md:${line}:${column}: .*\\.$`, "u"));
    expect(lesson.meta).toBeUndefined();
  });

  test("K62 every fault of a header is listed, each on one line", () => {
    const all = lines(raw("---\ntitel: x\norder: two\nneeds: no\n---\ntext\n"));
    expect(all).toHaveLength(7);
    for (const line of all) expect(line).toMatch(/^content\/en\/03-x\.md:\d+:\d+: [^\n]+\.$/u);
  });

  test("K62 what follows a header with faults is checked all the same", () => {
    expect(lines(raw("---\ntitle: a: b\n---\n\n::nope\n"))).toHaveLength(2);
  });
});

describe("what is opened is closed", () => {
  test.each([
    [":::predict\ntext\n", "What ::: opens"],
    ["::::predict\n:::answer\ntext\n:::\n", "What :::: opens"],
    ["$$\nx\n", "What $$ opens"],
    ["```\ncode\n", "What ``` opens"],
    ["a $\\frac{1}{2} b\n", "This formula is not closed"],
    ["$$\n\\frac{1\n$$\n", "This formula cannot be read"],
  ])("%j", (markdown, part) => {
    const all = lines(body(markdown));
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(part);
  });
});

describe("R13 malformed lessons", () => {
  const bytes = (...parts: (string | number[])[]) =>
    Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...encoder.encode(part)] : part)));
  const utf16 = (text: string, little: boolean) =>
    bytes(
      little ? [0xff, 0xfe] : [0xfe, 0xff],
      [...text].flatMap((c) => (little ? [c.charCodeAt(0), 0] : [0, c.charCodeAt(0)])),
    );
  const deep = (open: string, count = 10_000) => body(`${open.repeat(count)}x\n`);

  test.each<[string, () => RenderedLesson]>([
    ["empty file", () => raw("")],
    ["one blank line", () => raw("\n")],
    ["no header", () => raw("## Text\n")],
    ["header not closed", () => raw("---\ntitle: x\n\ntext\n")],
    ["header twice", () => raw(`${header}${header}text`)],
    ["header is a list", () => raw("---\n- a\n---\n")],
    ["header is empty", () => raw("---\n---\n")],
    ["tab indent in the header", () => raw(header.replace("needs: []", "needs:\n\t- a"))],
    ["alias in the header", () => raw(header.replace("title: A lesson", "title: &a A\nx: *a"))],
    [
      "a thousand laughs",
      () =>
        raw(
          `---\na: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi"
            .split("")
            .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${"abcdefgh".charAt(i)}`)}]`)
            .join("\n")}\n---\n`,
        ),
    ],
    ["code in the header", () => raw(header.replace("A lesson", "!!js/function 'function () { throw 1 }'"))],
    ["UTF-16, little end first", () => raw(utf16(header, true))],
    ["UTF-16, big end first", () => raw(utf16(header, false))],
    ["invalid UTF-8", () => raw(bytes(header, [0xc3, 0x28, 10]))],
    ["NUL", () => raw(bytes(header, "a", [0], "b"))],
    ["5 MB", () => raw(`${header}${"word ".repeat(1_000_000)}`)],
    ["quotes 10,000 deep", () => deep("> ")],
    ["lists 10,000 deep", () => deep("- ")],
    ["brackets 100,000 in a row", () => deep("[", 100_000)],
    ["stars 100,000 in a row", () => deep("*", 100_000)],
    ["dollars 100,000 in a row", () => deep("$", 100_000)],
    ["expansion without end", () => body("$\\def\\a{\\a\\a}\\a$")],
    ["formula of 3,000 characters", () => body(`$${"x".repeat(3000)}$`)],
    ["picture without description", () => body("![](x.png)")],
    ["picture from elsewhere", () => body("![x](https://a.example/x.png)")],
    ["link without address", () => body("[text]()")],
  ])("%s stops with a place and a sentence", (_, build) => {
    const { faults } = build();
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(faultLine(fault)).toMatch(/^content\/en\/03-x\.md:\d+:\d+: [^\n]+\.$/u);
  });

  test.each<[string, string]>([
    ["byte-order mark", `\uFEFF${header}text\n`],
    ["CR LF", `${header}text\n`.replaceAll("\n", "\r\n")],
    ["CR alone", `${header}text\n`.replaceAll("\n", "\r")],
    ["no body", header],
    ["no line end at the end", `${header}text`],
    ["yes as a title", `${header}text`.replace("A lesson", '"yes"')],
  ])("%s builds rightly", (_, source) => {
    const { faults, meta } = raw(source);
    expect(faults.map(faultLine)).toEqual([]);
    expect(meta?.order).toBe(3);
  });

  test("an error of the core is not taken for a lesson nested too deeply", () => {
    const error = new LoomRangeError("out of range", { code: "range", parameter: "x", value: 1 });
    const words = () => {
      throw error;
    };
    expect(() => renderLesson(file, encoder.encode(header), { ...tools, words })).toThrow(error);
  });

  test("a lesson of the largest size with hostile runs is read within seconds", () => {
    const line = `${"[*_`".repeat(20)} $a ~~b :c[d]{e} <f \n`;
    const source = header + line.repeat(Math.floor((100 * 1024 - header.length) / line.length));
    expect(source.length).toBeLessThan(maxLessonBytes);
    const before = performance.now();
    body(source.slice(header.length));
    // Expected: well under two seconds; the ceiling is ten times that.
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  test("lessons with random damage never throw, and every fault has a place", () => {
    const source = readFileSync(new URL("content/en/05-two-products.md", project), "utf8");
    const marks = [
      "$",
      ":",
      "[",
      "]",
      "{",
      "}",
      "`",
      "\n",
      "---\n",
      ":::",
      "*",
      "<",
      "\\",
      '"',
      "\t",
      "&",
      "| a | b |\n|-|-|\n",
    ];
    let seed = 12345;
    const next = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let round = 0; round < 60; round++) {
      let damaged = source;
      for (let blow = 0; blow <= round % 5; blow++) {
        const at = next(damaged.length);
        damaged = damaged.slice(0, at) + (marks[next(marks.length)] ?? "") + damaged.slice(at + next(4));
      }
      for (const line of lines(raw(damaged))) expect(line).toMatch(/^content\/en\/03-x\.md:\d+:\d+: [^\n]+$/u);
    }
  });
});
