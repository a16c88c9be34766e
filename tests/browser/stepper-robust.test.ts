// <loom-attention> where it is treated roughly: no words, too many, faults, small windows, large figures.

import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { MOST_WORDS } from "../../web/elements/state/index.ts";
import { act, drawn, press, type Stepper, texts, useFigurePages, visit } from "../support/figure-page.ts";

useFigurePages();

const stateOf = (page: Page) =>
  page.evaluate(() => {
    const { past, model, cursor } = (document.querySelector("loom-attention") as unknown as Stepper).state;
    return { edits: past.length, q: model.tokensQ, kv: model.tokensKv, stage: cursor.stage };
  });

/** Types into the fields for words, and sets them. */
const setWords = (page: Page, q: string, kv: string) =>
  page.evaluate(
    async (texts) => {
      const element = document.querySelector("loom-attention") as unknown as Stepper;
      const form = element.shadowRoot.querySelector(".edits form") as HTMLFormElement;
      for (const [name, text] of Object.entries(texts))
        (form.elements.namedItem(name) as HTMLInputElement).value = text;
      form.requestSubmit();
      await element.updateComplete;
    },
    { q, kv },
  );

/** Waits until the status region says something that contains `text`. */
const said = (page: Page, text: string) =>
  page.waitForFunction(
    (wanted) =>
      document
        .querySelector("loom-attention")
        ?.shadowRoot?.querySelector("[role=status]")
        ?.textContent?.includes(wanted),
    {},
    text,
  );

const faultsOf = (page: Page) => page.evaluate(() => (window as unknown as { faults: string[] }).faults);

/** A problem with so many queries and keys, as attributes. */
const problemOf = (queries: number, keys: number) => {
  const rows = (n: number) => Array.from({ length: n }, (_, i) => `${i % 3} 1 ${(i % 5) - 2}`).join(";");
  return { q: rows(queries), k: rows(keys), v: rows(keys) };
};

describe("words", () => {
  test("without any word every stage and level is drawn, the reason is given once, and undo brings all back", async () => {
    const page = await visit();
    const before = await stateOf(page);
    await press(page, "[data-act=edit]");
    await setWords(page, "", "");
    for (const level of ["stage", "row", "cell", "term"]) {
      await act(page, { type: "level", level });
      for (const stage of ["queries", "keys", "values", "scores", "weights", "output"]) {
        await press(page, `.stop[data-stage=${stage}]`);
        expect(await texts(page, ".trouble"), `${stage} ${level}`).toEqual([]);
        const whole = (await texts(page, ".widget")).join(" ");
        expect(whole.split("There are no tokens").length - 1, `${stage} ${level}`).toBe(1);
      }
    }
    await press(page, "[data-act=undo]");
    expect((await stateOf(page)).q).toEqual(before.q);
    expect((await stateOf(page)).kv).toEqual(before.kv);
    expect(await texts(page, "table.result").then(({ length }) => length)).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
  });

  test("both sides at once are one edit, and what is said counts both", async () => {
    const page = await visit();
    await press(page, "[data-act=edit]");
    await setWords(page, "la petite souris", "the mouse eats cheese");
    await said(page, "4 new words");
    expect(await stateOf(page)).toMatchObject({
      edits: 1,
      q: ["la", "petite", "souris"],
      kv: ["the", "mouse", "eats", "cheese"],
    });
  });

  const many = Array.from({ length: MOST_WORDS + 1 }, (_, i) => `w${i}`);
  test.each([
    ["loose words", many.join(" ")],
    ["a JSON list", JSON.stringify(many)],
  ])("more than are drawn, %s: refused with the count and the limit, and nothing changes", async (_, text) => {
    const page = await visit();
    await press(page, "[data-act=edit]");
    const before = await stateOf(page);
    await setWords(page, text, "the other side");
    const [refusal] = await texts(page, ".refusal");
    expect(refusal).toContain(String(MOST_WORDS + 1));
    expect(refusal).toContain(String(MOST_WORDS));
    expect(refusal).toContain("Query words");
    await said(page, refusal as string);
    expect(await stateOf(page)).toEqual(before);
    await setWords(page, "la maison", "the house");
    expect(await texts(page, ".refusal")).toEqual([""]);
    expect((await stateOf(page)).q).toEqual(["la", "maison"]);
  });

  test.each([
    ["tokens", many.join(" ")],
    ["tokens-kv", JSON.stringify(many)],
    ["x", many.map(() => "1 0 0").join(";")],
    ["x-kv", JSON.stringify(many.map(() => [1, 0, 0]))],
  ])("more than are drawn, attribute %s: one sentence with the count and the limit", async (name, value) => {
    const page = await visit({ [name]: value });
    const trouble = await texts(page, ".trouble");
    expect(trouble).toHaveLength(1);
    expect(trouble[0]).toContain(name);
    expect(trouble[0]).toContain(String(MOST_WORDS + 1));
    expect(trouble[0]).toContain(String(MOST_WORDS));
  });
});

