// How long a step of <loom-attention> takes from the key press to the painted frame, how long its longest task is, and
// whether steps cost anything that stays. Needs Chromium and what `npm run build` writes:
//
//     node tests/bench/steps.mjs [--lengths 8,64,512] [--steps 240] [--soak 10000]
//
// Two things are unlike a reader's screen. The browser paints as soon as it can: waiting for the next refresh would add
// 0 … 16.7 ms at 60 Hz to each time, whatever the page does. And a time ends when the page has painted; the pixels are
// made by other threads after that.

import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { serve } from "../../tools/serve.mjs";
import { inProject } from "../../tools/setup/paths.mjs";
import { main, SetupError } from "../../tools/setup/stage.mjs";
import { mulberry32 } from "./random.mjs";

// The project's own browser driver, not one of the packages that the other benchmarks bring.
const puppeteer = createRequire(inProject("package.json"))("puppeteer-core");

/** Goals for the 95th percentile in milliseconds, by count of words. */
const goals = new Map([
  [8, 16],
  [64, 16],
  [512, 50],
]);
/** Width of the vectors, and the seed of their numbers. */
const WIDTH = 8;
const SEED = 7;
/** Milliseconds from one key press to the next: a key that is held repeats no faster. */
const REPEAT = 33;
/** Elements of the page that is stepped for long, and steps after which everything that is made once is there. */
const ELEMENTS = 4;
const WARM = 500;
/** Steps at the beginning and at the end whose times are compared. */
const COMPARED = 1000;
/** Milliseconds after which a figure that nobody steps changes nothing more. */
const QUIET = 6000;
/** Tasks below this, in milliseconds, are not reported by the browser. */
const LONG = 50;

function options() {
  const { values } = parseArgs({
    options: {
      lengths: { type: "string", default: "8,64,512" },
      steps: { type: "string", default: "240" },
      soak: { type: "string", default: "10000" },
    },
  });
  const whole = (name, text, least, most) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < least || number > most)
      throw new SetupError(`--${name} wants whole numbers from ${least} to ${most}, not "${text}".`);
    return number;
  };
  return {
    lengths: values.lengths.split(",").map((text) => whole("lengths", text, 2, 512)),
    steps: whole("steps", values.steps, 1, 100_000),
    soak: values.soak === "0" ? 0 : whole("soak", values.soak, WARM + 2 * COMPARED, 1_000_000),
  };
}

/** X of so many words, and the projections. */
function matricesOf(length) {
  const next = mulberry32(SEED);
  const number = () => Math.fround((next() / 2 ** 32) * 2 - 1);
  const table = (rows) => Array.from({ length: rows }, () => Array.from({ length: WIDTH }, number));
  return { x: table(length), wQ: table(WIDTH), wK: table(WIDTH), wV: table(WIDTH) };
}

/** Puts an element with so many words on the page, and returns the milliseconds until it was drawn. */
const add = (page, length) =>
  page.evaluate(
    async ({ length, matrices }) => {
      const element = document.createElement("loom-attention");
      element.tokens = Array.from({ length }, (_, i) => `w${i + 1}`);
      Object.assign(element, matrices);
      element.causal = "start";
      const begun = performance.now();
      const ready = new Promise((done) => element.addEventListener("loom-ready", done, { once: true }));
      document.querySelector("main").append(element);
      await ready;
      await element.updateComplete;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return performance.now() - begun;
    },
    { length, matrices: matricesOf(length) },
  );

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

/** Sorted times of so many key presses in milliseconds, two forwards and one back, from the middle of a stage. */
async function timesOf(page, steps, stage, level, length) {
  await page.evaluate(
    async ({ stage, level, row }) => {
      const element = document.querySelector("loom-attention");
      element.act({ type: "jump", stage, level, row, column: 1, term: 0 });
      await element.updateComplete;
      element.shadowRoot.querySelector("button.primary").focus();
    },
    { stage, level, row: Math.floor(length / 2) },
  );
  const times = [];
  for (let i = 0; i < steps; i++) {
    const key = i % 3 === 2 ? "ArrowLeft" : "ArrowRight";
    // Asked for beforehand: nothing else is to run in the page between the key and the frame.
    const time = page.evaluate(() => new Promise((done) => (window.onPainted = done)));
    await page.keyboard.down(key);
    times.push(await time);
    await page.keyboard.up(key);
    await sleep(REPEAT - (times.at(-1) % REPEAT));
  }
  return times.sort((a, b) => a - b);
}

/** The longest task in milliseconds while the slider is drawn over all frames; 0 where none was long. */
const longestTask = (page) =>
  page.evaluate(async () => {
    const element = document.querySelector("loom-attention");
    const slider = element.shadowRoot.querySelector("input.slider");
    const tasks = [0];
    const note = (entries) => {
      for (const { duration } of entries) tasks.push(duration);
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: "longtask" });
    for (let i = 0; i <= 100; i++) {
      slider.value = String(Math.round((Number(slider.max) * i) / 100));
      slider.dispatchEvent(new Event("input"));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
    note(observer.takeRecords());
    observer.disconnect();
    return Math.max(...tasks);
  });

/** Nodes, listeners and heap in bytes of the page, and 64 kB pages of every memory of WebAssembly. */
async function costs(page, session) {
  // What was read aloud is a node of its own, until it is taken away.
  await sleep(QUIET);
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (name) => metrics.find((metric) => metric.name === name)?.value;
  const pages = await page.evaluate(() => window.memories.map(({ buffer }) => buffer.byteLength / 65536));
  return {
    nodes: of("Nodes"),
    listeners: of("JSEventListeners"),
    heap: of("JSHeapUsedSize"),
    "wasm pages": pages.join(" + "),
  };
}

