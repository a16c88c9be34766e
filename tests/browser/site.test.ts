// The built site in Chromium, under the strict policy, as a reader meets it.

import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve } from "../../tools/serve.mjs";
import { violationsOf } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import type { Stepper } from "../support/figure-page.ts";

const siteFolder = fileURLToPath(new URL("../../build/site/", import.meta.url));
const lesson = "en/05-two-products/";
const require = createRequire(import.meta.url);
const { PNG } = require("pngjs") as { PNG: { sync: { read(png: Buffer): { data: Uint8Array } } } };

const made = mkdtempSync(join(tmpdir(), "loom-site-"));
let browser: Browser;
let served: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  if (!existsSync(join(siteFolder, "index.html"))) throw new Error("build/site is missing: run npm run site");
  // In a sub-folder, as on a host that gives each project one.
  cpSync(siteFolder, join(made, "www/a/b"), { recursive: true });
  served = await serve(join(made, "www"), { port: 0 });
  browser = await launchChromium(join(made, "profile"));
});

afterAll(async () => {
  await browser?.close();
  await served?.close();
  rmSync(made, { recursive: true, force: true });
});

interface Visit {
  readonly page: Page;
  /** Violations of the policy, errors of scripts, failed requests, requests to other hosts. */
  readonly faults: string[];
}

interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
  readonly scripts?: boolean;
  readonly slow?: boolean;
}

declare global {
  interface Window {
    violations: string[];
    shifts: number;
  }
}

