// Code tabs and what can be taken away, in Chromium, under the strict policy.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, ElementHandle, Page } from "puppeteer-core";
import temml from "temml";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { serve } from "../../tools/serve.mjs";
import { loadLoom } from "../../web/core/node.ts";
import { Numbers } from "../../web/draw/numbers.ts";
import { cppProgram } from "../../web/draw/take/cpp.ts";
import { numpyProgram } from "../../web/draw/take/numpy.ts";
import { programOf } from "../../web/draw/take/program.ts";
import { csvText, tsvText } from "../../web/draw/take/table.ts";
import { torchProgram } from "../../web/draw/take/torch.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { type Action, attendInput, type Model } from "../../web/elements/state/index.ts";
import { launchChromium } from "../support/chromium.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const pages = fileURLToPath(new URL("pages/", import.meta.url));
const require = createRequire(import.meta.url);
const { PNG } = require("pngjs") as {
  PNG: { sync: { read(png: Buffer): { data: Buffer; width: number; height: number } } };
};
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const made = mkdtempSync(join(tmpdir(), "loom-take-"));
const saved = join(made, "saved");
const house = exampleModel("house-4x5") as Model;

let browser: Browser;
let served: Awaited<ReturnType<typeof serve>>;
let numbers: Numbers;
let open: Page[] = [];

type Stepper = HTMLElement & {
  act(action: Action): boolean;
  updateComplete: Promise<boolean>;
  state: { code: string; cursor: object };
};

beforeAll(async () => {
  if (!existsSync(join(dist, "element.js"))) throw new Error("dist/element.js is missing: run npm run build");
  const www = join(made, "www");
  mkdirSync(www);
  mkdirSync(saved);
  cpSync(dist, www, { recursive: true });
  for (const file of ["stepper.html", "stepper.css", "watch.js"]) cpSync(join(pages, file), join(www, file));
  served = await serve(www, { port: 0 });
  const loom = await loadLoom();
  const { trace } = loom.attend({ ...attendInput(house), trace: true });
  numbers = new Numbers(trace);
  browser = await launchChromium(join(made, "profile"));
  const { origin } = new URL(served.address);
  await browser
    .defaultBrowserContext()
    .overridePermissions(origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
});

afterEach(async () => {
  for (const page of open) await page.close();
  open = [];
});

afterAll(async () => {
  await browser?.close();
  await served?.close();
  rmSync(made, { recursive: true, force: true });
});

interface Wanted {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
  readonly rtl?: boolean;
  readonly hasClipboard?: boolean;
}

async function visit(attributes: Record<string, string> = {}, wanted: Wanted = {}): Promise<Page> {
  const { width = 1000, height = 900, scheme = "light", rtl = false, hasClipboard = true } = wanted;
  const page = await browser.newPage();
  open.push(page);
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: saved });
  if (!hasClipboard) {
    await page.evaluateOnNewDocument(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  }
  await page.goto(new URL("stepper.html", served.address).href);
  await page.evaluate(
    (given, isMirrored) => {
      if (isMirrored) document.documentElement.dir = "rtl";
      const element = document.createElement("loom-attention");
      for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
      document.querySelector("main")?.append(element);
    },
    attributes,
    rtl,
  );
  await page.waitForFunction(() => document.querySelector("loom-attention")?.shadowRoot?.querySelector(".widget"));
  return page;
}

async function act(page: Page, ...actions: Action[]): Promise<void> {
  await page.evaluate(async (list) => {
    const element = document.querySelector("loom-attention") as unknown as Stepper;
    for (const action of list) element.act(action);
    await element.updateComplete;
  }, actions);
}

/** Presses something in the figure as a pointer does. */
async function press(page: Page, selector: string): Promise<void> {
  const handle = await page.evaluateHandle(
    (query) => document.querySelector("loom-attention")?.shadowRoot?.querySelector(query),
    selector,
  );
  await (handle.asElement() as ElementHandle<Element>).click();
}

const text = (page: Page, selector: string) =>
  page.evaluate(
    (query) => document.querySelector("loom-attention")?.shadowRoot?.querySelector(query)?.textContent ?? "",
    selector,
  );

