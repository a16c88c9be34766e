// The state in a link: given, followed, written to the address, copied.

import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { act, press, type Stepper, texts, useFigurePages, visit } from "../support/figure-page.ts";

useFigurePages();

const hashOf = (page: Page) => page.evaluate(() => location.hash);
const cursorOf = (page: Page) =>
  page.evaluate(() => (document.querySelector("loom-attention") as unknown as Stepper).state.cursor);

test("a link given to the element is where it begins, and undo and reset go on from there", async () => {
  const page = await visit({ "state-link": "1~cell.capped.0.1.1~e=house-4x5~softCap=2" });
  expect(await texts(page, ".band.sentence")).toEqual(["petite and small: 2 · tanh(3.4641 ÷ 2) is 1.8786."]);
  await act(page, { type: "reset" });
  expect(await texts(page, ".stop .name")).not.toContain("capped");
});

test("a link that cannot be read is told in a sentence, and the figure begins as usual", async () => {
  for (const [link, reason] of [
    ["1~cell.weights~e=house-4x5~wQ=2x2:1,2,3", "wQ: 3 numbers where 4 numbers for 2 by 2 was expected"],
    ["1~cell.weights~e=house-4x5~wQ=1x2:1,2", "wQ"],
    ["2~x", "version: 2"],
    ["<img src=x onerror=alert(1)>", "version"],
  ] as const) {
    const page = await visit({ "state-link": link });
    const [notice] = await texts(page, ".notice");
    expect(notice).toContain("The link could not be read");
    expect(notice).toContain(reason);
    expect(await texts(page, ".stop")).toHaveLength(11);
  }
});

test("the address follows the reader and is followed; parts of others stay", async () => {
  const page = await visit({ hash: "fig" });
  await page.evaluate(() => history.replaceState(null, "", "#other=1~stage.keys&fig=x"));
  await act(page, { type: "jump", stage: "weights", row: 2, column: 3, level: "cell" });
  await page.waitForFunction(() => location.hash.includes("weights"));
  expect(await hashOf(page)).toBe("#other=1~stage.keys&fig=1~cell.weights.0.2.3~e=house-4x5");
  await page.evaluate(() => {
    location.hash = "#fig=1~row.scores.0.1~e=house-4x5";
  });
  await page.waitForFunction(
    () => (document.querySelector("loom-attention") as unknown as Stepper).state.cursor.stage === "scores",
  );
  expect(await cursorOf(page)).toMatchObject({ level: "row", stage: "scores", row: 1 });
  await press(page, "[data-act=link]");
  await page.waitForFunction(() =>
    /^The link to this state is in the (clipboard|address bar)/.test(
      document.querySelector("loom-attention")?.shadowRoot?.querySelector("[role=status]")?.textContent ?? "",
    ),
  );
});

test("without a name the address is left alone, and there is no button for it", async () => {
  const page = await visit();
  // What would be done later is done at once.
  await page.evaluate(() => {
    window.setTimeout = ((work: () => void) => {
      work();
      return 0;
    }) as unknown as typeof setTimeout;
  });
  await act(page, { type: "next" });
  expect(await hashOf(page)).toBe("");
  expect(await texts(page, "[data-act=link]")).toEqual([]);
});
