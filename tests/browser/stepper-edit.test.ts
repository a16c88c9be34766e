// The panel for editing: settings, the mask, steps that are taken away.

import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../support/axe.ts";
import { act, press, type Stepper, texts, useFigurePages, visit } from "../support/figure-page.ts";

useFigurePages();

const stateOf = (page: Page) =>
  page.evaluate(() => {
    const { past, model } = (document.querySelector("loom-attention") as unknown as Stepper).state;
    return { edits: past.length, options: model.options, matrices: model.matrices };
  });

async function visitPanel(attributes: Record<string, string> = {}, width = 1000): Promise<Page> {
  const page = await visit(attributes, width, 1800);
  await press(page, "[data-act=edit]");
  return page;
}

/** Writes into a field and leaves it. */
const write = (page: Page, name: string, value: string) =>
  page.evaluate(
    async (which, text) => {
      const element = document.querySelector("loom-attention") as unknown as Stepper;
      const field = element.shadowRoot.querySelector(`.settings [name=${which}]`) as HTMLInputElement;
      field.value = text;
      field.dispatchEvent(new Event("change", { bubbles: true }));
      await element.updateComplete;
      return field.getAttribute("aria-invalid");
    },
    name,
    value,
  );

/** Waits for the status region to say it: what it says is taken away first, so that it is heard again. */
const said = (page: Page, text: string) =>
  page.waitForFunction(
    (wanted) =>
      document
        .querySelector("loom-attention")
        ?.shadowRoot?.querySelector("[role=status]")
        ?.textContent?.includes(wanted),
    { timeout: 10_000 },
    text,
  );

/** The middle of a pair's button, on the page. */
const middleOf = (page: Page, pair: string) =>
  page.evaluate((which) => {
    const root = (document.querySelector("loom-attention") as HTMLElement).shadowRoot as ShadowRoot;
    const box = (root.querySelector(`[data-pair="${which}"]`) as Element).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  }, pair);

describe("settings", () => {
  test("a soft cap brings its stage, with the number in sentence and work; emptied, it goes", async () => {
    const page = await visitPanel({ level: "cell" });
    await write(page, "softCap", "2");
    expect(await texts(page, ".stop .name")).toContain("capped");
    await act(page, { type: "jump", stage: "capped", row: 1, column: 1, level: "cell" });
    // 2 · tanh(3.4641016 / 2) = 1.8786
    expect(await texts(page, ".band.sentence")).toEqual(["petite and small: 2 · tanh(3.4641 ÷ 2) is 1.8786."]);
    expect((await texts(page, ".work"))[0]).toMatch(/^2 · tanh\(3\.4641 ÷ 2\) ?= ?1\.8786/);
    await write(page, "softCap", "");
    expect(await texts(page, ".stop .name")).not.toContain("capped");
    expect((await stateOf(page)).options).toEqual({});
  });

  test.each([
    ["scale", "one"],
    ["temperature", "-1"],
    ["softCap", "0"],
  ])("%s refuses %s with a sentence, and nothing changes", async (name, text) => {
    const page = await visitPanel();
    expect(await write(page, name, text)).toBe("true");
    await said(page, `“${text}” is not allowed`);
    expect(await stateOf(page)).toMatchObject({ edits: 0, options: {} });
  });

  test("heads are offered where they divide, and undo takes them back", async () => {
    const page = await visitPanel();
    expect(await texts(page, ".settings option")).toEqual(["1", "3"]);
    await write(page, "heads", "3");
    expect((await stateOf(page)).options).toEqual({ heads: 3 });
    await press(page, "[data-act=undo]");
    expect((await stateOf(page)).options).toEqual({});
  });
});

describe("the mask", () => {
  test("a click closes a pair: its weight is 0, and what is said counts it", async () => {
    const page = await visitPanel({ stage: "weights" });
    await press(page, '[data-pair="0,4"]');
    expect((await stateOf(page)).options.allow?.data).toEqual([1, 1, 1, 1, 0, ...new Array(15).fill(1)]);
    await said(page, "1 pair is blocked now.");
    // Worked out with an independent program in double precision.
    const row = await texts(page, "table.result tbody tr:first-child td");
    expect(row).toEqual(["0.7202", "0.0127", "0.0402", "0.2270", "blocked"]);
  });

  test("a drag over an area is one edit; so is opening it again", async () => {
    const page = await visitPanel();
    await page.evaluate(() =>
      document.querySelector("loom-attention")?.shadowRoot?.querySelector(".mask table")?.scrollIntoView({
        block: "center",
        behavior: "instant",
      }),
    );
    const from = await middleOf(page, "1,1");
    const to = await middleOf(page, "3,2");
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 6 });
    await page.mouse.up();
    const closed = (await stateOf(page)).options.allow?.data ?? [];
    expect(closed.flatMap((open, i) => (open === 0 ? [i] : []))).toEqual([6, 7, 11, 12, 16, 17]);
    expect((await stateOf(page)).edits).toBe(1);
    await press(page, "[data-act=undo]");
    expect((await stateOf(page)).options).toEqual({});
  });

  test("by keyboard: one tab stop, arrows, and Space", async () => {
    const page = await visitPanel();
    await page.evaluate(() => {
      const root = (document.querySelector("loom-attention") as HTMLElement).shadowRoot as ShadowRoot;
      root.querySelector<HTMLElement>('[data-pair][tabindex="0"]')?.focus();
    });
    for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "Space"] as const) await page.keyboard.press(key);
    const data = (await stateOf(page)).options.allow?.data ?? [];
    expect(data.indexOf(0)).toBe(7);
    expect(data.filter((open) => open === 0)).toHaveLength(1);
    const stops = await page.evaluate(() => {
      const root = (document.querySelector("loom-attention") as HTMLElement).shadowRoot as ShadowRoot;
      const focused = root.activeElement as HTMLElement;
      return [focused.dataset.pair, root.querySelectorAll('[data-pair][tabindex="0"]').length];
    });
    expect(stops).toEqual(["1,2", 1]);
  });

  test("a causal rule shows as closed pairs, and editing one keeps the others", async () => {
    const page = await visitPanel({ q: "1 0; 0 1", k: "1 0; 0 1", v: "1 0; 0 1", causal: "" });
    const open = () =>
      page.evaluate(() => {
        const root = (document.querySelector("loom-attention") as HTMLElement).shadowRoot as ShadowRoot;
        return [...root.querySelectorAll("[data-pair]")].map((box) => box.getAttribute("aria-checked"));
      });
    expect(await open()).toEqual(["true", "false", "true", "true"]);
    await press(page, '[data-pair="1,0"]');
    expect(await open()).toEqual(["true", "false", "false", "true"]);
    expect((await stateOf(page)).options).toEqual({ allow: { rows: 2, columns: 2, data: [1, 0, 0, 1] } });
  });
});

