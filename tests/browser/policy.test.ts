// <loom-attention> as it ships, under content policies of its host, in Chromium.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentSecurityPolicy, serve } from "../../tools/serve.mjs";
import { launchChromium } from "../support/chromium.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const pages = fileURLToPath(new URL("pages/", import.meta.url));
const made = mkdtempSync(join(tmpdir(), "loom-policy-"));
const www = join(made, "www");
let browser: Browser;

beforeAll(async () => {
  if (!existsSync(join(dist, "element.js"))) throw new Error("dist/element.js is missing: run npm run build");
  mkdirSync(www);
  cpSync(dist, www, { recursive: true });
  for (const file of ["stepper.html", "stepper.css", "watch.js"]) cpSync(join(pages, file), join(www, file));
  browser = await launchChromium(join(made, "profile"));
});

afterAll(async () => {
  await browser?.close();
  rmSync(made, { recursive: true, force: true });
});

/** Violations of the policy and errors of scripts so far. */
const faultsOf = (page: Page) => page.evaluate(() => (window as unknown as { faults: string[] }).faults);

/** Runs `look` on a page with one element that stands in the middle of the scores, under a policy or none. */
async function under<T>(policy: string | null, look: (page: Page) => Promise<T>): Promise<T> {
  const { address, close } = await serve(www, { port: 0, policy });
  const page = await browser.newPage();
  try {
    await page.setViewport({ width: 1000, height: 900 });
    const response = await page.goto(`${address}stepper.html`);
    expect(response?.headers()["content-security-policy"]).toBe(policy ?? undefined);
    await page.evaluate(() => {
      const element = document.createElement("loom-attention");
      element.setAttribute("stage", "scores");
      element.setAttribute("level", "cell");
      document.querySelector("main")?.append(element);
    });
    await page.waitForFunction(() => document.querySelector("loom-attention")?.shadowRoot?.querySelector("td.now"));
    await page.evaluate(() => document.fonts.ready);
    return await look(page);
  } finally {
    await page.close();
    await close();
  }
}

/** Colour, size and font of a plain cell, the current cell, a push button and the sentence. */
const looks = (page: Page) =>
  page.evaluate(() => {
    const properties = ["color", "background-color", "border-top-color", "font-size", "font-family", "font-weight"];
    properties.push("width", "height", "border-top-left-radius", "display");
    const root = document.querySelector("loom-attention")?.shadowRoot;
    const parts = ["table.left tbody td", "td.now", "button.push.primary", "button.push.square", "p.sentence"];
    return parts.map((part) => {
      const computed = getComputedStyle(root?.querySelector(part) as Element);
      return [part, ...properties.map((name) => `${name}: ${computed.getPropertyValue(name)}`)];
    });
  });

describe("styles", () => {
  test.each([
    ["style-src 'self'", "style-src 'self'"],
    ["the strict policy", contentSecurityPolicy],
  ])(
    "K32 colour, size and font of cells and buttons are the same under %s as without, no violation",
    async (_, policy) => {
      const free = await under(null, looks);
      const held = await under(policy, async (page) => {
        const seen = await looks(page);
        expect(await faultsOf(page)).toEqual([]);
        return seen;
      });
      expect(held).toEqual(free);
      // It is the figure's own style that was compared, not the browser's for a bare table.
      const [plain, now] = free;
      expect(plain?.join()).toMatch(/font-family: .*Inter/);
      expect(now?.slice(1)).not.toEqual(plain?.slice(1));
    },
  );

  test("K32 under style-src 'self' a style attribute in markup would be a violation", async () => {
    const faults = await under("style-src 'self'", async (page) => {
      await page.evaluate(() => {
        document.body.insertAdjacentHTML("beforeend", '<p style="color: red">red</p>');
        return new Promise((resolve) => requestAnimationFrame(resolve));
      });
      return faultsOf(page);
    });
    expect(faults).toEqual(["style-src-attr inline"]);
  });
});

describe("code", () => {
  const policy = "script-src 'self' 'wasm-unsafe-eval'";

  test("K31 under script-src 'self' 'wasm-unsafe-eval' the figure computes and steps, no violation", async () => {
    await under(policy, async (page) => {
      const shown = await page.evaluate(async () => {
        const element = document.querySelector("loom-attention") as HTMLElement & {
          act(action: object): boolean;
          updateComplete: Promise<boolean>;
        };
        element.act({ type: "jump", stage: "weights" });
        await element.updateComplete;
        const cells = [...(element.shadowRoot?.querySelectorAll("table.result tbody td") ?? [])];
        return cells.slice(0, 5).map((cell) => cell.textContent?.trim());
      });
      expect(shown[0]).toBe("0.6388");
      expect(await faultsOf(page)).toEqual([]);
    });
  });

  test("K31 the figure calls neither eval nor Function, also where it may", async () => {
    const { address, close } = await serve(www, { port: 0, policy: null });
    const page = await browser.newPage();
    try {
      await page.evaluateOnNewDocument(() => {
        const made: string[] = [];
        const watched = (name: string, real: object) =>
          new Proxy(real as (...words: string[]) => unknown, {
            apply: (target, self, words) => {
              made.push(name);
              return Reflect.apply(target, self, words);
            },
            construct: (target, words) => {
              made.push(name);
              return Reflect.construct(target, words);
            },
          });
        Object.assign(window, {
          made,
          eval: watched("eval", Reflect.get(window, "eval")),
          Function: watched("Function", Function),
        });
      });
      await page.goto(`${address}stepper.html`);
      // The tool's own way of waiting for a condition makes a function from a string.
      await page.evaluate(() => {
        const ready = new Promise((resolve) => addEventListener("loom-ready", resolve));
        document.querySelector("main")?.append(document.createElement("loom-attention"));
        return ready;
      });
      const uses = () => page.evaluate(() => (window as unknown as { made: string[] }).made);
      expect(await uses()).toEqual([]);
      await page.evaluate(() => Reflect.get(window, "eval")("new Function('return 1')()"));
      expect(await uses()).toEqual(["eval", "Function"]);
    } finally {
      await page.close();
      await close();
    }
  });
});
