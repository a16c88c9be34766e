// Biases and W_O that come and go, and what the numbers were at the start.

import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../support/axe.ts";
import { act, drawn, press, type Stepper, texts, useFigurePages, visit } from "../support/figure-page.ts";

useFigurePages();

const modelOf = (page: Page) =>
  page.evaluate(() => (document.querySelector("loom-attention") as unknown as Stepper).state.model);

/** Clicks the button inside `where` that says `text`. */
const pressNamed = (page: Page, where: string, text: string) =>
  page.evaluate(
    async (selector, wanted) => {
      const element = document.querySelector("loom-attention") as unknown as Stepper;
      const buttons = [...element.shadowRoot.querySelectorAll<HTMLElement>(`${selector} button`)];
      buttons.find((button) => button.textContent?.trim() === wanted)?.click();
      await element.updateComplete;
    },
    where,
    text,
  );

const pressed = (page: Page, where: string) =>
  page.evaluate(
    (selector) =>
      [
        ...(document
          .querySelector("loom-attention")
          ?.shadowRoot?.querySelectorAll(`${selector} button[aria-pressed=true]`) ?? []),
      ].map((button) => button.textContent?.trim()),
    where,
  );

describe("biases and W_O", () => {
  test("a new one is zeros and changes nothing; a number typed into it is added to every row", async () => {
    const page = await visit({ stage: "queries" }, 1000, 1800);
    await press(page, "[data-act=edit]");
    const before = await texts(page, "table.result tbody td");
    await pressNamed(page, ".extras", "bQ");
    expect(await pressed(page, ".extras")).toEqual(["bQ"]);
    expect(await texts(page, "table.addend tbody td")).toEqual(["0", "0", "0"]);
    expect(await texts(page, "table.result tbody td")).toEqual(before);
    await page.evaluate(() => {
      const root = (document.querySelector("loom-attention") as HTMLElement).shadowRoot as ShadowRoot;
      root.querySelector<HTMLElement>("table.input[data-name=bQ] td[tabindex='0']")?.focus();
    });
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.keyboard.type("-2");
    await page.keyboard.press("Enter");
    await drawn(page);
    expect((await modelOf(page)).matrices.bQ?.data).toEqual([0, -2, 0]);
    // la -1 0 2, petite 2 -1 -1, maison 0 2 2, rouge 1 1 0
    const shown = ["−1", "−2", "2", "2", "−3", "−1", "0", "0", "2", "1", "−1", "0"];
    expect(await texts(page, "table.result tbody td")).toEqual(shown);
  });

  test("off and on again they keep their numbers, and b_O goes with W_O", async () => {
    const page = await visit({ "w-o": "1 0; 0 2; 1 1", "b-o": "1 -1", "b-k": "1 2 3" }, 1000, 1800);
    await press(page, "[data-act=edit]");
    expect(await pressed(page, ".extras")).toEqual(["bK", "WO", "bO"]);
    await pressNamed(page, ".removals", "No WO");
    expect(Object.keys((await modelOf(page)).matrices)).not.toContain("bO");
    expect(await pressed(page, ".extras")).toEqual(["bK"]);
    await pressNamed(page, ".removals", "No WO");
    expect((await modelOf(page)).matrices.bO?.data).toEqual([1, -1]);
    await pressNamed(page, ".removals", "No biases");
    expect(await pressed(page, ".extras")).toEqual(["WO"]);
    expect((await texts(page, ".consequence")).at(-1)).toContain("Without biases");
    await pressNamed(page, ".removals", "No biases");
    expect(await pressed(page, ".extras")).toEqual(["bK", "WO", "bO"]);
    expect((await modelOf(page)).matrices.bK?.data).toEqual([1, 2, 3]);
  });

  test("a wrong count is said inside the element", async () => {
    const page = await visit({ "b-q": "1 2" });
    expect(await texts(page, ".trouble")).toEqual([
      "b-q: “1 2” is not allowed. Give 3 numbers, one for each column of w-q.",
    ]);
  });
});

test("a temperature is taken away and put back", async () => {
  const page = await visit({ temperature: "0.5" }, 1000, 1800);
  await press(page, "[data-act=edit]");
  await pressNamed(page, ".removals", "No temperature");
  expect((await modelOf(page)).options).toEqual({});
  await pressNamed(page, ".removals", "No temperature");
  expect((await modelOf(page)).options).toEqual({ temperature: 0.5 });
});