const focused = (page: Page) =>
  page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement as HTMLElement | null;
    return inner?.dataset.code ?? inner?.dataset.take ?? inner?.dataset.act ?? "";
  });

/** Waits for what the status region says, and for the button that shows it. */
async function said(page: Page, pattern: RegExp): Promise<string> {
  await page.waitForFunction(
    (source) =>
      new RegExp(source).test(
        document.querySelector("loom-attention")?.shadowRoot?.querySelector("[role=status]")?.textContent ?? "",
      ),
    {},
    pattern.source,
  );
  return text(page, "[role=status]");
}

/** What the clipboard holds; the page is asked, which has to have the focus. */
async function clipboard(page: Page): Promise<string> {
  const other = await browser.newPage();
  open.push(other);
  await other.goto(new URL("stepper.html", served.address).href);
  await other.bringToFront();
  const found = await other.evaluate(() => navigator.clipboard.readText());
  await page.bringToFront();
  return found;
}

/** A file once it is there. */
async function fileOf(name: string): Promise<Buffer> {
  await expect.poll(() => readdirSync(saved)).toContain(name);
  const file = join(saved, name);
  const content = readFileSync(file);
  rmSync(file);
  return content;
}

const faultsOf = (page: Page) => page.evaluate(() => (window as unknown as { faults: string[] }).faults);

describe("code tabs", () => {
  const tabs = (page: Page) =>
    page.evaluate(() =>
      [...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll(".tab") ?? [])].map((tab) => [
        tab.textContent,
        tab.getAttribute("aria-selected"),
        (tab as HTMLElement).tabIndex,
      ]),
    );

  test.each([
    [false, ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"]],
    [true, ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight", "Home", "End"]],
  ])("arrow keys, Home and End choose a tab, right to left: %s", async (rtl, keys) => {
    const page = await visit({ stage: "scores", level: "term" }, { rtl });
    expect(await tabs(page)).toEqual([
      ["NumPy", "true", 0],
      ["PyTorch", "false", -1],
      ["C++", "false", -1],
    ]);
    await press(page, ".tab");
    const seen: string[] = [];
    for (const key of keys) {
      await page.keyboard.press(key as "Home");
      seen.push(await focused(page));
      expect(
        await page.evaluate(() => (document.querySelector("loom-attention") as unknown as Stepper).state.code),
      ).toBe(seen.at(-1));
    }
    expect(seen).toEqual(["torch", "cpp", "cpp", "torch", "numpy", "cpp"]);
    expect(await tabs(page)).toEqual([
      ["NumPy", "false", -1],
      ["PyTorch", "false", -1],
      ["C++", "true", 0],
    ]);
    const panel = await page.evaluate(() => {
      const code = document.querySelector("loom-attention")?.shadowRoot?.querySelector(".code");
      return [code?.getAttribute("role"), code?.getAttribute("aria-label")];
    });
    expect(panel).toEqual(["tabpanel", "C++"]);
    expect(await faultsOf(page)).toEqual([]);
  });

  test("the tab stays open through steps, edits and undo, and the line with the loops follows the cursor", async () => {
    const page = await visit({ stage: "scores", level: "term" });
    await act(page, { type: "code", language: "cpp" });
    expect(await text(page, ".code .loops")).toBe("// i = 0 (la), j = 0 (the), t = 0");
    await act(page, { type: "next" });
    expect(await text(page, ".code .loops")).toBe("// i = 0 (la), j = 0 (the), t = 1");
    expect(await text(page, ".code mark")).toBe("S[i][j] += Q[i][t] * K[j][t];");
    await act(page, { type: "edit", matrix: "x", row: 0, column: 0, value: 4 }, { type: "undo" });
    expect(await text(page, ".tab[aria-selected=true]")).toBe("C++");
    await page.evaluate(async () => {
      const element = document.querySelector("loom-attention") as unknown as Stepper;
      element.setAttribute("tokens", "un deux");
      await element.updateComplete;
    });
    expect(await text(page, ".tab[aria-selected=true]")).toBe("C++");
  });

  test.each([1000, 390])("no step moves the band, in any language, window %i", async (width) => {
    const page = await visit({}, { width });
    for (const language of ["numpy", "torch", "cpp"] as const) {
      await act(page, { type: "code", language }, { type: "level", level: "term" });
      const heights = new Set<number>();
      for (const stage of numbers.trace.stages) {
        await act(page, { type: "jump", stage });
        heights.add(
          await page.evaluate(
            () => document.querySelector("loom-attention")?.shadowRoot?.querySelector(".maths")?.clientHeight ?? 0,
          ),
        );
      }
      expect(heights.size, language).toBe(1);
    }
  });

  test("choosing a tab does not scroll the page to the current cell", async () => {
    const page = await visit({ stage: "scores", level: "cell" }, { width: 390, height: 500 });
    await press(page, ".tab[data-code=torch]");
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(100);
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => scrollY)).toBe(before);
  });

  test.each([true, false])("the lines are copied, with a clipboard: %s", async (hasClipboard) => {
    const page = await visit({ stage: "scores" }, { hasClipboard });
    await press(page, "[data-take=code]");
    expect(await said(page, /Copied/)).toBe("Copied. Lines in NumPy");
    const lines = await clipboard(page);
    expect(lines).toMatch(/^import numpy as np\n\nQ, K, V = X @ W_Q, X_kv @ W_K, X_kv @ W_V\nS = Q @ K\.T/);
    expect(lines).not.toContain("i = 0");
    expect(await focused(page)).toBe("code");
    await act(page, { type: "code", language: "cpp" });
    await press(page, "[data-take=code]");
    await said(page, /C\+\+/);
    expect(await clipboard(page)).toMatch(/^for \(int i = 0; i < 4; \+\+i\)\n/);
    expect(await faultsOf(page)).toEqual([]);
  });
});

