// Asking where a number comes from and what it feeds, and the light that figure, formula, program and sentence share.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, KeyInput, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { serve } from "../../tools/serve.mjs";
import type { Action, LoomState } from "../../web/elements/state/index.ts";
import { launchChromium } from "../support/chromium.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const pages = fileURLToPath(new URL("pages/", import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const made = mkdtempSync(join(tmpdir(), "loom-origin-"));

let browser: Browser;
let served: Awaited<ReturnType<typeof serve>>;
let open: Page[] = [];

/** The element as the page sees it. */
type Stepper = HTMLElement & {
  act(action: object): boolean;
  updateComplete: Promise<boolean>;
  shadowRoot: ShadowRoot;
  state: LoomState;
};

beforeAll(async () => {
  if (!existsSync(join(dist, "element.js"))) throw new Error("dist/element.js is missing: run npm run build");
  const www = join(made, "www");
  mkdirSync(www);
  cpSync(dist, www, { recursive: true });
  for (const file of ["stepper.html", "stepper.css", "watch.js"]) cpSync(join(pages, file), join(www, file));
  served = await serve(www, { port: 0 });
  browser = await launchChromium(join(made, "profile"));
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

async function visit(
  attributes: Record<string, string> = {},
  { width = 1000, height = 900, hasTouch = false } = {},
): Promise<Page> {
  const page = await browser.newPage();
  open.push(page);
  await page.setViewport({ width, height, hasTouch });
  await page.goto(new URL("stepper.html", served.address).href);
  await page.evaluate((list) => {
    const element = document.createElement("loom-attention");
    for (const [name, value] of Object.entries(list)) element.setAttribute(name, value);
    document.querySelector("main")?.append(element);
  }, attributes);
  await page.waitForFunction(() => document.querySelector("loom-attention")?.shadowRoot?.querySelector(".widget"));
  await drawn(page);
  return page;
}

const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const act = (page: Page, ...actions: Action[]) =>
  page.evaluate(async (list) => {
    const element = document.querySelector("loom-attention") as unknown as Stepper;
    const done = list.map((action) => element.act(action));
    await element.updateComplete;
    return done;
  }, actions);

/** Gives the focus to something inside. */
const focus = (page: Page, selector: string) =>
  page.evaluate(
    (query) => document.querySelector("loom-attention")?.shadowRoot?.querySelector<HTMLElement>(query)?.focus(),
    selector,
  );

/** Presses keys one after another; each has been answered before the next. */
async function press(page: Page, ...keys: KeyInput[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.evaluate(() => (document.querySelector("loom-attention") as unknown as Stepper).updateComplete);
  }
}

/** Something inside, to be clicked, tapped or hovered over. */
async function inside(page: Page, selector: string) {
  const root = await page.evaluateHandle(() => document.querySelector("loom-attention")?.shadowRoot as ShadowRoot);
  const found = await root.$(selector);
  if (!found) throw new Error(`nothing is ${selector}`);
  return found;
}

const texts = (page: Page, selector: string) =>
  page.evaluate(
    (query) =>
      [...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll(query) ?? [])].map(
        (e) => e.textContent?.replace(/\s+/g, " ").trim() ?? "",
      ),
    selector,
  );

const stateOf = (page: Page) =>
  page.evaluate(() => (document.querySelector("loom-attention") as unknown as Stepper).state);

const trailOf = async (page: Page) =>
  ((await stateOf(page)).asked ?? []).map(({ stage, index, about }) => `${stage} ${index} ${about}`);

/** What has the focus inside the figure. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const target = document.querySelector("loom-attention")?.shadowRoot?.activeElement as HTMLElement | null;
    const table = target?.closest<HTMLTableElement>("table[data-name]");
    if (table) return `${table.dataset.name} ${target?.dataset.place}`;
    const { follow, tool, trail, act: action } = target?.dataset ?? {};
    return follow ?? tool ?? trail ?? action ?? target?.textContent ?? "";
  });

/** The cells of the figure with a class, as "table row,column". */
const cellsWith = (page: Page, name: string) =>
  page.evaluate(
    (look) =>
      [
        ...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll<HTMLElement>(`td.${look}`) ?? []),
      ].map((td) => `${td.closest("table")?.dataset.name} ${td.dataset.place}`),
    name,
  );

