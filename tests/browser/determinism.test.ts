// The same bits in browsers as in Node: the page hashes the corpus that tests/node/determinism.test.ts hashes.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "puppeteer-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasFirefox, launchChromium, launchFirefox } from "../support/chromium.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const stored = new URL("../golden/determinism.json", import.meta.url);

let server: ViteDevServer;
let browser: Browser;
let profile = "";

beforeAll(async () => {
  server = await createServer({
    root,
    configFile: false,
    logLevel: "error",
    appType: "mpa",
    cacheDir: join(tmpdir(), `loom-vite-${process.pid}`),
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { host: "127.0.0.1", port: 0, strictPort: false, hmr: false, watch: null },
  });
  await server.listen();
  profile = mkdtempSync(join(tmpdir(), "loom-profile-"));
  browser = await launchChromium(profile);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  if (profile !== "") rmSync(profile, { recursive: true, force: true });
  rmSync(join(tmpdir(), `loom-vite-${process.pid}`), { recursive: true, force: true });
});

/** What the page shows in this browser, and what went wrong. */
async function hashIn(engine: Browser): Promise<{ hash: string | null; faults: string[] }> {
  const address = server.httpServer?.address();
  if (address === null || typeof address !== "object") throw new Error("the test server has no port");
  const page = await engine.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${address.port}/tests/browser/pages/determinism.html`);
  await page.waitForFunction(() => document.querySelector("#hash")?.textContent !== "computing");
  const hash = await page.$eval("#hash", (element) => element.textContent);
  await page.close();
  return { hash, faults };
}

const { sha256, compiler } = JSON.parse(readFileSync(stored, "utf8"));

describe("determinism in browsers", () => {
  test("R05 Chromium: the page computes the stored hash, the one that Node computes", async () => {
    expect(await hashIn(browser), `stored with ${compiler}`).toEqual({ hash: sha256, faults: [] });
  });

  test.skipIf(!hasFirefox)("R05 Firefox: the same hash (skipped where firefox-esr is not installed)", async () => {
    const firefox = await launchFirefox();
    try {
      expect(await hashIn(firefox), `stored with ${compiler}`).toEqual({ hash: sha256, faults: [] });
    } finally {
      await firefox.close();
    }
  });
});