describe("the row beside the place", () => {
  test.each([
    [false, ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home"]],
    [true, ["ArrowLeft", "ArrowLeft", "ArrowRight", "End", "ArrowLeft", "Home"]],
  ])(
    "is one tab stop; arrows, Home and End go through it, + still changes the level; right to left: %s",
    async (rtl, keys) => {
      const page = await visit({}, { rtl });
      const stops = () =>
        page.evaluate(() =>
          [
            ...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll<HTMLElement>(".where button") ??
              []),
          ]
            .filter(({ tabIndex }) => tabIndex === 0)
            .map(({ dataset }) => dataset.act),
        );
      expect(await stops()).toEqual(["ask"]);
      await page.evaluate(() =>
        document.querySelector("loom-attention")?.shadowRoot?.querySelector<HTMLElement>("[data-act=ask]")?.focus(),
      );
      const seen: string[] = [];
      for (const key of keys) {
        await page.keyboard.press(key as "Home");
        seen.push(await focused(page));
        expect(await stops()).toEqual([seen.at(-1)]);
      }
      expect(seen).toEqual(["edit", "take", "edit", "help", "help", "ask"]);
      expect(await text(page, ".where .place")).toContain("1 of 11");
      await page.keyboard.press("+");
      expect(await text(page, ".where .place")).toContain("1 of 46");
      expect(await stops()).toEqual(["ask"]);
    },
  );
});