const faultsOf = (page: Page) => page.evaluate(() => (window as unknown as { faults: string[] }).faults);

/** Waits until the status region says something, and returns it. */
async function said(page: Page): Promise<string> {
  const handle = await page.waitForFunction(
    () => document.querySelector("loom-attention")?.shadowRoot?.querySelector("[role=status]")?.textContent,
  );
  return String(await handle.jsonValue());
}

describe("where from", () => {
  test("by key on a cell, along the operands back to a word, by the trail back, and out with Escape to the cell", async () => {
    const page = await visit({ stage: "output", level: "cell" });
    await act(page, { type: "jump", stage: "output", row: 0, column: 0 });
    await focus(page, "table.result td[data-place='0,0']");
    await press(page, "o");
    expect(await texts(page, ".trail .here")).toEqual(["output la, number 1 0.8289"]);
    expect(await focused(page)).toBe("weights 0,0,0");
    expect(await said(page)).toMatch(/^output: la, number 1, 0\.8289\. The sum of 5 products, weights times values\.$/);
    for (const next of ["exp 0,0,0", "shifted 0,0,0", "scaled 0,0,0", "scores 0,0,0", "queries 0,0,0", "x 0,0"]) {
      await press(page, "Enter");
      expect(await focused(page)).toBe(next);
    }
    await press(page, "Space");
    expect(await trailOf(page)).toEqual(
      [
        "output 0,0,0",
        "weights 0,0,0",
        "exp 0,0,0",
        "shifted 0,0,0",
        "scaled 0,0,0",
        "scores 0,0,0",
        "queries 0,0,0",
        "x 0,0",
      ].map((cell) => `${cell} origin`),
    );
    expect((await texts(page, ".how"))[0]).toBe("It was given, so nothing comes before it, and it can be edited.");
    expect(await texts(page, ".reply button")).toEqual([]);
    expect(await focused(page)).toBe("go");
    // Back by the arrow keys along the trail, then one step, which gives the focus to the operand that had been followed.
    await press(page, "ArrowLeft");
    expect(await focused(page)).toBe("6");
    await press(page, "ArrowLeft", "Enter");
    expect((await trailOf(page)).at(-1)).toBe("scores 0,0,0 origin");
    expect(await focused(page)).toBe("queries 0,0,0");
    await (await inside(page, "[data-tool=back]")).click();
    await drawn(page);
    expect((await trailOf(page)).at(-1)).toBe("scaled 0,0,0 origin");
    expect(await focused(page)).toBe("scores 0,0,0");
    await press(page, "Escape");
    expect(await texts(page, ".origin-band")).toEqual([]);
    expect(await focused(page)).toBe("output 0,0");
    expect((await stateOf(page)).cursor).toMatchObject({ stage: "output", level: "cell", row: 0, column: 0 });
    expect(await faultsOf(page)).toEqual([]);
  });

  test("the numbers are those of the computation, and the operands on view are lit", async () => {
    const page = await visit({ stage: "scores", level: "cell" });
    await act(
      page,
      { type: "jump", stage: "scores", row: 0, column: 3 },
      { type: "ask", stage: "scores", index: [0, 0, 3], about: "origin" },
    );
    expect(await texts(page, ".terms-table thead th")).toEqual([
      "term",
      "queries la",
      "keys house",
      "product",
      "running sum",
    ]);
    expect(await texts(page, ".terms-table tbody tr")).toEqual(
      ["1 −1 · 1 −1 −1", "2 0 · 2 0 −1", "3 2 · 1 2 1"].map((row) => row.replaceAll(" ", "")),
    );
    expect(await cellsWith(page, "ask-here")).toEqual(["scores 0,3"]);
    expect((await cellsWith(page, "ask-other")).sort()).toEqual(
      ["keys 0,3", "keys 1,3", "keys 2,3", "queries 0,0", "queries 0,1", "queries 0,2"].sort(),
    );
    const outline = await page.evaluate(() => {
      const td = document.querySelector("loom-attention")?.shadowRoot?.querySelector("td.ask-other") as Element;
      const { outlineStyle, outlineWidth } = getComputedStyle(td);
      return `${outlineWidth} ${outlineStyle}`;
    });
    expect(outline).toBe("2px dashed");
    // An edit of an operand's source is followed.
    await act(page, { type: "edit", matrix: "x", row: 0, column: 0, value: 3 });
    expect((await texts(page, ".trail .value"))[0]).toBe((await texts(page, "table.result td[data-place='0,3']"))[0]);
    // A hovered operand lights the one cell that it is.
    await (await inside(page, ".reply button[data-follow='keys 0,3,1']")).hover();
    expect(await cellsWith(page, "linked")).toEqual(["keys 1,3"]);
  });

  test("by pointer: the button asks about the cell that had the focus, then a tap on any number asks, Escape gives it back", async () => {
    const page = await visit({ stage: "queries" });
    await (await inside(page, "table.left td[data-place='1,2']")).click();
    await drawn(page);
    const button = await inside(page, "[data-act=ask]");
    expect(await button.evaluate((e) => e.getAttribute("aria-label"))).toBe(
      "Where from? query words: petite, number 3, 2",
    );
    expect(await button.evaluate((e) => e.getAttribute("aria-expanded"))).toBe("false");
    await button.click();
    expect(await trailOf(page)).toEqual(["x 1,2 origin"]);
    expect(await button.evaluate((e) => e.getAttribute("aria-expanded"))).toBe("true");
    await (await inside(page, "table.result td[data-place='3,1']")).click();
    expect(await trailOf(page)).toEqual(["queries 0,3,1 origin"]);
    expect((await stateOf(page)).cursor).toMatchObject({ stage: "queries", level: "stage" });
    await (await inside(page, "[data-tool=feeds]")).click();
    expect(await trailOf(page)).toEqual(["queries 0,3,1 feeds"]);
    await press(page, "Escape");
    expect(await focused(page)).toBe("queries 3,1");
    // The button closes what it has opened.
    await button.click();
    await (await inside(page, "[data-act=ask]")).click();
    expect(await trailOf(page)).toEqual([]);
    expect(await focused(page)).toBe("ask");
    expect(await faultsOf(page)).toEqual([]);
  });

  test("numbers in the work under the figure, and cells of the panel for editing, can be asked about too", async () => {
    const page = await visit({ stage: "scores", level: "cell" });
    await act(page, { type: "jump", stage: "scores", row: 0, column: 3 });
    await (await inside(page, ".work [data-ask='keys 0,3,1']")).click();
    expect(await trailOf(page)).toEqual(["keys 0,3,1 origin"]);
    await (await inside(page, ".work .total")).click();
    expect(await trailOf(page)).toEqual(["scores 0,0,3 origin"]);
    await press(page, "Escape");
    await (await inside(page, "[data-act=edit]")).click();
    await focus(page, ".inputs table[data-name=wK] td[data-place='0,2']");
    await press(page, "f");
    expect(await trailOf(page)).toEqual(["wK 0,2 feeds"]);
    expect(await texts(page, ".fed-cells button")).toHaveLength(5);
    expect(await cellsWith(page, "ask-here")).toEqual(["wK 0,2"]);
    // In the panel for editing a letter typed into a field stays a letter.
    await focus(page, ".edits form input");
    await press(page, "o", "f");
    expect(await trailOf(page)).toEqual(["wK 0,2 feeds"]);
    const field = await inside(page, ".edits form input");
    expect(await field.evaluate((input) => (input as HTMLInputElement).value)).toMatch(/of/);
  });

  test("a cell that does not exist is refused, a cell that goes away takes its question with it", async () => {
    const page = await visit({ stage: "weights" });
    const asked = (stage: string, ...index: number[]): Action => ({ type: "ask", stage, index, about: "origin" });
    expect(
      await act(page, asked("weights", 0, 4, 0), asked("weights", 0, 0), asked("nothing", 0), asked("x", 0.5, 0)),
    ).toEqual([false, false, false, false]);
    expect(await act(page, asked("weights", 0, 3, 4))).toEqual([true]);
    await act(page, { type: "words", side: "q", words: ["la"] });
    expect(await trailOf(page)).toEqual([]);
    expect(await texts(page, ".origin-band")).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
  });
});

