// A reader who does anything: random keys and clicks, then back to the start. Nothing fails on the way, nothing is lost.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { type Random, random } from "../node/support/random.ts";
import { cases } from "../node/support/size.ts";
import { drawn, press, type Stepper, texts, useFigurePages, visit } from "../support/figure-page.ts";

useFigurePages();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SEED = Number(process.env.LOOM_SEED ?? 20266);
const INPUTS = 100;

const KEYS = [
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"],
  ...["Enter", "Space", "Tab", "Escape", "Backspace", "Delete", "-", "7", ".", "x"],
] as const;

/** The middle of something that can be clicked, in view; nothing where the one drawn is covered or away. */
const clickable = (page: Page, at: number) =>
  page.evaluate((share) => {
    const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
    const all = [...root.querySelectorAll<HTMLElement>("button,input,select,td[data-place],label,summary,a")];
    const open = all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0);
    const one = open[Math.floor(share * open.length)];
    if (!one) return undefined;
    one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = root.elementFromPoint(x, y);
    return hit && (one.contains(hit) || hit.contains(one)) ? { x, y, what: one.outerHTML.slice(0, 120) } : undefined;
  }, at);

/** One input, and what it was. */
async function input(page: Page, r: Random): Promise<string> {
  if (r.chance(0.5)) {
    const key = r.pick(KEYS);
    const isShifted = r.chance(0.1);
    if (isShifted) await page.keyboard.down("Shift");
    await page.keyboard.press(key);
    if (isShifted) await page.keyboard.up("Shift");
    return `${isShifted ? "Shift+" : ""}${key}`;
  }
  const target = await clickable(page, r.uniform());
  if (!target) return "nothing to click";
  await page.mouse.click(target.x, target.y, { count: r.chance(0.1) ? 2 : 1 });
  return `click ${target.what}`;
}

const faultsOf = (page: Page) =>
  page.evaluate(() => {
    const { faults, told } = window as unknown as { faults: string[]; told: { name: string; detail: object }[] };
    return [...faults, ...told.filter(({ name }) => name === "loom-error").map((one) => JSON.stringify(one.detail))];
  });

const isOff = (page: Page, button: string) =>
  page.evaluate((query) => {
    const root = document.querySelector("loom-attention")?.shadowRoot;
    return root?.querySelector(query)?.getAttribute("aria-disabled") === "true";
  }, button);

/** Presses a button until it is off. */
async function pressOut(page: Page, button: string): Promise<void> {
  for (let i = 0; i < 1000 && !(await isOff(page, button)); i++) await press(page, button);
  expect(await isOff(page, button), button).toBe(true);
}

/** What the figure shows, in words and numbers. */
const shown = async (page: Page) => ({
  cells: await texts(page, ".scroll td"),
  labels: await texts(page, ".scroll th"),
  sentence: await texts(page, ".band.sentence"),
});

/** By the reader's own means: play stopped, every edit undone, stage by stage to the first. */
async function backToStart(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  if (!(await texts(page, ".edits")).length) await press(page, "[data-act=edit]");
  await pressOut(page, "[data-act=undo]");
  await press(page, "[data-act=edit]");
  await press(page, ".levels input[value=stage]");
  await pressOut(page, "[data-act=back]");
  await drawn(page);
}

test.each(Array.from({ length: cases(2, 20) }, (_, i) => [SEED + i, i % 2 === 0 ? 1000 : 390] as const))(
  `${INPUTS} keys and clicks of seed %i, %i px wide, and back to the start`,
  async (seed, width) => {
    const r = random(seed);
    const page = await visit({ hash: "figure" }, width);
    page.on("pageerror", (error) => done.push(`pageerror: ${String(error)}`));
    const done: string[] = [];
    const first = await shown(page);
    await press(page, "[data-act=edit]");
    for (let i = 0; i < INPUTS; i++) {
      done.push(await input(page, r));
      const faults = await faultsOf(page);
      if (faults.length > 0) throw new Error(`seed ${seed}, input ${i}: ${faults.join("; ")}\n${done.join("\n")}`);
      expect(await texts(page, ".trouble"), done.join("\n")).toEqual([]);
    }
    const before = await page.evaluate(() => {
      const { past, cursor } = (document.querySelector("loom-attention") as unknown as Stepper).state;
      return { edits: past.length, cursor };
    });
    console.log(`seed ${seed}: ${before.edits} edits to undo, from ${JSON.stringify(before.cursor)}`);
    await page.evaluate(axe);
    const violations = () =>
      page.evaluate(async () => {
        const { axe: run } = window as unknown as {
          axe: { run(what: Element): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        const found = await run.run(document.querySelector("loom-attention") as Element);
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      });
    expect(await violations()).toEqual([]);
    await backToStart(page);
    expect(await shown(page)).toEqual(first);
    expect(await violations()).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
    expect(done.filter((line) => line.startsWith("pageerror"))).toEqual([]);
  },
);
