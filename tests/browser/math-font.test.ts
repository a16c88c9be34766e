// The font of the formulas: in pages that have none the element brings its own; the site's own is used where there is one.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentSecurityPolicy, serve } from "../../tools/serve.mjs";
import { launchChromium } from "../support/chromium.ts";

const folder = (path: string) => fileURLToPath(new URL(`../../${path}/`, import.meta.url));
const { PNG } = createRequire(import.meta.url)("pngjs") as {
  PNG: { sync: { read(png: Buffer): { data: Uint8Array; width: number; height: number } } };
};
const made = mkdtempSync(join(tmpdir(), "loom-math-"));
const www = join(made, "www");
let browser: Browser;

/** A host that allows no font at all. */
const noFonts = contentSecurityPolicy.replace("font-src 'self'", "font-src 'none'");

beforeAll(async () => {
  if (!existsSync(join(folder("dist"), "element.js"))) throw new Error("dist/element.js is missing: run npm run build");
  mkdirSync(www);
  cpSync(folder("dist"), www, { recursive: true });
  cpSync(join(folder("tests/browser/pages"), "watch.js"), join(www, "watch.js"));
  // Without ours a font that has no MATH table, though this machine may have others with one.
  writeFileSync(
    join(www, "bare.css"),
    `loom-attention { --loom-math: "Loom Math", "Liberation Serif", "DejaVu Sans Mono", monospace }`,
  );
  writeFileSync(
    join(www, "bare.html"),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bare</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="bare.css"><script src="watch.js"></script>
<script type="module" src="element.js"></script></head>
<body><loom-attention stage="scaled" theme="light"></loom-attention><loom-attention stage="output"></loom-attention></body></html>`,
  );
  browser = await launchChromium(join(made, "profile"));
});

afterAll(async () => {
  await browser?.close();
  rmSync(made, { recursive: true, force: true });
});

interface Requested {
  readonly kind: string;
  readonly url: URL;
}

/** Opens a page; `without` keeps the file with the font from it. */
async function open(address: string, without = false): Promise<{ page: Page; requests: Requested[] }> {
  const page = await browser.newPage();
  const requests: Requested[] = [];
  // High enough for both figures: places in the window are places on the page.
  await page.setViewport({ width: 1000, height: 3000, deviceScaleFactor: 2 });
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const url = new URL(request.url());
    requests.push({ kind: request.resourceType(), url });
    if (without && url.pathname.endsWith("/math-font.js")) request.abort();
    else request.continue();
  });
  await page.goto(address, { waitUntil: "networkidle0" });
  await page.waitForFunction(() =>
    [...document.querySelectorAll("loom-attention")].every((element) => element.shadowRoot?.querySelector("math")),
  );
  return { page, requests };
}

/** How many faces of the family the page has. */
const faces = (page: Page) =>
  page.evaluate(() => [...document.fonts].filter(({ family }) => family.includes("Loom Math")).length);

/** Rows of pixels with ink in the part of the page, as a share of its height, and the count of dark pixels. */
async function ink(page: Page, clip: { x: number; y: number; width: number; height: number }) {
  const { data, width, height } = PNG.sync.read(Buffer.from(await page.screenshot({ clip })));
  let pixels = 0;
  let rows = 0;
  for (let y = 0; y < height; y++) {
    let dark = 0;
    for (let x = 0; x < width; x++) if ((data[4 * (y * width + x)] as number) < 128) dark++;
    pixels += dark;
    if (dark > 0) rows++;
  }
  return { pixels, rows: rows / height };
}

/** What is drawn for the root sign and the first growing parenthesis of the first figure's formula. */
async function measure(page: Page) {
  const { root, fence } = await page.evaluate(() => {
    const math = document.querySelector("loom-attention")?.shadowRoot?.querySelector("math.whole") as Element;
    const box = (element: Element | null) => (element as Element).getBoundingClientRect();
    const sign = box(math.querySelector("msqrt"));
    const inside = box(math.querySelector("msqrt > *"));
    const fraction = box(math.querySelector("mfrac"));
    const paren = box((math.querySelector("mfrac") as Element).previousElementSibling);
    return {
      root: { x: sign.x, y: sign.y, width: Math.max(1, inside.x - sign.x), height: sign.height },
      fence: { x: paren.x, y: fraction.y, width: paren.width, height: fraction.height },
    };
  });
  return { root: await ink(page, root), fence: await ink(page, fence) };
}

test("on a bare page that allows no fonts the root sign is drawn and parentheses grow; no request for a font", async () => {
  const { address, close } = await serve(www, { port: 0, policy: noFonts });
  try {
    const bare = await open(`${address}bare.html`, true);
    expect(await faces(bare.page)).toBe(0);
    const without = await measure(bare.page);
    const { page, requests } = await open(`${address}bare.html`);
    await page.waitForFunction(() => document.fonts.check('20px "Loom Math"') && document.fonts.size > 0);
    const drawn = await measure(page);
    // Measured: parenthesis 0.34 of the fraction's height without the font, 1 with it; root sign 0.65 and 0.87 of its box.
    expect(without.fence.rows).toBeLessThan(0.6);
    expect(drawn.fence.rows).toBeGreaterThan(0.95);
    expect(drawn.root.rows).toBeGreaterThan(0.8);
    expect(drawn.root.pixels).toBeGreaterThan(1.5 * without.root.pixels);
    // Two elements, one face.
    expect(await faces(page)).toBe(1);
    expect(await page.evaluate(() => (window as unknown as { faults: string[] }).faults)).toEqual([]);
    expect(requests.filter(({ kind }) => kind === "font")).toEqual([]);
    expect(new Set(requests.filter(({ url }) => url.protocol !== "data:").map(({ url }) => url.origin))).toEqual(
      new Set([new URL(address).origin]),
    );
    expect(requests.filter(({ url }) => url.pathname.includes("math-font"))).toHaveLength(1);
    await page.close();
    await bare.page.close();
  } finally {
    await close();
  }
});

test("the site declares the family itself: its figures do not load a second one", async () => {
  const site = folder("build/site");
  if (!existsSync(join(site, "index.html"))) throw new Error("build/site is missing: run npm run site");
  const { address, close } = await serve(site, { port: 0 });
  try {
    const { page, requests } = await open(`${address}en/05-two-products/`);
    expect(await faces(page)).toBe(1);
    expect(requests.filter(({ kind }) => kind === "font").length).toBeGreaterThan(0);
    expect(requests.filter(({ kind, url }) => kind !== "font" && url.pathname.includes("math-font"))).toEqual([]);
    await page.close();
  } finally {
    await close();
  }
});