describe("what it feeds", () => {
  test("by key, from a query forward to the output, and there by “Go there”", async () => {
    const page = await visit({ stage: "scores", level: "cell" });
    await focus(page, "table.left td[data-place='1,0']");
    await press(page, "f");
    expect((await texts(page, ".how"))[0]).toBe("It goes into 5 numbers: 5 of scores.");
    expect(await texts(page, ".fed-name")).toEqual(["scores"]);
    expect(await texts(page, ".fed-cells button")).toEqual([
      "petite → the−2",
      "petite → small6",
      "petite → red2",
      "petite → house−1",
      "petite → .−1",
    ]);
    expect((await cellsWith(page, "ask-other")).sort()).toEqual([0, 1, 2, 3, 4].map((key) => `scores 1,${key}`));
    await press(page, "ArrowRight", "Enter");
    expect(await trailOf(page)).toEqual(["queries 0,1,0 feeds", "scores 0,1,1 feeds"]);
    await press(page, "Enter", "Enter");
    // Of an operand in the answer the other question can be asked at once.
    expect((await trailOf(page)).at(-1)).toBe("rowmax 0,1 feeds");
    await press(page, "o");
    expect((await trailOf(page)).at(-1)).toBe("shifted 0,1,0 origin");
    await (await inside(page, "[data-tool=go]")).click();
    expect((await stateOf(page)).cursor).toMatchObject({ stage: "shifted", level: "cell", row: 1, column: 0 });
    expect((await trailOf(page)).at(-1)).toBe("shifted 0,1,0 origin");
    await act(page, { type: "ask", stage: "output", index: [0, 0, 0], about: "feeds" });
    expect((await texts(page, ".how"))[0]).toMatch(
      /^It is part of the result: nothing comes after it\. in full 0\.8289/,
    );
    await act(page, { type: "ask", stage: "wV", index: [0, 0], about: "origin" });
    expect(await texts(page, "[data-tool=go]")).toEqual(["See it in use"]);
    await (await inside(page, "[data-tool=go]")).click();
    expect((await stateOf(page)).cursor).toMatchObject({ stage: "values", row: 0, column: 0 });
    expect(await faultsOf(page)).toEqual([]);
  });

  test("a long list is cut, and shown in full on request", async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${(i * 7) % 11} 1`).join(";");
    const page = await visit({ q: "1 2;0 1", k: rows, v: rows, stage: "rowmax", level: "cell" });
    await act(page, { type: "ask", stage: "rowmax", index: [0, 0], about: "origin" });
    expect(await texts(page, ".terms-table [data-tool=whole]")).toEqual(["Show all 30"]);
    expect((await texts(page, ".terms-table button.number")).length).toBeLessThanOrEqual(8);
    await focus(page, "[data-tool=whole]");
    await press(page, "Enter");
    expect(await texts(page, ".terms-table button.number")).toHaveLength(30);
    expect((await stateOf(page)).asked?.at(-1)).toMatchObject({ whole: true });
    expect(await focused(page)).toMatch(/^scaled 0,0,/);
    await act(page, { type: "ask", stage: "rowmax", index: [0, 0], about: "feeds" });
    expect(await texts(page, ".fed [data-tool=whole]")).toEqual(["Show all 30"]);
    expect(await texts(page, ".fed-cells .number")).toHaveLength(12);
  });
});

describe("as a guest on a page", () => {
  test.each([
    ["light", 1000, "ltr", false],
    ["dark", 390, "ltr", false],
    ["light", 320, "rtl", false],
    ["light", 1000, "ltr", true],
  ] as const)(
    "no fault that axe can find, no sideways scroll: %s, %i wide, %s, forced colours %s",
    async (scheme, width, dir, isForced) => {
      const page = await visit({ stage: "output", level: "cell" }, { width });
      const features = [{ name: "prefers-color-scheme", value: scheme }];
      if (isForced) {
        const session = await page.createCDPSession();
        await session.send("Emulation.setEmulatedMedia", {
          features: [...features, { name: "forced-colors", value: "active" }],
        });
      } else await page.emulateMediaFeatures(features);
      await page.evaluate((to) => document.documentElement.setAttribute("dir", to), dir);
      await page.setBypassCSP(true);
      await page.evaluate(axe);
      const cells = [
        ["output", 0, 1, 1],
        ["weights", 0, 1, 1],
        ["x", 1, 1],
      ] as const;
      for (const about of ["origin", "feeds"] as const) {
        await act(page, { type: "askClose" });
        for (const [stage, ...index] of cells) {
          await act(page, { type: "ask", stage, index: [...index], about, follow: true });
          await drawn(page);
          const violations = await page.evaluate(async () => {
            const { axe: tool } = window as unknown as {
              axe: {
                run(
                  root: Element,
                  options: object,
                ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
              };
            };
            const { violations: found } = await tool.run(document.querySelector("loom-attention") as Element, {
              runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
            });
            return found.map(
              ({ id, nodes }) =>
                `${id}: ${nodes
                  .map(({ html }) => html)
                  .slice(0, 2)
                  .join(" | ")}`,
            );
          });
          expect(violations, `${stage} ${about}`).toEqual([]);
          const [wide, most] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          expect(wide, `${stage} ${about}`).toBeLessThanOrEqual(most as number);
          const small = await page.evaluate(() =>
            [
              ...(document
                .querySelector("loom-attention")
                ?.shadowRoot?.querySelectorAll<HTMLElement>(".origin-band *, .formula-parts button") ?? []),
            ]
              .filter((e) => e.checkVisibility() && !e.closest(".unseen, sub"))
              .filter(
                (e) =>
                  Number.parseFloat(getComputedStyle(e).fontSize) < 11.99 ||
                  (e.matches("button") && (e.offsetWidth < 24 || e.offsetHeight < 24)),
              )
              .map((e) => `${e.className} ${getComputedStyle(e).fontSize} ${e.offsetWidth} × ${e.offsetHeight}`),
          );
          expect(small, `${stage} ${about}`).toEqual([]);
        }
      }
    },
  );

  test("opening brings the answer into view above the controls and leaves the figure in it; a step moves no control", async () => {
    for (const [width, height] of [
      [1280, 900],
      [390, 844],
    ] as const) {
      const page = await visit({ stage: "scores", level: "cell" }, { width, height });
      await focus(page, "table.result td[data-place='0,0']");
      await press(page, "o");
      await drawn(page);
      const places = () =>
        page.evaluate(() => {
          const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
          const box = (selector: string) => (root.querySelector(selector) as Element).getBoundingClientRect();
          return {
            figure: box("table.result").bottom,
            top: box(".origin-band").top,
            bottom: box(".origin-band").bottom,
            bar: box(".bar").top,
            next: box("[data-act=next]").top,
            maths: box(".maths").top - box(".widget").top,
          };
        });
      const before = await places();
      expect(before.bottom).toBeLessThanOrEqual(before.bar + 1);
      expect(before.top).toBeGreaterThanOrEqual(before.figure);
      expect(before.figure).toBeGreaterThan(0);
      await (await inside(page, "[data-act=next]")).click();
      await drawn(page);
      const after = await places();
      expect(after.next).toBe(before.next);
      expect(after.maths).toBe(before.maths);
    }
  });

  test("with the answer open every stop of the Tab key is seen, and it leads out again", async () => {
    const page = await visit({ stage: "scores", level: "cell" });
    await act(page, { type: "ask", stage: "scores", index: [0, 0, 0], about: "origin" });
    await page.focus("#before");
    const stops: string[] = [];
    for (let i = 0; i < 25; i++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(() => document.activeElement?.id)) === "after") break;
      stops.push(await focused(page));
    }
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("after");
    expect(stops.length, stops.join(" | ")).toBeLessThanOrEqual(16);
    expect(stops).toContain("queries 0,0,0");
  });
});

describe("links between figure, formula, program and sentence", () => {
  /** What is lit, by view. */
  const litIn = (page: Page) =>
    page.evaluate(() => {
      const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
      const list = (selector: string) =>
        [...root.querySelectorAll<HTMLElement>(selector)]
          .filter((e) => e.getClientRects().length > 0)
          .map((e) => e.dataset.name ?? e.dataset.stage ?? e.textContent?.replace(/\s+/g, " ").trim() ?? "");
      return {
        map: list(".stop.linked"),
        figure: list("table.linked"),
        formula: list(".formula .whole .linked"),
        program: list(".code .linked:not(.line)"),
        sentence: list(".sentence .linked"),
      };
    });
  const dark = { map: [], figure: [], formula: [], program: [], sentence: [] };

  test("the pointer on one of them lights the others, and nothing is drawn anew for it", async () => {
    const page = await visit({ stage: "scores", level: "cell" });
    await act(page, { type: "jump", stage: "scores", row: 0, column: 3 });
    expect(await litIn(page)).toEqual(dark);
    await page.evaluate(() => {
      const element = document.querySelector("loom-attention") as unknown as Stepper & { requestUpdate(): void };
      const counted = window as unknown as { updates: number };
      counted.updates = 0;
      const update = element.requestUpdate.bind(element);
      element.requestUpdate = () => {
        counted.updates++;
        update();
      };
    });
    const queries = {
      map: ["queries"],
      figure: ["queries"],
      formula: ["Q", "Q"],
      program: ["X @ W_Q"],
      sentence: ["la"],
    };
    for (const selector of [
      ".formula .whole [data-stages=queries]",
      ".code [data-stages=queries]",
      ".sentence .r-q",
      ".stop[data-stage=queries]",
    ]) {
      await (await inside(page, selector)).hover();
      expect(await litIn(page), selector).toEqual(queries);
    }
    // Inside the matrix itself only the others are lit.
    await (await inside(page, "table.left caption b")).hover();
    expect(await litIn(page)).toEqual({ ...queries, figure: [] });
    await (await inside(page, "table.top td[data-place='1,1']")).hover();
    expect(await litIn(page)).toMatchObject({ map: ["keys"], figure: [], formula: ["K", "K"], sentence: ["house"] });
    await (await inside(page, ".formula .whole msqrt")).hover();
    expect(await litIn(page)).toMatchObject({ map: ["scaled"], formula: ["dk"], program: ["/ np.sqrt(3)"] });
    await page.mouse.move(2, 2);
    expect(await litIn(page)).toEqual(dark);
    expect(await page.evaluate(() => (window as unknown as { updates: number }).updates)).toBe(0);
  });

  test("softmax is five stages; a piece of a line is its own stage, the line all of them", async () => {
    const page = await visit({ stage: "exp", level: "row" });
    await (await inside(page, ".formula .whole [data-stages^=weights]")).hover();
    const five = ["rowmax", "shifted", "exp", "rowsum", "weights"];
    expect(await litIn(page)).toMatchObject({ map: five, figure: ["shifted", "exp"], formula: ["softmax"] });
    await (await inside(page, ".code [data-stages^=rowmax]:not(.line)")).hover();
    expect(await litIn(page)).toMatchObject({ map: ["rowmax"], formula: ["softmax"] });
    // What is lit stays so through a step.
    await page.evaluate(async () => {
      const element = document.querySelector("loom-attention") as unknown as Stepper;
      element.act({ type: "jump", stage: "rowmax" });
      await element.updateComplete;
    });
    expect(await litIn(page)).toMatchObject({ map: ["rowmax"], figure: ["rowmax"] });
  });

  test("a mask stands in the formula, and lights where it is", async () => {
    const page = await visit({ allow: "1 1 1 1 0;1 1 1 1 0;1 1 1 1 0;1 1 1 1 0", stage: "masked" });
    await (await inside(page, ".formula .whole [data-stages=masked]")).hover();
    expect(await litIn(page)).toMatchObject({
      map: ["masked"],
      figure: ["masked"],
      program: ["np.where(allow, S, -np.inf)"],
    });
  });

  test("by keyboard: one stop, arrows from part to part and on to the lines, a ring around the part, Enter goes there", async () => {
    const page = await visit({ stage: "queries" });
    await focus(page, ".stop[tabindex='0']");
    for (let i = 0; i < 4; i++) await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Attention: output");
    const seen: string[] = [];
    for (let i = 0; i < 13; i++) {
      await press(page, "ArrowRight");
      seen.push(await focused(page));
    }
    expect(seen).toEqual([
      "Q: queries",
      "K: keys",
      "V: values",
      "softmax: weights, rowmax, shifted, exp, rowsum",
      "QK⊤: scores",
      "dk: scaled",
      "", // the button that copies the program
      "Q, K, V = X @ W_Q, X_kv @ W_K, X_kv @ W_V",
      "S = Q @ K.T / np.sqrt(3)",
      "E = np.exp(S - S.max(1, keepdims=True))",
      "A = E / E.sum(1, keepdims=True)",
      "output = A @ V",
      "output = A @ V",
    ]);
    for (let i = 0; i < 7; i++) await press(page, "ArrowLeft");
    expect(await focused(page)).toBe("QK⊤: scores");
    expect(await litIn(page)).toMatchObject({ map: ["scores"], formula: ["QK⊤"], program: ["Q @ K.T"] });
    const ring = await page.evaluate(() => {
      const part = document.querySelector("loom-attention")?.shadowRoot?.querySelector(".formula .in-focus");
      return (
        part && `${part.textContent} ${getComputedStyle(part).outlineWidth} ${getComputedStyle(part).outlineStyle}`
      );
    });
    expect(ring).toBe("QK⊤ 3px solid");
    await press(page, "Enter");
    expect((await stateOf(page)).cursor).toMatchObject({ stage: "scores" });
    expect(await focused(page)).toBe("QK⊤: scores");
    for (let i = 0; i < 5; i++) await press(page, "ArrowRight");
    await press(page, "Space");
    expect((await stateOf(page)).cursor).toMatchObject({ stage: "rowmax" });
    await page.keyboard.press("Tab");
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
    expect(await focused(page)).toBe("E = np.exp(S - S.max(1, keepdims=True))");
    expect(await faultsOf(page)).toEqual([]);
  });

  test("by touch: the first tap lights, the second goes there; a tap elsewhere puts it out", async () => {
    const page = await visit({ stage: "queries" }, { width: 390, height: 844, hasTouch: true });
    await page.evaluate(() =>
      document.querySelector("loom-attention")?.shadowRoot?.querySelector(".maths")?.scrollIntoView(),
    );
    const tap = async (selector: string) => {
      await (await inside(page, selector)).tap();
      await drawn(page);
    };
    await tap(".formula .whole [data-stages=values]");
    expect((await litIn(page)).map).toEqual(["values"]);
    expect((await stateOf(page)).cursor.stage).toBe("queries");
    await tap(".small-title");
    expect(await litIn(page)).toEqual(dark);
    await tap(".code .line[data-stages~=weights]");
    expect((await litIn(page)).map).toEqual(["rowsum"]);
    await tap(".code .line[data-stages~=weights]");
    expect((await stateOf(page)).cursor.stage).toBe("rowsum");
    await tap(".formula .whole [data-stages=keys]");
    await focus(page, ".stop[tabindex='0']");
    await press(page, "Escape");
    expect(await litIn(page)).toEqual(dark);
  });

  test("a formula is one thing to assistive technology, with a button for each part beside it", async () => {
    const page = await visit({ stage: "scores" });
    const found = await page.evaluate(() => {
      const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
      return {
        inside: root.querySelectorAll("math [tabindex], math [role]").length,
        buttons: [...root.querySelectorAll(".formula-parts button")].map((e) => e.textContent),
        stops: root.querySelectorAll(".maths [tabindex='0']:not(.tab)").length,
      };
    });
    expect(found.inside).toBe(0);
    expect(found.buttons).toHaveLength(7);
    expect(found.stops).toBe(1);
  });
});