async function visit(path: string, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1280, height = 860, scheme = "light", scripts = true, slow = false } = options;
  const page = await browser.newPage();
  const faults: string[] = [];
  const origin = new URL(served.address).origin;
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warn") faults.push(message.text());
  });
  page.on("requestfailed", (request) => faults.push(`failed: ${request.url()}`));
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== origin) faults.push(`other host: ${request.url()}`);
  });
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setJavaScriptEnabled(scripts);
  if (slow) {
    await page.emulateNetworkConditions({ download: 1_600_000 / 8, upload: 750_000 / 8, latency: 150 });
  }
  await page.evaluateOnNewDocument(() => {
    window.violations = [];
    window.shifts = 0;
    document.addEventListener("securitypolicyviolation", (event) => {
      window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
    });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) window.shifts += entry.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${served.address}a/b/${path}`, { waitUntil: "networkidle0" });
  await page.evaluate(() => document.fonts.ready);
  if (scripts && path !== "") {
    await page.waitForFunction(() => document.querySelector("loom-attention")?.shadowRoot?.querySelector("td") != null);
  }
  return { page, faults };
}

describe("policy and hosts", () => {
  test.each(["", lesson])(
    "R16 K64 /%s in a sub-folder: no violation, no error, no other host, nothing missing",
    async (path) => {
      const { page, faults } = await visit(path);
      expect(await page.evaluate(() => window.violations)).toEqual([]);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  test("nothing is stored until the reader chooses, and the choice holds on the next page", async () => {
    const { page } = await visit(lesson);
    const stored = () => page.evaluate(() => localStorage.length + document.cookie.length);
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    expect(await stored()).toBe(0);
    await page.click('input[name="theme"][value="dark"]');
    expect(await ground()).not.toBe(light);
    expect(await stored()).toBe(1);
    await page.goto(`${served.address}a/b/`, { waitUntil: "networkidle0" });
    expect(await ground()).not.toBe(light);
    expect(await page.$eval('input[name="theme"][value="dark"]', (input) => (input as HTMLInputElement).checked)).toBe(
      true,
    );
    await page.click('input[name="theme"][value="auto"]');
    expect(await ground()).toBe(light);
    expect(await stored()).toBe(0);
    await page.close();
  });
});

describe("layout", () => {
  test.each([
    { width: 1280, slow: false },
    { width: 390, slow: false },
    { width: 1280, slow: true },
    { width: 390, slow: true },
  ])("E3 the lesson shifts by at most 0.02: %o", async ({ width, slow }) => {
    const { page } = await visit(lesson, { width, slow });
    const shifts = await page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.shifts))),
        ),
    );
    expect(shifts).toBeLessThanOrEqual(0.02);
    await page.close();
  });

  test.each([
    ["", 320],
    ["", 390],
    [lesson, 320],
    [lesson, 390],
    [lesson, 768],
    [lesson, 1100],
    [lesson, 1280],
  ])("/%s does not scroll sideways at %i px", async (path, width) => {
    const { page } = await visit(path, { width, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.close();
  });
});

describe("without JavaScript", () => {
  test("R15 text, formulas, picture and sentence are there, and no box is empty", async () => {
    const { page, faults } = await visit(lesson, { scripts: false });
    const seen = await page.evaluate(() => {
      const size = (element: Element) => {
        const { width, height } = element.getBoundingClientRect();
        return Math.min(width, height);
      };
      const figure = document.querySelector("loom-attention");
      return {
        formulas: [...document.querySelectorAll("article .prose > .display-math math")].map(size),
        cells: [...(figure?.querySelectorAll("td") ?? [])].map(size),
        words: (figure?.textContent ?? "").trim().length,
        upgraded: Boolean(figure?.shadowRoot),
        switchShown: size(document.querySelector(".theme") as Element),
      };
    });
    expect(seen.upgraded).toBe(false);
    expect(seen.formulas.length).toBeGreaterThanOrEqual(6);
    expect(Math.min(...seen.formulas)).toBeGreaterThan(10);
    expect(seen.cells.length).toBeGreaterThanOrEqual(20);
    expect(Math.min(...seen.cells)).toBeGreaterThan(10);
    expect(seen.words).toBeGreaterThan(100);
    expect(seen.switchShown).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  test("E2 once the element lives, what stood in it is not shown a second time", async () => {
    const { page } = await visit(lesson);
    const doubled = await page.evaluate(() =>
      [...(document.querySelector("loom-attention")?.children ?? [])].some(
        (child) => child.getClientRects().length > 0,
      ),
    );
    expect(doubled).toBe(false);
    await page.close();
  });
});

describe("formulas", () => {
  test("the root sign is drawn and the parentheses grow", async () => {
    const { page } = await visit(lesson);
    const places = await page.evaluate(() => {
      const math = [...document.querySelectorAll(".display-math math")].find(
        (m) => m.querySelector("msqrt") && m.querySelector("mo[fence]"),
      );
      math?.scrollIntoView({ block: "center" });
      const box = (element: Element | null | undefined) => {
        const { x, y, width, height } = (element as Element).getBoundingClientRect();
        return { x, y, width, height };
      };
      return {
        font: document.fonts.check('20px "Loom Math"'),
        root: box(math?.querySelector("msqrt")),
        inRoot: box(math?.querySelector("msqrt > *")),
        fraction: box(math?.querySelector("mfrac")),
        fence: box([...(math?.querySelectorAll('mo[fence][stretchy="true"]') ?? [])].at(0)),
      };
    });
    expect(places.font).toBe(true);
    expect(places.fence.height).toBeGreaterThan(0.9 * places.fraction.height);
    const ink = async ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => {
      const shot = await page.screenshot({ clip: { x, y, width, height } });
      const { data } = PNG.sync.read(Buffer.from(shot));
      let dark = 0;
      for (let at = 0; at < data.length; at += 4) if ((data[at] as number) < 128) dark++;
      return dark;
    };
    const { root, inRoot, fence } = places;
    expect(inRoot.x - root.x).toBeGreaterThan(4);
    expect(await ink({ ...root, width: inRoot.x - root.x })).toBeGreaterThan(10);
    expect(await ink(fence)).toBeGreaterThan(30);
    await page.close();
  });
});

describe("accessibility", () => {
  test.each([
    ["", "light"],
    ["", "dark"],
    [lesson, "light"],
    [lesson, "dark"],
  ] as const)("A20 axe finds nothing on /%s in %s colours", async (path, scheme) => {
    const { page } = await visit(path, { scheme });
    expect(await violationsOf(page)).toEqual([]);
    // With the panel for editing and an answer open, the headings still follow one another.
    const opened = await page.evaluate(async () => {
      const element = document.querySelector("loom-attention") as Stepper | null;
      if (!element) return false;
      await customElements.whenDefined("loom-attention");
      for (const button of ["edit", "ask"]) {
        element.shadowRoot.querySelector<HTMLElement>(`[data-act=${button}]`)?.click();
        await element.updateComplete;
      }
      return element.shadowRoot.querySelector(".edits .heading") !== null;
    });
    expect(opened).toBe(path === lesson);
    if (opened) expect(await violationsOf(page)).toEqual([]);
    await page.close();
  });
});

test("the first view of the lesson is under 250 kB, wasm and fonts included", async () => {
  const page = await browser.newPage();
  const session = await page.createCDPSession();
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.setExtraHTTPHeaders", { headers: { "Accept-Encoding": "gzip" } });
  await page.goto(`${served.address}a/b/${lesson}`, { waitUntil: "networkidle0" });
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(250_000);
  await page.close();
});