test("an example is chosen by name; undo brings back the numbers before", async () => {
  const page = await visitPanel({ stage: "weights" });
  await page.evaluate(async () => {
    const element = document.querySelector("loom-attention") as unknown as Stepper;
    const choice = element.shadowRoot.querySelector(".choice select") as HTMLSelectElement;
    choice.value = "bank";
    choice.dispatchEvent(new Event("change", { bubbles: true }));
    await element.updateComplete;
  });
  // Worked out with an independent program: scores 0 0 0 0 8 8.
  const row = await texts(page, "table.result tbody tr:last-child td");
  expect(row).toEqual(["0.0017", "0.0017", "0.0017", "0.0017", "0.4965", "0.4965"]);
  await press(page, "[data-act=undo]");
  expect((await texts(page, "table.result tbody tr:last-child td"))[2]).toBe("0.5137");
});

describe("a step taken away", () => {
  const names = [
    "No division by √d",
    "One matrix for Q and K",
    "No shift before eˣ",
    "Softmax along columns",
    "No softmax",
  ];

  test("is switched off and on again, with what comes of it", async () => {
    const page = await visitPanel({ stage: "weights" });
    expect(await texts(page, ".removals button")).toEqual(names);
    await press(page, ".removals button:nth-of-type(1)");
    expect((await texts(page, "table.result tbody tr:nth-child(2) td"))[1]).toBe("0.9799");
    expect(await texts(page, ".consequence")).toHaveLength(1);
    await press(page, ".removals button:nth-of-type(1)");
    expect((await texts(page, "table.result tbody tr:nth-child(2) td"))[1]).toBe("0.8739");
    await press(page, ".removals button:nth-of-type(2)");
    const shared = (await stateOf(page)).matrices;
    expect(shared.wK).toEqual(shared.wQ);
    await press(page, ".removals button:nth-of-type(2)");
    expect((await stateOf(page)).matrices.wK?.data).toEqual([-1, 0, 1, 0, -1, 0, 1, 1, 0]);
  });

  test("softmax: its shift, its axis, and all of it", async () => {
    const page = await visitPanel({ stage: "weights", scale: "30" });
    const row = async () => (await texts(page, "table.result tbody tr:nth-child(2) td")).slice(0, 3);
    // Scores of petite: −2, 6, 2, −1, −1, times 30.
    expect(await row()).toEqual(["0", "1", "0"]);
    await press(page, ".removals button:nth-of-type(3)");
    expect(await texts(page, ".stop .name")).not.toContain("rowmax");
    expect((await row())[1]).toBe("NaN");
    expect(await texts(page, "[data-act=checks]")).toEqual(["check failed"]);
    await press(page, ".removals button:nth-of-type(3)");
    await press(page, ".removals button:nth-of-type(4)");
    expect(await texts(page, ".stop .name")).toContain("colsum");
    expect((await texts(page, "table.result tbody tr td:nth-child(3)")).slice(0, 3)).toEqual(["0.0", "1.0", "0.0"]);
    await press(page, ".removals button:nth-of-type(5)");
    expect(await row()).toEqual(["−60", "180", "60"]);
    expect(await texts(page, ".consequence")).toHaveLength(1);
    await press(page, ".removals button:nth-of-type(4)");
    expect(await texts(page, ".stop .name")).toContain("colsum");
    await press(page, ".removals button:nth-of-type(4)");
    expect(await texts(page, ".stop .name")).toContain("rowsum");
  });

  test("W_O is a stage of its own, and can be taken away and put back", async () => {
    const page = await visitPanel({ "w-o": "1 0; 0 2; 1 1", level: "term" });
    await act(page, { type: "jump", stage: "projected", row: 0, column: 1, level: "term", term: 2 });
    // Output of la in double precision: 0.828912, 1.033353, 1.314020; 2 · 1.033353 + 1.314020 = 3.380726.
    expect((await texts(page, ".work .total"))[0]).toBe("3.3807");
    expect((await texts(page, ".code .here"))[0]).toBe("projected = output @ W_O");
    await press(page, ".removals button:nth-of-type(6)");
    expect(await texts(page, ".stop .name")).not.toContain("projected");
    await press(page, ".removals button:nth-of-type(6)");
    expect(await texts(page, ".stop .name")).toContain("projected");
  });
});

test.each([1000, 320])("A20 axe finds nothing on the open panel, %i px wide", async (width) => {
  const page = await visitPanel({ "w-o": "1 0; 0 2; 1 1" }, width);
  await press(page, '[data-pair="0,4"]');
  await press(page, ".removals button:nth-of-type(1)");
  expect(await violationsOf(page, "loom-attention")).toEqual([]);
});