test.each([1000, 390])("the sums stand beside their rows, %i px wide", async (width) => {
  const page = await visit({ stage: "weights", level: "cell" }, width);
  const tops = (slot: string) =>
    page.evaluate(
      (name) =>
        [
          ...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll(`table.${name} tbody tr`) ?? []),
        ].map((row) => Math.round(row.getBoundingClientRect().top)),
      slot,
    );
  expect(await tops("through")).toEqual(await tops("left"));
});

test("an example may have several heads", async () => {
  const page = await visit({ example: "a-and-b", stage: "projected" });
  expect(await texts(page, ".heads label")).toEqual(["1", "2"]);
  // 2 · e⁴ / (e⁴ + 9) = 1.716973
  expect(await texts(page, "table.result tbody td")).toEqual(["1.7170"]);
  expect(await texts(page, ".code .here")).toEqual(["projected = concat @ W_O"]);
});

describe("what was at the start", () => {
  /** House is 1 7 2 instead of 1 0 2, and la must not look at the full stop. */
  async function changed(width = 1000): Promise<Page> {
    const page = await visit({ stage: "weights", level: "cell" }, width, 1800);
    expect(await texts(page, ".since")).toEqual([]);
    await act(
      page,
      { type: "edit", matrix: "xKv", row: 3, column: 1, value: 7 },
      { type: "mask", area: { rows: [0, 0], columns: [4, 4] }, isOpen: false },
      { type: "jump", stage: "weights", row: 0, column: 4, level: "cell" },
    );
    return page;
  }
  const labels = (page: Page, selector: string) =>
    page.evaluate(
      (query) =>
        [...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll(query) ?? [])].map((cell) => [
          cell.getAttribute("aria-label"),
          cell.getAttribute("title"),
        ]),
      selector,
    );

  /** Drawn, but no text of the cell: what is read aloud has it. */
  const shownBefore = (page: Page) =>
    page.evaluate(() =>
      [...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll("table.result .was") ?? [])].map(
        (mark) => getComputedStyle(mark, "::after").content.replaceAll('"', "").replace(/ \/.*/, ""),
      ),
    );

  test("is marked, told and shown on request, and gone with the difference", async () => {
    const page = await changed();
    // The row of la as far as it is computed: every share has changed.
    expect(await texts(page, "table.result td .mark")).toHaveLength(5);
    expect(await shownBefore(page)).toEqual([]);
    expect(await labels(page, "table.result td.now")).toEqual([
      ["query la, key ., blocked, at the start 0.1130, current", "at the start 0.1130"],
    ]);
    expect((await texts(page, ".work"))[0]).toContain("at the start 0.1130");
    await pressNamed(page, ".since", "Compare");
    expect(await shownBefore(page)).toEqual(["0.6388", "0.0112", "0.0356", "0.2013", "0.1130"]);
    expect(await pressed(page, ".since")).toEqual(["Compare"]);
    await page.waitForFunction(() =>
      document
        .querySelector("loom-attention")
        ?.shadowRoot?.querySelector("[role=status]")
        ?.textContent?.includes("Below"),
    );
    await pressNamed(page, ".since", "Compare");
    expect(await shownBefore(page)).toEqual([]);
    await act(page, { type: "undo" }, { type: "undo" });
    expect(await texts(page, ".since")).toEqual([]);
    expect(await texts(page, ".mark")).toEqual([]);
  });

  test("the button of the next step stays where it is", async () => {
    const page = await changed();
    await pressNamed(page, ".since", "Compare");
    const tops = new Set<number>();
    await act(page, { type: "first" });
    for (let i = 0; i < 182; i += 13) {
      await act(page, { type: "frame", index: i });
      await drawn(page);
      const top = await page.evaluate(() => {
        const root = (document.querySelector("loom-attention") as HTMLElement).shadowRoot as ShadowRoot;
        return (root.querySelector("[data-act=next]") as Element).getBoundingClientRect().top;
      });
      tops.add(Math.round(top));
    }
    expect([...tops]).toHaveLength(1);
  });

  test.each([1000, 320])("A20 axe finds nothing, %i px wide", async (width) => {
    const page = await changed(width);
    await pressNamed(page, ".since", "Compare");
    await press(page, "[data-act=edit]");
    await pressNamed(page, ".extras", "bQ");
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: width === 320 ? "dark" : "light" }]);
    expect(await violationsOf(page, "loom-attention")).toEqual([]);
  });
});