describe("copy and save", () => {
  const openCard = async (page: Page) => {
    await press(page, "[data-act=take]");
    await page.waitForFunction(() =>
      document.querySelector("loom-attention")?.shadowRoot?.querySelector(".take")?.matches(":popover-open"),
    );
  };

  test("by keyboard alone: Enter opens, the focus is inside, Escape closes, the focus returns", async () => {
    const page = await visit();
    await page.evaluate(() => {
      document.querySelector("loom-attention")?.shadowRoot?.querySelector<HTMLElement>("[data-act=take]")?.focus();
    });
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("tsv");
    const order = [await focused(page)];
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("Tab");
      order.push(await focused(page));
    }
    expect(order).toEqual(["tsv", "csv", "numpy", "torch", "cpp", "latex", "mathml", "svg", "png"]);
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("take");
  });

  const words = { q: house.tokensQ, kv: house.tokensKv };
  const table = { stage: "weights", tokensQ: house.tokensQ, tokensKv: house.tokensKv, head: "Head" };

  test.each([true, false])("every text is what is made for it, with a clipboard: %s", async (hasClipboard) => {
    const page = await visit({ stage: "weights", level: "cell" }, { hasClipboard });
    await openCard(page);
    const program = programOf(numbers, words);
    const made = {
      tsv: tsvText({ ...table, numbers }),
      numpy: numpyProgram(program),
      torch: torchProgram(program),
      cpp: cppProgram(program),
    };
    for (const [what, wanted] of Object.entries(made)) {
      await press(page, `[data-take=${what}]`);
      await said(page, new RegExp(`Copied.*${{ tsv: "TSV", numpy: "NumPy", torch: "PyTorch", cpp: "C\\+\\+" }[what]}`));
      expect(await text(page, ".take .said")).toContain("Copied");
      expect(await clipboard(page), what).toBe(wanted);
      if (!(await page.$("loom-attention >>> .take:popover-open"))) await openCard(page);
    }
    expect(await faultsOf(page)).toEqual([]);
  });

  test("the table as a file", async () => {
    const page = await visit({ stage: "weights" });
    await openCard(page);
    await press(page, "[data-take=csv]");
    await said(page, /Saved/);
    expect((await fileOf("attention-weights.csv")).toString()).toBe(`\ufeff${csvText({ ...table, numbers })}`);
  });

  test.each([{}, { temperature: "0.5" }, { temperature: "0" }, { scale: "0.3", causal: "start" }])(
    "the formula of every stage is LaTeX that another program sets, and MathML that says the same as the page: %o",
    async (attributes) => {
      // A page without a policy, which lets texts be parsed.
      const plain = await browser.newPage();
      open.push(plain);
      const page = await visit(attributes as Record<string, string>);
      const stages = await page.evaluate(() =>
        [...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll<HTMLElement>(".stop") ?? [])].map(
          ({ dataset }) => dataset.stage ?? "",
        ),
      );
      for (const stage of stages) {
        await act(page, { type: "jump", stage });
        const copy = async (what: string) => {
          await page.evaluate(() => {
            const status = document.querySelector("loom-attention")?.shadowRoot?.querySelector("[role=status]");
            if (status) status.textContent = "";
          });
          await page.evaluate(
            (name) =>
              document
                .querySelector("loom-attention")
                ?.shadowRoot?.querySelector<HTMLElement>(`[data-take=${name}]`)
                ?.click(),
            what,
          );
          await said(page, /Copied/);
          return page.evaluate(() => navigator.clipboard.readText());
        };
        const latex = await copy("latex");
        for (const [, formula] of latex.matchAll(/^\\\[ (.*) \\\]$/gm)) {
          expect(() => temml.renderToString(formula as string, { throwOnError: true })).not.toThrow();
        }
        expect(latex.split("\n").filter(Boolean).length).toBeGreaterThanOrEqual(1);
        const mathml = await copy("mathml");
        const shown = await page.evaluate(() =>
          [...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll(".formula math") ?? [])].map(
            (math) => {
              const copy = math.cloneNode(true) as Element;
              for (const off of copy.querySelectorAll(".off")) off.remove();
              return copy.textContent?.replace(/\s/g, "") ?? "";
            },
          ),
        );
        const found = await plain.evaluate(
          (given, wanted) => {
            const parse = (line: string) => new DOMParser().parseFromString(line, "application/xml");
            const documents = given.trim().split("\n").map(parse);
            return {
              faults: documents.filter((each) => each.querySelector("parsererror")).length,
              same:
                JSON.stringify(documents.map((each) => each.documentElement.textContent)) === JSON.stringify(wanted),
              space: documents.every((each) => each.documentElement.namespaceURI?.endsWith("MathML")),
            };
          },
          mathml,
          shown,
        );
        expect(found, `${stage}: ${mathml}`).toEqual({ faults: 0, same: true, space: true });
        expect(mathml).not.toMatch(/class=|style=/);
      }
      expect(await faultsOf(page)).toEqual([]);
    },
  );

  test("one formula, letter by letter", async () => {
    const page = await visit({ stage: "scores" });
    await openCard(page);
    await press(page, "[data-take=latex]");
    await said(page, /LaTeX/);
    expect(await clipboard(page)).toBe(
      "\\[ \\operatorname{Attention}(Q,K,V)=\\operatorname{softmax}\\left(\\frac{QK^{\\top}}{\\sqrt{d_{k}}}\\right)V \\]\n" +
        "\\[ s_{ij}=\\sum_{t}q_{it}k_{jt} \\]\n",
    );
  });

  test.each(["light", "dark"] as const)(
    "the figure as SVG and as PNG, in the colours of the page: %s",
    async (scheme) => {
      const page = await visit({ stage: "scores", level: "cell" }, { scheme, width: 390 });
      await openCard(page);
      await press(page, "[data-take=svg]");
      await said(page, /Saved.*SVG/);
      const svg = (await fileOf("attention-scores.svg")).toString();
      const card = scheme === "light" ? "#fffefb" : "#1a1c21";
      const rgb = scheme === "light" ? [255, 254, 251] : [26, 28, 33];
      expect(svg).toMatch(new RegExp(`fill="(${card}|rgb\\(${rgb.join(", ")}\\))"`));
      const [, width, height] = svg.match(/width="(\d+)" height="(\d+)"/) ?? [];
      // An image in a page by itself, without policy: what a viewer would show.
      const viewer = await browser.newPage();
      open.push(viewer);
      const size = await viewer.evaluate(async (source) => {
        const image = new Image();
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      }, svg);
      await page.bringToFront();
      expect(size).toEqual([Number(width), Number(height)]);
      if (!(await page.$("loom-attention >>> .take:popover-open"))) await openCard(page);
      await press(page, "[data-take=png]");
      await said(page, /Saved.*PNG/);
      const png = PNG.sync.read(await fileOf("attention-scores.png"));
      expect([png.width, png.height]).toEqual([2 * Number(width), 2 * Number(height)]);
      expect([...png.data.subarray(0, 3)]).toEqual(rgb);
      // Text and cells: many colours, not one.
      const colours = new Set<number>();
      for (let at = 0; at < png.data.length; at += 4) colours.add(png.data.readUInt32BE(at));
      expect(colours.size).toBeGreaterThan(50);
      expect(await faultsOf(page)).toEqual([]);
    },
  );

  test("a browser that refuses is told of, in words", async () => {
    const page = await visit({}, { hasClipboard: false });
    await page.evaluate(() => {
      document.execCommand = () => false;
    });
    await press(page, "[data-take=code]");
    expect(await said(page, /Not done/)).toBe("Not done. Lines in NumPy: the browser did not allow it");
  });

  test.each([
    [1000, "light"],
    [320, "dark"],
  ] as const)("no fault that axe can find with the card open, window %i, %s", async (width, scheme) => {
    const page = await visit({ stage: "scores", level: "term" }, { width, scheme });
    await act(page, { type: "code", language: "cpp" });
    await openCard(page);
    const box = await page.evaluate(() => {
      const card = document.querySelector("loom-attention")?.shadowRoot?.querySelector(".take") as HTMLElement;
      const { left, right, top, bottom } = card.getBoundingClientRect();
      return { left, right, top, bottom, wide: card.scrollWidth - card.clientWidth };
    });
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(width);
    expect(box.top).toBeGreaterThanOrEqual(0);
    expect(box.bottom).toBeLessThanOrEqual(900);
    expect(box.wide).toBe(0);
    await page.setBypassCSP(true);
    await page.evaluate(axe);
    const faults = await page.evaluate(async () => {
      const { axe: tool } = window as unknown as {
        axe: {
          run(target: Element, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const { violations } = await tool.run(document.querySelector("loom-attention") as Element, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    });
    expect(faults).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});
