// One <loom-attention>, as it ships, alone on a page under the strict policy, in Chromium.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { serve } from "../../tools/serve.mjs";
import type { Model } from "../../web/elements/state/index.ts";
import { type BrowserOptions, launchChromium } from "./chromium.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const pages = fileURLToPath(new URL("../browser/pages/", import.meta.url));

/** The element as the page sees it. An action may be one that no type allows. */
export type Stepper = HTMLElement & {
  act(action: object): boolean;
  updateComplete: Promise<boolean>;
  shadowRoot: ShadowRoot;
  state: { past: object[]; model: Model; cursor: { stage: string } };
};

let browser: Browser | undefined;
let served: Awaited<ReturnType<typeof serve>> | undefined;
let open: Page[] = [];

/** For the top of a test file: a server and a browser for its tests, gone when they are done. */
export function useFigurePages(options: BrowserOptions = {}): void {
  const made = mkdtempSync(join(tmpdir(), "loom-figure-"));
  beforeAll(async () => {
    if (!existsSync(join(dist, "element.js"))) throw new Error("dist/element.js is missing: run npm run build");
    const www = join(made, "www");
    mkdirSync(www);
    cpSync(dist, www, { recursive: true });
    for (const file of ["stepper.html", "stepper.css", "watch.js"]) cpSync(join(pages, file), join(www, file));
    served = await serve(www, { port: 0 });
    browser = await launchChromium(join(made, "profile"), options);
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
}

/** A page without an element on it. */
export async function emptyPage(prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Page> {
  if (!browser || !served) throw new Error("useFigurePages() has to stand at the top of the file.");
  const page = await browser.newPage();
  open.push(page);
  await page.setViewport({ width: 1000, height: 900 });
  await prepare(page);
  await page.goto(new URL("stepper.html", served.address).href);
  return page;
}

/** A page with the element drawn, or refused. */
export async function visit(attributes: Record<string, string> = {}, width = 1000, height = 900): Promise<Page> {
  const page = await emptyPage();
  await page.setViewport({ width, height });
  await page.evaluate((list) => {
    const element = document.createElement("loom-attention");
    for (const [name, value] of Object.entries(list)) element.setAttribute(name, value);
    document.querySelector("main")?.append(element);
  }, attributes);
  await page.waitForFunction(() =>
    document.querySelector("loom-attention")?.shadowRoot?.querySelector(".widget, .trouble"),
  );
  await drawn(page);
  return page;
}

/** Two frames later. */
export const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Does actions one after another, and says which of them were done. */
export const act = (page: Page, ...actions: object[]) =>
  page.evaluate(async (list) => {
    const element = document.querySelector("loom-attention") as unknown as Stepper;
    const done = [];
    for (const action of list) {
      done.push(element.act(action));
      await element.updateComplete;
    }
    return done;
  }, actions);

/** Clicks on something inside. */
export const press = (page: Page, selector: string) =>
  page.evaluate(async (query) => {
    const element = document.querySelector("loom-attention") as unknown as Stepper;
    element.shadowRoot.querySelector<HTMLElement>(query)?.click();
    await element.updateComplete;
  }, selector);

/** Text of everything in the figure that matches. */
export const texts = (page: Page, selector: string) =>
  page.evaluate(
    (query) =>
      [...(document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll(query) ?? [])].map(
        (e) => e.textContent?.replace(/\s+/g, " ").trim() ?? "",
      ),
    selector,
  );
