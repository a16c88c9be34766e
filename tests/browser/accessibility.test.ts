// <loom-attention> for everyone: what axe can find in every look of a page, and all of it by keyboard alone.

import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../support/axe.ts";
import { act, drawn, press, type Stepper, texts, useFigurePages, visit } from "../support/figure-page.ts";

useFigurePages();

/** Looks of a page: a colour scheme, forced colours, a page from right to left, a narrow one. */
const LOOKS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  light: (page) => page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]),
  dark: (page) => page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]),
  "forced colours": async (page) => {
    const session = await page.createCDPSession();
    await session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  },
  RTL: (page) => page.evaluate(() => document.documentElement.setAttribute("dir", "rtl")),
  "320 px": (page) => page.setViewport({ width: 320, height: 900 }),
};

describe("A20 axe finds nothing", () => {
  const looks = Object.keys(LOOKS);

  test.each(looks)("%s: first, middle and last step", async (name) => {
    const page = await visit({ level: "term" });
    await LOOKS[name]?.(page);
    await drawn(page);
    const found: Record<string, string[]> = {};
    found.first = await violationsOf(page, "loom-attention");
    // The frames of E1 at this level are 366.
    await act(page, { type: "frame", index: 183 });
    found.middle = await violationsOf(page, "loom-attention");
    await act(page, { type: "last" });
    found.last = await violationsOf(page, "loom-attention");
    expect(found).toEqual({ first: [], middle: [], last: [] });
  });

  test.each(looks)("%s: with the panel for editing, an answer, differences and each card open", async (name) => {
    const page = await visit({ stage: "weights", level: "cell" });
    await LOOKS[name]?.(page);
    await act(
      page,
      { type: "edit", matrix: "xKv", row: 1, column: 1, value: -1.5 },
      { type: "option", change: { causal: "start" } },
      { type: "compare" },
      { type: "ask", stage: "weights", index: [0, 1, 1], about: "origin" },
    );
    await press(page, "[data-act=edit]");
    expect(await texts(page, ".edits .heading")).not.toEqual([]);
    const found: Record<string, string[]> = { panels: await violationsOf(page, "loom-attention") };
    for (const card of ["checks", "take", "help"]) {
      await press(page, `[data-act=${card}]`);
      found[card] = await violationsOf(page, "loom-attention");
      await press(page, `[data-act=${card}]`);
    }
    expect(found).toEqual({ panels: [], checks: [], take: [], help: [] });
  });

  test.each(looks)("%s: a long sequence, page by page with its map", async (name) => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i % 3} 1 ${(i % 5) - 2}`).join(";");
    const page = await visit({ q: rows, k: rows, v: rows, stage: "weights" });
    await LOOKS[name]?.(page);
    await drawn(page);
    await page.waitForFunction(() => {
      const canvas = document.querySelector("loom-attention")?.shadowRoot?.querySelector(".overview canvas");
      return canvas instanceof HTMLCanvasElement && canvas.style.length > 0;
    });
    expect(await violationsOf(page, "loom-attention")).toEqual([]);
    const [wide, most] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(wide).toBeLessThanOrEqual(most as number);
  });
});

/** Where the focus is: inside the element, and whether it can be seen. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const outer = document.activeElement as HTMLElement;
    const inner = outer.shadowRoot?.activeElement as HTMLElement | null | undefined;
    const shown = inner ?? outer;
    // A radio button is drawn by its label.
    const drawnBy = shown.matches("input[type=radio]") ? (shown.closest("label") as HTMLElement) : shown;
    const { outlineStyle, outlineWidth } = getComputedStyle(drawnBy);
    const box = drawnBy.getBoundingClientRect();
    return {
      at: outer.id || (inner ? "inside" : outer.localName),
      tag: inner?.localName ?? "",
      place: inner?.dataset.place ?? "",
      table: inner?.closest("table")?.dataset.slot ?? "",
      act: inner?.dataset.act ?? "",
      text: inner?.textContent?.replace(/\s+/g, " ").trim() ?? "",
      isVisible:
        box.width > 0 && (inner?.matches(".entry") === true || (outlineStyle !== "none" && outlineWidth !== "0px")),
    };
  });
type Focus = Awaited<ReturnType<typeof focus>>;

const MOST_STOPS = 60;

/** Presses Tab until the focus is where it should be. Every stop on the way can be seen. */
async function tabTo(page: Page, is: (focus: Focus) => boolean, back = false): Promise<Focus> {
  const passed: string[] = [];
  for (let i = 0; i < MOST_STOPS; i++) {
    if (back) await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    if (back) await page.keyboard.up("Shift");
    const now = await focus(page);
    passed.push(`${now.tag} ${now.act || now.table || now.text}`.slice(0, 40));
    if (now.at === "inside") expect(now.isVisible, passed.at(-1)).toBe(true);
    if (is(now)) return now;
    if (now.at === "body" || (now.at === "after" && !back) || (now.at === "before" && back)) break;
  }
  throw new Error(`${MOST_STOPS} stops, none of them the wanted one: ${passed.join(", ")}`);
}

/** Waits until the status region says something that matches, and then until it can say the next thing. */
async function hears(page: Page, pattern: RegExp): Promise<void> {
  await page.waitForFunction(
    (source) =>
      new RegExp(source, "iu").test(
        document.querySelector("loom-attention")?.shadowRoot?.querySelector("[role=status]")?.textContent ?? "",
      ),
    {},
    pattern.source,
  );
}

const stateOf = (page: Page) =>
  page.evaluate(() => structuredClone((document.querySelector("loom-attention") as unknown as Stepper).state));

describe("A3 A5 A6 A22 by keyboard alone", () => {
  test("from the first cell of X to the last of the output, through an edit, an origin and a removed step, and back", async () => {
    const page = await visit();
    const start = await stateOf(page);
    await page.focus("#before");

    // The first cell of X, and an edit of it.
    const isFirstOfX = ({ table, place }: Focus) => table === "left" && place === "0,0";
    expect((await tabTo(page, isFirstOfX)).text).toBe("1");
    await page.keyboard.press("Enter");
    expect(await focus(page)).toMatchObject({ tag: "input", table: "left", isVisible: true });
    await page.keyboard.type("2.5");
    await page.keyboard.press("Enter");
    await drawn(page);
    expect(await focus(page)).toMatchObject({ table: "left", place: "0,0", text: "2.5", isVisible: true });
    await hears(page, /2\.5/);

    // On the controls: finer steps, one step on and back, then the last one.
    await tabTo(page, ({ act: of }) => of === "next");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    expect((await stateOf(page)).cursor).toMatchObject({ stage: "queries", level: "cell", row: 0, column: 0 });
    await page.keyboard.press("ArrowRight");
    await hears(page, /number 2/);
    await page.keyboard.press("ArrowLeft");
    expect((await stateOf(page)).cursor).toMatchObject({ stage: "queries", level: "cell", row: 0, column: 0 });
    await page.keyboard.press("End");
    await hears(page, /last step|end/);
    expect((await stateOf(page)).cursor).toMatchObject({ stage: "output", row: 3, column: 2 });
    expect(await focus(page)).toMatchObject({ act: "next", isVisible: true });

    // The last cell of the output, and where it comes from.
    const last = await tabTo(page, ({ table }) => table === "result", true);
    expect(last.place).toBe("3,2");
    await page.keyboard.press("o");
    await drawn(page);
    const answer = await focus(page);
    expect(answer).toMatchObject({ at: "inside", tag: "button", isVisible: true });
    expect(answer.table).toBe("");
    await hears(page, /output/);
    await page.keyboard.press("Enter");
    await drawn(page);
    expect((await stateOf(page)) as object).toMatchObject({
      asked: [{ stage: "output" }, { stage: expect.any(String) }],
    });
    await page.keyboard.press("Escape");
    await drawn(page);
    expect(await focus(page)).toMatchObject({ table: "result", place: "3,2", isVisible: true });

    // A step is removed: no scale. It is said what it was there for. Put back, and removed again.
    // The last row of controls is one stop, with the arrow keys inside.
    await tabTo(page, ({ act: of }) => of === "ask");
    await page.keyboard.press("ArrowRight");
    expect(await focus(page)).toMatchObject({ act: "edit", isVisible: true });
    await page.keyboard.press("Enter");
    const isScale = ({ text, tag }: Focus) => tag === "button" && text.startsWith("No division by");
    await tabTo(page, isScale, true);
    for (const said of [/without the division/, /off again/, /without the division/]) {
      await page.keyboard.press("Space");
      await hears(page, said);
    }
    const removed = await stateOf(page);
    expect((removed as unknown as { model: { options: object } }).model.options).toEqual({ scale: 1 });
    expect(await focus(page)).toMatchObject({ tag: "button", isVisible: true });

    // Undo takes all four changes back, one by one, and the button keeps the focus; redo brings them, and undo once more.
    const changes = 4;
    for (const [act, said, model, isBack] of [
      ["undo", /undone/, start.model, true],
      ["redo", /done again/, removed.model, false],
      ["undo", /undone/, start.model, true],
    ] as const) {
      await tabTo(page, ({ act: of }) => of === act, isBack);
      for (let i = 0; i < changes; i++) await page.keyboard.press("Enter");
      await hears(page, said);
      expect((await stateOf(page)).model).toEqual(model);
      expect(await focus(page)).toMatchObject({ act, isVisible: true });
    }

    // Back to the first cell of X and out, as it was entered.
    expect((await tabTo(page, ({ act: of }) => of === "edit")).text).toBe("Done");
    await page.keyboard.press("Enter");
    await tabTo(page, ({ act: of }) => of === "next", true);
    await page.keyboard.press("Home");
    await page.keyboard.press("-");
    await page.keyboard.press("-");
    await drawn(page);
    const end = await stateOf(page);
    expect(end.cursor).toEqual(start.cursor);
    expect((await tabTo(page, isFirstOfX, true)).text).toBe("1");
    await tabTo(page, ({ at }) => at === "before", true);
  });

  test("the whole figure is passed in at most 12 stops, and there is no trap", async () => {
    const page = await visit();
    await page.focus("#before");
    let stops = 0;
    for (let at = ""; at !== "after"; stops++) {
      await page.keyboard.press("Tab");
      ({ at } = await focus(page));
      expect(stops, at).toBeLessThanOrEqual(12);
    }
  });
});
