// The measurements and the cold starts in Chromium.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import puppeteer from "puppeteer-core";
import { rolldown } from "rolldown";
import { serve } from "../../../tools/serve.mjs";
import { compilePeaks } from "../peaks/compile.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const pages = fileURLToPath(new URL("../pages/", import.meta.url));
const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));

/** Debian's; another one can be named by CHROMIUM. Flags as in tests/support/chromium.ts. */
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const launch = () => {
  if (!existsSync(executablePath))
    throw new Error(`Chromium expected at ${executablePath}: install the package chromium`);
  return puppeteer.launch({ executablePath, headless: true, args, protocolTimeout: 0 });
};

/** What the pages load from beside them, unbundled, as it is shipped. */
const beside = /^\/(loom|ort|tfjs|litert)\//;

async function bundle(input, output) {
  const build = await rolldown({ input, platform: "browser", external: beside, logLevel: "silent" });
  await build.write({ file: output, format: "esm", minify: true, codeSplitting: false });
  await build.close();
}

/** A folder with everything the pages load: bundles, the libraries' wasm, the core as it is shipped. */
async function makeSite(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const copy = (from, name) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(from, join(folder, name), { recursive: true });
  };
  copy(join(root, "dist"), "loom");
  for (const name of ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"])
    copy(join(modules, "onnxruntime-web/dist", name), `ort/${name}`);
  const tfjs = join(modules, "@tensorflow/tfjs-backend-wasm/dist");
  for (const name of readdirSync(tfjs).filter((file) => file.endsWith(".wasm"))) copy(join(tfjs, name), `tfjs/${name}`);
  copy(join(modules, "@litertjs/core/wasm"), "litert");
  for (const [name, bytes] of Object.entries(await compilePeaks())) writeFileSync(join(folder, `${name}.wasm`), bytes);
  for (const name of readdirSync(pages).filter((file) => file !== "first.mjs")) {
    if (name.endsWith(".html")) copy(join(pages, name), name);
    else await bundle(join(pages, name), join(folder, name.replace(/\.mjs$/, ".js")));
  }
}

/** Opens a page in a browser of its own, with an empty profile. */
async function inNewBrowser(visit) {
  const browser = await launch();
  try {
    return await visit(await browser.newPage(), await browser.version());
  } finally {
    await browser.close();
  }
}

/** Page load to first result: each time in a new browser, pages in turn. */
async function coldStarts(address, loads) {
  const names = ["cold-loom", "cold-naive", "cold-tiled"];
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let load = 0; load < loads; load++) {
    for (const name of names) {
      const ms = await inNewBrowser(async (page) => {
        await page.goto(`${address}${name}.html`);
        await page.waitForFunction("window.firstResult !== undefined");
        return page.evaluate("window.firstResult");
      });
      times[name].push(ms);
    }
  }
  return times;
}

/** What a page with the core alone downloads, as gzip −9 makes it. */
async function download(address, folder) {
  const paths = await inNewBrowser(async (page) => {
    const seen = new Set();
    page.on("response", (response) => seen.add(new URL(response.url()).pathname));
    await page.goto(`${address}cold-loom.html`);
    await page.waitForFunction("window.firstResult !== undefined");
    return [...seen].filter((path) => path.startsWith("/loom/"));
  });
  const files = paths.map((path) => [path, gzipSync(readFileSync(join(folder, path)), { level: 9 }).length]);
  return { files: Object.fromEntries(files), bytes: files.reduce((sum, [, bytes]) => sum + bytes, 0) };
}

/**
 * @param {string} folder where to put the site
 * @param {object} plan see work.mjs; `coldLoads`: how often each page is loaded for its cold start
 */
export async function runChromium(folder, plan) {
  await makeSite(folder);
  const { address, close } = await serve(folder, { port: 0, policy: null });
  try {
    const result = await inNewBrowser(async (page, version) => {
      page.on("pageerror", (error) => console.error(`  chromium: ${error.message}`));
      page.on("console", (entry) => {
        // LiteRT writes its log there, too.
        if (entry.type() === "error" && !/^(INFO|WARNING)/.test(entry.text()))
          console.error(`  chromium: ${entry.text()}`);
      });
      await page.exposeFunction("say", (line) => console.log(`  chromium: ${line}`));
      await page.goto(`${address}bench.html`);
      await page.waitForFunction("window.bench !== undefined");
      return page.evaluate((name, todo) => window.bench(name, todo), version.replace("/", " "), plan);
    });
    console.log("  chromium: download and cold starts");
    result.download = await download(address, folder);
    result.cold = await coldStarts(address, plan.coldLoads);
    return result;
  } finally {
    await close();
  }
}