/** What steps leave behind, and the milliseconds that the first and the last of them take. */
async function soaked(page, steps) {
  const session = await page.createCDPSession();
  await session.send("Performance.enable");
  await session.send("HeapProfiler.enable");
  for (let i = 0; i < ELEMENTS; i++) await add(page, 8);
  const run = (count) =>
    page.evaluate(async (times) => {
      const elements = [...document.querySelectorAll("loom-attention")];
      const levels = ["stage", "row", "cell", "term"];
      const begun = performance.now();
      for (let i = 0; i < times; i++) {
        const element = elements[i % elements.length];
        if (i % 100 < elements.length) element.act({ type: "level", level: levels[Math.floor(i / 100) % 4] });
        if (!element.act({ type: i % 12 > 7 ? "back" : "next" })) element.act({ type: "first" });
        await element.updateComplete;
      }
      const took = performance.now() - begun;
      // What is counted then is the same frame each time.
      for (const element of elements) {
        element.act({ type: "level", level: "stage" });
        element.act({ type: "first" });
      }
      await Promise.all(elements.map((element) => element.updateComplete));
      // What the page itself has noted of their events.
      window.told.length = 0;
      return took;
    }, count);
  await run(WARM);
  const before = await costs(page, session);
  const first = await run(COMPARED);
  // In pieces: a call that takes longer than three minutes is given up.
  for (let left = steps - WARM - 2 * COMPARED; left > 0; left -= COMPARED) await run(Math.min(left, COMPARED));
  const last = await run(COMPARED);
  const after = await costs(page, session);
  return { before, after, first, last, faults: await page.evaluate(() => window.faults) };
}

/** A fresh page, where frames and memories are noted. */
async function open(browser, address) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.evaluateOnNewDocument(() => {
    window.memories = [];
    WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
      construct(target, list) {
        const instance = new target(...list);
        for (const thing of Object.values(instance.exports))
          if (thing instanceof WebAssembly.Memory) window.memories.push(thing);
        return instance;
      },
    });
    const { port1, port2 } = new MessageChannel();
    let pressed = 0;
    // A message that is sent while a frame is made is read when the page has painted it.
    port1.onmessage = () => window.onPainted?.(performance.now() - pressed);
    addEventListener(
      "keydown",
      (event) => {
        pressed = event.timeStamp;
        requestAnimationFrame(() => port2.postMessage(0));
      },
      true,
    );
  });
  await page.goto(new URL("stepper.html", address).href);
  return page;
}

async function tellTimes(browser, address, lengths, steps) {
  console.log("Key press to painted frame, in ms:\n");
  console.log("| words | first picture | level | p50 | p95 | max | goal for p95 | longest task |");
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const length of lengths) {
    const page = await open(browser, address);
    const first = await add(page, length);
    for (const [stage, level] of [
      ["weights", "cell"],
      ["scores", "term"],
    ]) {
      const times = await timesOf(page, steps, stage, level, length);
      const task = await longestTask(page);
      const shown = [percentile(times, 0.5), percentile(times, 0.95), times.at(-1)].map((time) => time.toFixed(1));
      const cells = [length, first.toFixed(0), level, ...shown, goals.get(length) ?? "–"];
      console.log(`| ${cells.join(" | ")} | ${task === 0 ? `< ${LONG}` : task.toFixed(0)} |`);
    }
    await page.close();
  }
}

async function tellSoak(browser, address, steps) {
  const { before, after, first, last, faults } = await soaked(await open(browser, address), steps);
  console.log(`\n${ELEMENTS} elements, after ${WARM} steps and after ${steps}:\n`);
  console.log(`| | after ${WARM} | after ${steps} |`);
  console.log("| --- | --- | --- |");
  for (const name of Object.keys(before)) console.log(`| ${name} | ${before[name]} | ${after[name]} |`);
  console.log(`| ms for ${COMPARED} steps from there; up to there | ${first.toFixed(0)} | ${last.toFixed(0)} |`);
  console.log(`\nErrors and warnings of the page: ${faults.length === 0 ? "none" : faults.join("; ")}`);
}

async function inBrowser(flags, work) {
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-frame-rate-limit", "--disable-gpu-vsync", ...flags],
  });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

await main(async () => {
  const { lengths, steps, soak } = options();
  if (!existsSync(inProject("dist/element.js"))) throw new SetupError("There is no dist/element.js: npm run build.");
  const www = mkdtempSync(join(tmpdir(), "loom-steps-"));
  cpSync(inProject("dist"), www, { recursive: true });
  for (const file of ["stepper.html", "stepper.css", "watch.js"])
    cpSync(inProject("tests/browser/pages", file), join(www, file));
  const served = await serve(www, { port: 0 });
  try {
    await inBrowser([], (browser) => tellTimes(browser, served.address, lengths, steps));
    // Without the engine's compilers, whose own memory grows for hundreds of rounds (see tests/browser/soak.test.ts).
    const plain = "--js-flags=--no-opt --no-maglev --no-sparkplug --no-flush-bytecode";
    if (soak > 0) await inBrowser([plain], (browser) => tellSoak(browser, served.address, soak));
  } finally {
    await served.close();
    rmSync(www, { recursive: true, force: true });
  }
});