describe("messages", () => {
  test.each([
    ["undo", "[data-act=undo]"],
    ["reset", "[data-act=reset]"],
  ])("a fault while drawing leaves %s within reach, and it brings the figure back", async (_, button) => {
    const page = await visit({ stage: "scores", level: "cell" });
    const before = await stateOf(page);
    await act(page, { type: "word", side: "q", position: 0, word: 7 });
    expect(await texts(page, ".trouble")).toHaveLength(1);
    expect(await texts(page, "table.result")).toEqual([]);
    await press(page, button);
    await drawn(page);
    expect(await texts(page, ".trouble")).toEqual([]);
    expect(await texts(page, "table.result")).toHaveLength(1);
    expect((await stateOf(page)).q).toEqual(before.q);
  });

  test("play stops where a message takes the place of the figure", async () => {
    const page = await visit();
    await press(page, "[data-act=play]");
    const label = () =>
      page.evaluate(() =>
        document
          .querySelector("loom-attention")
          ?.shadowRoot?.querySelector("[data-act=play]")
          ?.getAttribute("aria-label"),
      );
    expect(await label()).toBe("Pause");
    const set = (heads: string | null) =>
      page.evaluate(async (value) => {
        const element = document.querySelector("loom-attention") as unknown as Stepper;
        if (value === null) element.removeAttribute("heads");
        else element.setAttribute("heads", value);
        await element.updateComplete;
      }, heads);
    await set("7");
    expect(await texts(page, ".trouble")).toHaveLength(1);
    await set(null);
    expect(await texts(page, ".trouble")).toEqual([]);
    expect(await label()).toBe("Play");
  });

  test("at either end act says that nothing was done", async () => {
    const page = await visit();
    expect(await act(page, { type: "back" }, { type: "first" }, { type: "next" }, { type: "last" })).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(await act(page, { type: "next" }, { type: "last" }, { type: "coarser" })).toEqual([false, false, false]);
  });

  test("a wrong number that is left with Tab is not dropped in silence", async () => {
    const page = await visit({ stage: "queries" });
    await press(page, "[data-act=edit]");
    await press(page, "table[data-slot=input][data-name=wQ] td[data-place='0,0']");
    await page.waitForFunction(() =>
      document.querySelector("loom-attention")?.shadowRoot?.activeElement?.classList.contains("entry"),
    );
    await page.keyboard.type("2,x");
    await page.keyboard.press("Enter");
    await said(page, "2,x");
    expect(await texts(page, ".entry-note")).toHaveLength(1);
    await page.evaluate(() => {
      const region = document.querySelector("loom-attention")?.shadowRoot?.querySelector("[role=status]");
      if (region) region.textContent = "";
    });
    await page.keyboard.press("Tab");
    await said(page, "2,x");
    expect((await stateOf(page)).edits).toBe(0);
  });
});

describe("windows", () => {
  /** Where things stand in the window, in CSS pixels. */
  const places = (page: Page) =>
    page.evaluate(() => {
      const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
      const bar = root.querySelector(".bar") as HTMLElement;
      const region = (root.querySelector(".scroll") as Element).getBoundingClientRect();
      const now = root.querySelector(".scroll :is(td.now,td.now-row)")?.getBoundingClientRect();
      return {
        rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
        reserved: Number.parseFloat(getComputedStyle(root.querySelector(".scroll") as Element).minBlockSize),
        sticky: getComputedStyle(bar).position === "sticky",
        bar: bar.getBoundingClientRect().top,
        blank: (root.querySelector(".scroll .corner") as Element).getBoundingClientRect().top - region.top,
        top: now?.top ?? -1,
        bottom: now?.bottom ?? -1,
        left: (now?.left ?? -1) - region.left,
        right: region.right - (now?.right ?? -1),
        scrolled: scrollY,
      };
    });

  test("the bar sticks to the edge of a window that is high enough, and to no other", async () => {
    const page = await visit({}, 320, 900);
    expect((await places(page)).sticky).toBe(true);
    await page.setViewport({ width: 320, height: 256 });
    expect((await places(page)).sticky).toBe(false);
  });

  test.each([
    [1280, 800],
    [390, 844],
  ])(
    "few queries and many keys: the small figures are not far below an empty space, %i by %i",
    async (width, height) => {
      const page = await visit({ ...problemOf(6, 40), stage: "scores" }, width, height);
      for (const stage of ["scores", "output", "scores"]) {
        await act(page, { type: "jump", stage });
        await drawn(page);
        const { blank, reserved, rem } = await places(page);
        expect(blank, stage).toBeLessThan(40);
        expect(reserved, stage).toBeLessThanOrEqual(34 * rem);
      }
    },
  );

  test.each([
    [1000, 700],
    [390, 700],
  ])("a step of the reader brings its cell into view, one from outside scrolls nothing, %i by %i", async (w, h) => {
    // The largest figure that is not shown page by page: its last rows lie below the window.
    const page = await visit({ ...problemOf(16, 16), stage: "scores", level: "cell" }, w, h);
    await page.evaluate(() => scrollTo(0, 0));
    await act(page, { type: "jump", stage: "scores", row: 14, column: 12 });
    await drawn(page);
    const outside = await places(page);
    expect(outside.scrolled).toBe(0);
    expect(outside.bottom).toBeGreaterThan(outside.bar);
    await press(page, "[data-act=next]");
    await drawn(page);
    const seen = await places(page);
    expect(seen.scrolled).toBeGreaterThan(0);
    expect(seen.bottom).toBeLessThanOrEqual(seen.bar);
    expect(seen.top).toBeGreaterThanOrEqual(0);
    expect(seen.left).toBeGreaterThanOrEqual(0);
    expect(seen.right).toBeGreaterThanOrEqual(0);
    await press(page, "[data-act=next]");
    await drawn(page);
    expect((await places(page)).scrolled).toBe(seen.scrolled);
  });
});
