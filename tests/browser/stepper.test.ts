// <loom-attention> as it ships, alone on a page under the strict policy, in Chromium.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { contentSecurityPolicy, serve } from "../../tools/serve.mjs";
import { loadLoom } from "../../web/core/node.ts";
import type { Loom } from "../../web/core/types.ts";
import { formatFor, formatNumber } from "../../web/draw/number.ts";
import { exampleModel } from "../../web/elements/examples.ts";
import { type Action, attendInput, LEVELS, type Model } from "../../web/elements/state/index.ts";
import { launchChromium } from "../support/chromium.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const pages = fileURLToPath(new URL("pages/", import.meta.url));
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const made = mkdtempSync(join(tmpdir(), "loom-stepper-"));
const house = exampleModel("house-4x5") as Model;

let browser: Browser;
let served: Awaited<ReturnType<typeof serve>>;
/** The same files with a policy that lets a second copy of Lit make its Trusted Types policy. */
let lenient: typeof served;
let loom: Loom;
let open: Page[] = [];

/** What Lit itself leaves on the window; the element adds nothing. */
const LIT_GLOBALS = ["litElementVersions", "litHtmlVersions", "litPropertyMetadata", "reactiveElementVersions"];

/** What watch.js collects. */
interface Watched extends Window {
  faults: string[];
  lines: string[];
  told: { name: string; detail: Record<string, unknown> }[];
}
type Stepper = HTMLElement & {
  act(action: Action): boolean;
  updateComplete: Promise<boolean>;
  state: { cursor: object };
};

beforeAll(async () => {
  if (!existsSync(join(dist, "element.js"))) throw new Error("dist/element.js is missing: run npm run build");
  const www = join(made, "www");
  mkdirSync(www);
  cpSync(dist, www, { recursive: true });
  for (const file of ["stepper.html", "twice.html", "stepper.css", "watch.js"])
    cpSync(join(pages, file), join(www, file));
  served = await serve(www, { port: 0 });
  lenient = await serve(www, { port: 0, policy: `${contentSecurityPolicy} 'allow-duplicates'` });
  loom = await loadLoom();
  browser = await launchChromium(join(made, "profile"));
});

afterEach(async () => {
  for (const page of open) await page.close();
  open = [];
});

afterAll(async () => {
  await browser?.close();
  await served?.close();
  await lenient?.close();
  rmSync(made, { recursive: true, force: true });
});

type Attributes = Record<string, string>;

/** A page with one element for each set of attributes, all of them ready or refused. */
async function visit(
  elements: Attributes[] = [{}],
  width = 1000,
  { reduced = false, path = "stepper.html" } = {},
): Promise<Page> {
  const page = await browser.newPage();
  open.push(page);
  await page.setViewport({ width, height: 900 });
  if (reduced) await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await page.goto(new URL(path, (path === "twice.html" ? lenient : served).address).href);
  await page.evaluate((list) => {
    const main = document.querySelector("main") as HTMLElement;
    for (const attributes of list) {
      const element = document.createElement("loom-attention");
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.append(Object.assign(document.createElement("p"), { textContent: "what stands here without scripts" }));
      main.append(element);
    }
  }, elements);
  await settled(page);
  return page;
}

/** Waits until every element shows a figure or a message. */
const settled = (page: Page) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll("loom-attention")].every((e) => e.shadowRoot?.querySelector(".widget, .trouble")),
  );

const faultsOf = (page: Page) => page.evaluate(() => (window as unknown as Watched).faults);
const toldOf = (page: Page) => page.evaluate(() => (window as unknown as Watched).told);

async function act(page: Page, ...actions: Action[]): Promise<void> {
  await page.evaluate(async (list) => {
    const element = document.querySelector("loom-attention") as unknown as Stepper;
    for (const action of list) element.act(action);
    await element.updateComplete;
  }, actions);
}

/** Text of everything in the figure that matches. */
const texts = (page: Page, selector: string, nth = 0) =>
  page.evaluate(
    (query, which) =>
      [...(document.querySelectorAll("loom-attention")[which]?.shadowRoot?.querySelectorAll(query) ?? [])].map(
        (e) => e.textContent?.replace(/\s+/g, " ").trim() ?? "",
      ),
    selector,
    nth,
  );

/** What has the focus: an element of the page, or inside a figure. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const inner = document.activeElement?.shadowRoot?.activeElement as HTMLElement | null | undefined;
    const target = inner ?? (document.activeElement as HTMLElement);
    const table = target.closest("table");
    return table && target.dataset.place
      ? `${table.dataset.name} ${target.dataset.place}`
      : (target.dataset.act ?? target.dataset.stage ?? target.className ?? target.id);
  });

/** Frames of E1 at each level. */
const FRAMES = { stage: 11, row: 46, cell: 162, term: 366 } as const;

/** The stages of E1, as the core names them. */
function loomStages(): readonly string[] {
  const { trace } = loom.attend(attendInput(house));
  if (!trace) throw new Error("no trace");
  const { stages } = trace;
  trace.dispose();
  return stages;
}

/** Waits until the browser has laid out and drawn what has changed, resize observers included. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

describe("all steps", () => {
  test.each(Object.entries(FRAMES))(
    "at level %s the button Next reaches the end in %i frames, and back",
    async (level, frames) => {
      const page = await visit([{ level }]);
      const seen = await page.evaluate(async () => {
        const element = document.querySelector("loom-attention") as unknown as Stepper;
        const press = (name: string) => element.shadowRoot?.querySelector<HTMLElement>(`[data-act=${name}]`)?.click();
        const where = () => element.shadowRoot?.querySelector(".place")?.textContent ?? "";
        const forth = [where()];
        for (let i = 0; i < 400; i++) {
          press("next");
          await element.updateComplete;
          if (where() === forth.at(-1)) break;
          forth.push(where());
        }
        const back = [where()];
        for (let i = 0; i < 400; i++) {
          press("back");
          await element.updateComplete;
          if (where() === back.at(-1)) break;
          back.push(where());
        }
        return { forth, back };
      });
      expect(seen.forth).toHaveLength(frames);
      expect(seen.forth.at(-1)).toContain(`${frames} of ${frames}`);
      expect([...seen.back].reverse()).toEqual(seen.forth);
      const steps = (await toldOf(page)).filter(({ name }) => name === "loom-step");
      expect(steps).toHaveLength(2 * (frames - 1));
      expect(await faultsOf(page)).toEqual([]);
    },
  );

  test("scores[petite][small] at multiply-add level shows 4, 5, 6", async () => {
    const page = await visit([{ level: "term" }]);
    const shown: (string | undefined)[] = [];
    for (const term of [0, 1, 2]) {
      await act(page, { type: "jump", stage: "scores", row: 1, column: 1, term });
      shown.push((await texts(page, "td.now"))[0]);
    }
    expect(shown).toEqual(["4", "5", "6"]);
    expect(await texts(page, ".partials")).toEqual(["4 → 5 → 6"]);
  });

  test("every number shown is the correct rounding of the core's float32, which is close to the twin", async () => {
    const { trace } = loom.attend(attendInput(house));
    if (!trace) throw new Error("no trace");
    const twin = loom.reference(attendInput(house));
    const page = await visit();
    for (const stage of trace.stages) {
      await act(page, { type: "jump", stage });
      const { data } = trace.stage(stage);
      const shown = await texts(page, "table.result tbody td");
      expect(shown, stage).toEqual([...data].map((value) => formatNumber(value, formatFor(data))));
      const exact = twin.stage(stage).data;
      data.forEach((value, i) => {
        const wanted = exact[i] ?? Number.NaN;
        expect(Math.abs(value - wanted), `${stage} ${i}`).toBeLessThanOrEqual(2e-6 * (1 + Math.abs(wanted)));
      });
    }
    await act(page, { type: "jump", stage: "weights" });
    expect((await texts(page, "table.result tbody td")).slice(0, 5)).toEqual([
      "0.6388",
      "0.0112",
      "0.0356",
      "0.2013",
      "0.1130",
    ]);
  });

  test("rows ask and columns answer: the tables have their words as headings, and say so", async () => {
    const page = await visit([{ stage: "weights" }]);
    expect(await texts(page, "table.result tbody th")).toEqual([...house.tokensQ]);
    expect(await texts(page, "table.result thead th")).toEqual([...house.tokensKv]);
    expect((await texts(page, "table.result caption .unseen"))[0]).toContain("each row sums to 1");
    expect(await texts(page, ".note")).toEqual([expect.stringContaining("keys answer, by column")]);
    await act(page, { type: "jump", stage: "scores" });
    expect(await texts(page, "table.top thead th")).toEqual([...house.tokensKv]);
    expect(await texts(page, "table.left tbody th")).toEqual([...house.tokensQ]);
  });

  test("rows and columns of the three tables line up to the pixel", async () => {
    for (const width of [1000, 390]) {
      const page = await visit([{ stage: "scores", level: "cell" }], width);
      for (const stage of ["queries", "keys", "scores", "output"]) {
        await act(page, { type: "jump", stage });
        const off = await page.evaluate(() => {
          const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
          const boxes = (slot: string, pick: (td: HTMLTableCellElement) => boolean) =>
            [...root.querySelectorAll<HTMLTableCellElement>(`table.${slot} tbody td`)]
              .filter(pick)
              .map((td) => td.getBoundingClientRect());
          const firstColumn = (td: HTMLTableCellElement) => td.dataset.place?.endsWith(",0") === true;
          const firstRow = (td: HTMLTableCellElement) => td.dataset.place?.startsWith("0,") === true;
          const rows = boxes("left", firstColumn).map((box, i) =>
            Math.abs(box.top - (boxes("result", firstColumn)[i]?.top ?? -1)),
          );
          const columns = boxes("top", firstRow).map((box, i) =>
            Math.abs(box.left - (boxes("result", firstRow)[i]?.left ?? -1)),
          );
          return Math.max(...rows, ...columns);
        });
        expect(off, `${stage} at ${width}`).toBeLessThan(0.6);
      }
    }
  });
});

describe("steadiness", () => {
  test.each([
    [1280, 1100, {}],
    [390, 844, {}],
    // With a button more.
    [390, 844, { hash: "figure" }],
  ] as const)("nothing above the controls changes its size at any frame, %i by %i, %o", async (width, height, more) => {
    for (const level of LEVELS) {
      const page = await visit([{ level, ...more }], width);
      await page.setViewport({ width, height });
      await drawn(page);
      const spread = await page.evaluate(async () => {
        const element = document.querySelector("loom-attention") as unknown as Stepper;
        const root = element.shadowRoot as ShadowRoot;
        const next = root.querySelector("[data-act=next]") as HTMLElement;
        // Where it sticks to the edge of the window it stands still anyhow: its own place is what counts.
        (root.querySelector(".bar") as HTMLElement).style.setProperty("position", "static");
        const watched = ["[data-act=next]", ".maths", ".formula", ".code", ".bar", ".slider"];
        const least = new Map<string, number>();
        const most = new Map<string, number>();
        let frames = 0;
        for (;;) {
          frames++;
          const origin = element.getBoundingClientRect();
          for (const selector of watched) {
            const box = (root.querySelector(selector) as Element).getBoundingClientRect();
            for (const [side, value] of [
              ["top", box.top - origin.top],
              ["left", box.left - origin.left],
              ["height", box.height],
            ] as const) {
              const key = `${selector} ${side}`;
              least.set(key, Math.min(least.get(key) ?? value, value));
              most.set(key, Math.max(most.get(key) ?? value, value));
            }
          }
          if (next.getAttribute("aria-disabled") === "true") break;
          next.click();
          await element.updateComplete;
        }
        const moved = [...most].filter(([key, value]) => value - (least.get(key) as number) > 1);
        return { frames, moved: moved.map(([key, value]) => `${key} ${least.get(key)} … ${value}`) };
      });
      expect(spread, level).toEqual({ frames: FRAMES[level], moved: [] });
    }
  });

  test("a wider window makes room anew", async () => {
    const page = await visit([{ stage: "output", level: "cell" }], 390);
    const room = () =>
      page.evaluate(() =>
        getComputedStyle(
          document.querySelector("loom-attention")?.shadowRoot?.querySelector(".widget") as Element,
        ).getPropertyValue("--room-figure"),
      );
    const narrow = await room();
    await page.setViewport({ width: 1280, height: 900 });
    await drawn(page);
    const wide = await room();
    expect(Number.parseFloat(narrow)).toBeGreaterThan(100);
    expect(Number.parseFloat(wide)).toBeGreaterThan(100);
    expect(wide).not.toBe(narrow);
    await page.setViewport({ width: 390, height: 900 });
    await drawn(page);
    expect(await room()).toBe(narrow);
  });

  // A lesson page leaves 358 pixels of 390, and 343 of 375.
  test.each([390, 374, 359])("no stage of E1 is cut off, window %i", async (width) => {
    const page = await visit([{ level: "cell" }], width);
    const cut: string[] = [];
    for (const level of LEVELS) {
      for (const stage of loomStages()) {
        await act(page, { type: "jump", stage, level, row: 3, column: 2 });
        const [wanted, given] = await page.evaluate(() => {
          const region = document.querySelector("loom-attention")?.shadowRoot?.querySelector(".scroll") as HTMLElement;
          return [region.scrollWidth, region.clientWidth];
        });
        if ((wanted as number) > (given as number)) cut.push(`${stage} ${level} ${wanted} > ${given}`);
      }
    }
    expect(cut).toEqual([]);
  });

  test("where there is little room cells show two decimals, rightly rounded; names and work keep four", async () => {
    const page = await visit([{ stage: "output", level: "cell" }], 390);
    const { trace } = loom.attend(attendInput(house));
    if (!trace) throw new Error("no trace");
    const short = (data: Float32Array) => {
      const format = formatFor(data);
      return [...data].map((value) => formatNumber(value, { ...format, decimals: Math.min(2, format.decimals) }));
    };
    for (const stage of trace.stages) {
      await act(page, { type: "jump", stage, level: "stage" });
      expect(await texts(page, "table.result tbody td"), stage).toEqual(short(trace.stage(stage).data));
    }
    await act(page, { type: "jump", stage: "output", level: "cell", row: 0, column: 0 });
    expect((await texts(page, "td.now"))[0]).toBe("0.83");
    const named = await page.evaluate(() => {
      const cell = document.querySelector("loom-attention")?.shadowRoot?.querySelector<HTMLElement>("td.now");
      return [cell?.getAttribute("aria-label"), cell?.title];
    });
    expect(named[0]).toContain("0.83, more precisely 0.8289");
    expect(Number(named[1])).toBe(trace.stage("output").data[0]);
    expect((await texts(page, ".total"))[0]).toBe("0.8289");
    expect((await texts(page, "p.sentence"))[0]).toContain("0.8289");
  });

  test("the result stands directly beside the left factor, the values' words in the corner", async () => {
    for (const width of [1280, 390]) {
      const page = await visit([{ stage: "output" }], width);
      const found = await page.evaluate(() => {
        const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
        const box = (selector: string) => (root.querySelector(selector) as Element).getBoundingClientRect();
        const cell = box("table.result td[data-place='0,0']");
        const word = box("table.top tbody th .word");
        const note = box(".note");
        return {
          gap: (cell.left - box("table.left td[data-place='0,4']").right) / cell.width,
          wordEndsBefore: word.right <= cell.left + 1,
          noteEndsBefore:
            note.left +
              note.width -
              Number.parseFloat(getComputedStyle(root.querySelector(".note") as Element).paddingRight) <=
            word.left + 1,
        };
      });
      expect(found.gap, String(width)).toBeLessThan(0.75);
      expect(found).toMatchObject({ wordEndsBefore: true, noteEndsBefore: true });
    }
  });
});

describe("set from outside", () => {
  test("level and stage move the cursor of a running element, and what the reader did stays", async () => {
    const page = await visit([{ stage: "scores", level: "cell" }]);
    await act(page, { type: "edit", matrix: "x", row: 0, column: 0, value: 4 }, { type: "next" });
    const set = (properties: Record<string, unknown>) =>
      page.evaluate(async (given) => {
        const element = document.querySelector("loom-attention") as unknown as Stepper;
        Object.assign(element, given);
        await element.updateComplete;
        return element.state.cursor;
      }, properties);
    expect(await set({ level: "term" })).toMatchObject({ stage: "scores", level: "term", row: 0, column: 1 });
    expect(await set({ stage: "weights" })).toEqual({
      stage: "weights",
      level: "term",
      head: 0,
      row: 0,
      column: 0,
      term: 0,
    });
    const attribute = await page.evaluate(async () => {
      const element = document.querySelector("loom-attention") as unknown as Stepper;
      element.setAttribute("stage", "output");
      element.setAttribute("level", "row");
      await element.updateComplete;
      return element.state.cursor;
    });
    expect(attribute).toMatchObject({ stage: "output", level: "row" });
    expect((await texts(page, ".place"))[0]).toContain("output");
    await act(page, { type: "jump", stage: "queries", level: "stage" });
    expect((await texts(page, "table.left tbody td"))[0]).toBe("4");
    const steps = (await toldOf(page)).filter(({ name }) => name === "loom-step");
    expect(steps.map(({ detail }) => `${detail.stage} ${detail.level}`)).toEqual([
      "scores cell",
      "scores term",
      "weights term",
      "output row",
      "queries stage",
    ]);
    // Another example of the same shapes leaves the reader where they are.
    expect(await set({ temperature: 2 })).toMatchObject({ stage: "queries", level: "stage" });
    expect(await faultsOf(page)).toEqual([]);
  });

  test("a stage or level that does not exist is one sentence, and a right one brings the figure back", async () => {
    const page = await visit([{ stage: "scores" }]);
    const set = (name: string, value: string) =>
      page.evaluate(
        async (attribute, text) => {
          const element = document.querySelector("loom-attention") as unknown as Stepper;
          element.setAttribute(attribute, text);
          await element.updateComplete;
        },
        name,
        value,
      );
    await set("level", "letter");
    expect((await texts(page, ".trouble"))[0]).toContain("letter");
    await set("level", "row");
    expect(await texts(page, ".trouble")).toEqual([]);
    expect((await texts(page, ".place"))[0]).toContain("scores");
    expect(await faultsOf(page)).toEqual([]);
  });

  test("highlight points at the map, and at a row, a column or a cell where the stage is on view", async () => {
    const page = await visit([{ stage: "scores" }]);
    const lit = async (highlight: unknown) => {
      await page.evaluate(async (given) => {
        const element = document.querySelector("loom-attention") as unknown as Stepper & { highlight: unknown };
        element.highlight = given;
        await element.updateComplete;
      }, highlight);
      return [await texts(page, ".stop.lit .name"), (await texts(page, "table.result td.lit")).length];
    };
    expect(await lit({ stage: "scores", row: "la", column: "house" })).toEqual([["scores"], 1]);
    expect((await texts(page, "table.result td.lit"))[0]).toBe("1");
    expect(await lit({ stage: "scores", row: "petite" })).toEqual([["scores"], 5]);
    expect(await lit({ stage: "scores", column: 3 })).toEqual([["scores"], 4]);
    expect(await lit({ stage: "weights", row: "la" })).toEqual([["weights"], 0]);
    expect(await lit({ stage: "scores", row: "nobody" })).toEqual([["scores"], 0]);
    expect(await lit({ stage: "nothing" })).toEqual([[], 0]);
    expect(await lit(null)).toEqual([[], 0]);
    const steps = (await toldOf(page)).filter(({ name }) => name === "loom-step");
    expect(steps).toEqual([]);
  });
});

describe("edits", () => {
  test("a cell edited in place changes everything after it, the cursor stays, undo brings all back", async () => {
    const page = await visit([{ stage: "keys" }]);
    const before = await texts(page, "table.result tbody td");
    await page.evaluate(() => {
      const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
      root.querySelector<HTMLElement>("table.top td[data-place='0,0']")?.focus();
    });
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      document.querySelector("loom-attention")?.shadowRoot?.activeElement?.classList.contains("entry"),
    );
    await page.keyboard.type("oops");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      document.querySelector("loom-attention")?.shadowRoot?.querySelector(".entry-note"),
    );
    expect((await texts(page, ".entry-note"))[0]).toContain("oops");
    expect(await texts(page, "table.result tbody td")).toEqual(before);
    await page.keyboard.down("Shift");
    await page.keyboard.press("Home");
    await page.keyboard.up("Shift");
    await page.keyboard.type("−2.5");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("loom-attention")?.shadowRoot?.querySelector("td.changed"));
    expect(await focused(page)).toBe("wK 0,0");
    const data = [...(house.matrices.wK?.data ?? [])];
    data[0] = -2.5;
    const edited: Model = { ...house, matrices: { ...house.matrices, wK: { rows: 3, columns: 3, data } } };
    const { trace } = loom.attend(attendInput(edited));
    for (const stage of ["keys", "scores", "weights", "output"]) {
      await act(page, { type: "jump", stage });
      const wanted = trace?.stage(stage).data ?? new Float32Array();
      expect(await texts(page, "table.result tbody td"), stage).toEqual(
        [...wanted].map((value) => formatNumber(value, formatFor(wanted))),
      );
    }
    await act(page, { type: "undo" }, { type: "jump", stage: "keys" });
    expect(await texts(page, "table.result tbody td")).toEqual(before);
    expect(
      (await toldOf(page)).filter(({ name }) => name === "loom-change").map(({ detail }) => detail.reason),
    ).toEqual(["edit", "undo"]);
    expect(await faultsOf(page)).toEqual([]);
  });

  test("by tap alone: Edit, a cell, a number; and words, down to none", async () => {
    const page = await visit([{ stage: "scores", level: "cell" }]);
    const inside = (selector: string) =>
      page.evaluateHandle(
        (query) => document.querySelector("loom-attention")?.shadowRoot?.querySelector(query) as HTMLElement,
        selector,
      );
    const tap = async (selector: string) => (await inside(selector)).click();
    await tap("[data-act=edit]");
    await page.waitForFunction(() => document.querySelector("loom-attention")?.shadowRoot?.querySelector(".edits"));
    await tap("table[data-slot=input][data-name=wQ] td[data-place='2,0']");
    await page.waitForFunction(() =>
      document.querySelector("loom-attention")?.shadowRoot?.activeElement?.classList.contains("entry"),
    );
    await page.keyboard.type("3");
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      () =>
        document.querySelector("loom-attention")?.shadowRoot?.querySelector("table.left td[data-place='0,0']")
          ?.textContent === "−3",
    );
    for (const [side, words] of [
      ["kv", "the big house"],
      ["q", ""],
      ["kv", ""],
    ] as const) {
      await page.evaluate(
        (name, text) => {
          const form = document.querySelector("loom-attention")?.shadowRoot?.querySelector("form") as HTMLFormElement;
          (form.elements.namedItem(name) as HTMLInputElement).value = text;
          form.requestSubmit();
        },
        side,
        words,
      );
      await act(page);
      if (words) expect(await texts(page, "table.top thead th")).toEqual(["the", "big", "house"]);
    }
    expect((await texts(page, ".scroll"))[0]).toContain("no tokens");
    await act(
      page,
      { type: "last" },
      { type: "back" },
      { type: "level", level: "term" },
      { type: "undo" },
      { type: "undo" },
      { type: "undo" },
      { type: "jump", stage: "scores" },
    );
    expect(await texts(page, "table.left tbody th")).toEqual([...house.tokensQ]);
    expect(await faultsOf(page)).toEqual([]);
  });
});

describe("text and values from outside", () => {
  test("K42 token text is text: shown letter for letter, no markup, nothing run", async () => {
    const tokens = ["<img src=x onerror=window.__x=1>", "a<b<c", "</span><script>window.__x=1</script>", "&lt;b&gt;"];
    const page = await visit([{ tokens: JSON.stringify(tokens), level: "cell", stage: "scores" }]);
    for (const stage of ["queries", "scores", "output"]) {
      await act(page, { type: "jump", stage });
      expect(await texts(page, "table.left tbody th")).toEqual(tokens);
      const sentence = (await texts(page, "p.sentence"))[0];
      expect(sentence).toContain(tokens[0]);
    }
    const added = await page.evaluate(() => ({
      ran: "__x" in window,
      elements: document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll("img, script, b b").length,
    }));
    expect(added).toEqual({ ran: false, elements: 0 });
    expect(await faultsOf(page)).toEqual([]);
  });

  test("K43 the same element twice, the first hidden: the second is drawn in full, all ids differ", async () => {
    const page = await visit([
      { stage: "scores", level: "term" },
      { stage: "scores", level: "term" },
    ]);
    await page.evaluate(() =>
      (document.querySelector("loom-attention") as HTMLElement).style.setProperty("display", "none"),
    );
    const found = await page.evaluate(() => {
      const roots = [...document.querySelectorAll("loom-attention")].map((e) => e.shadowRoot as ShadowRoot);
      const ids = [document, ...roots].flatMap((root) => [...root.querySelectorAll("[id]")].map(({ id }) => id));
      const second = roots[1] as ShadowRoot;
      const seen = [...second.querySelectorAll<SVGElement>("svg.dots path.filled")].filter(
        (path) => path.getBoundingClientRect().width > 0,
      );
      const thread = getComputedStyle(second.querySelector("table.left td.weft") as Element, "::before");
      return { ids, dots: seen.length, thread: thread.backgroundColor, links: second.innerHTML.includes("url(#") };
    });
    expect(new Set(found.ids).size).toBe(found.ids.length);
    expect(found.dots).toBeGreaterThanOrEqual(4);
    expect(found.thread).not.toMatch(/rgba\(0, 0, 0, 0\)|transparent/);
    expect(found.links).toBe(false);
  });

  test("K50 the script twice, under two addresses: one line of information, no exception, the first stays", async () => {
    const page = await visit([{}], 1000, { path: "twice.html" });
    const lines = await page.evaluate(() => (window as unknown as Watched).lines);
    expect(lines).toEqual([expect.stringMatching(/loom-attention.*version .*version /)]);
    await act(page, { type: "next" });
    expect((await texts(page, ".place"))[0]).toContain("keys");
    expect(await faultsOf(page)).toEqual([]);
  });

  const wrong: [name: string, value: string][] = [
    ["tokens", '["a",'],
    ["tokens", "[1, 2]"],
    ["head", "banana"],
    ["head", "2"],
    ["heads", "1e9"],
    ["heads", "0"],
    ["heads", "-1"],
    ["heads", "2"],
    ["temperature", "NaN"],
    ["temperature", "-1"],
    ["scale", "Infinity"],
    ["softmax", "rowwise"],
    ["shift", "maybe"],
    ["x-kv", "1,5;2,5"],
    ["w-k", "[[1, 2], [3]]"],
    ["w-q", "[[1, null]]"],
    ["w-q", "1 0; 0 1"],
    ["x-kv", `[${"[0],".repeat(1_000_000)}[0]]`],
    ["q", "1 0; 0 1"],
    ["causal", "sideways"],
    ["causal", ""],
    ["allow", "1 1; 1 1"],
    ["allow", "1 1 1 1 2; 1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1"],
    ["level", "letter"],
    ["stage", "constructor"],
    ["example", "__proto__"],
    ["theme", "pink"],
  ];
  test.each(wrong)("K55 a wrong value of %s (%.20s) is one sentence in that element alone", async (name, value) => {
    const page = await visit([{ [name]: value }, {}]);
    const [message, ...more] = await texts(page, ".trouble");
    expect(more).toEqual([]);
    expect(message, `${name} ${value.slice(0, 20)}`).toMatch(
      name === "q" ? /k/ : new RegExp(name.replace("w-", "w-?"), "i"),
    );
    if (value.length > 1 && value.length < 20 && name !== "q" && name !== "w-q")
      expect(message).toContain(value.slice(0, 8));
    expect((message ?? "").length).toBeLessThan(300);
    expect(await texts(page, ".widget")).toEqual([]);
    expect(await texts(page, "table.result tbody td", 1)).toHaveLength(12);
    const told = (await toldOf(page)).filter((event) => event.name === "loom-error");
    expect(told).toEqual([{ name: "loom-error", detail: expect.objectContaining({ code: expect.any(String) }) }]);
    const shows = await page.evaluate(() => ({
      fallback: document.querySelector("loom-attention")?.shadowRoot?.querySelector("slot")?.assignedElements().length,
      nan: [...document.querySelectorAll("loom-attention")].some((e) =>
        /="[^"]*NaN/.test(e.shadowRoot?.innerHTML ?? ""),
      ),
    }));
    expect(shows).toEqual({ fallback: 1, nan: false });
    expect(await faultsOf(page)).toEqual([]);
  });

  test("K56 equal weights have the colour of their value on a fixed scale from 0 to 1", async () => {
    const four = "1 0; 0 1; 1 1; 2 0";
    const page = await visit([
      { q: four, k: "0 0; 0 0; 0 0; 0 0", v: four, stage: "weights" },
      { q: "1 0", k: "0 0", v: "1 1", stage: "weights" },
      { stage: "weights" },
    ]);
    const grounds = await page.evaluate(() =>
      [...document.querySelectorAll("loom-attention")].map((e) =>
        [...(e.shadowRoot?.querySelectorAll<HTMLElement>("table.result tbody td") ?? [])].map((td) => ({
          text: td.textContent?.trim() ?? "",
          look: td.className.match(/\bt\d\b/)?.[0] ?? "",
          ground: getComputedStyle(td).backgroundColor,
        })),
      ),
    );
    const [quarter, one, mixed] = grounds;
    expect(quarter).toHaveLength(16);
    expect(new Set(quarter?.map(({ text }) => text))).toEqual(new Set(["0.25"]));
    expect(new Set(quarter?.map(({ ground }) => ground)).size).toBe(1);
    expect(one?.map(({ text }) => text)).toEqual(["1"]);
    // The scale is the same in every figure: 0.2175 and 0.2884 of E1 stand on either side of a quarter.
    const same = mixed?.find(({ text }) => text === "0.2175");
    expect(quarter?.[0]?.ground).toBe(same?.ground);
    expect(one?.[0]?.look).toBe("t6");
    expect(JSON.stringify(grounds)).not.toContain("NaN");
  });

  test("a masked key is hatched with the word, and its weight is named so", async () => {
    const page = await visit([{ allow: "1 1 1 1 0;1 1 1 1 0;1 1 1 1 0;1 1 1 1 0", stage: "masked" }]);
    for (const stage of ["masked", "weights"]) {
      await act(page, { type: "jump", stage });
      expect(await texts(page, "table.result td.blocked")).toEqual(Array(4).fill("blocked"));
      const spoken = await page.evaluate(() =>
        document
          .querySelector("loom-attention")
          ?.shadowRoot?.querySelector("table.result td.blocked")
          ?.getAttribute("aria-label"),
      );
      expect(spoken).toBe("query la, key ., blocked");
    }
    expect((await texts(page, ".place"))[0]).toContain("of 12");
  });
});

describe("keyboard, focus, speech", () => {
  test("in a matrix one tab stop, arrows without wrap, Enter goes to a computed cell", async () => {
    const page = await visit([{ stage: "weights" }]);
    const tabs = await page.evaluate(
      () =>
        document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll("table.result td[tabindex='0']").length,
    );
    expect(tabs).toBe(1);
    await page.evaluate(() =>
      document
        .querySelector("loom-attention")
        ?.shadowRoot?.querySelector<HTMLElement>("table.result td[tabindex='0']")
        ?.focus(),
    );
    const press = async (key: string, ctrl = false) => {
      if (ctrl) await page.keyboard.down("Control");
      await page.keyboard.press(key as "Home");
      if (ctrl) await page.keyboard.up("Control");
      return focused(page);
    };
    expect(await press("ArrowLeft")).toBe("weights 0,0");
    expect(await press("ArrowUp")).toBe("weights 0,0");
    expect(await press("ArrowRight")).toBe("weights 0,1");
    expect(await press("ArrowDown")).toBe("weights 1,1");
    expect(await press("End")).toBe("weights 1,4");
    expect(await press("ArrowRight")).toBe("weights 1,4");
    expect(await press("PageDown")).toBe("weights 3,4");
    expect(await press("Home", true)).toBe("weights 0,0");
    expect(await press("End", true)).toBe("weights 3,4");
    expect(await press("PageUp")).toBe("weights 0,4");
    expect(await press("Home")).toBe("weights 0,0");
    await press("ArrowDown");
    await press("ArrowRight");
    await page.keyboard.press("Enter");
    await act(page);
    expect((await texts(page, ".place"))[0]).toContain("weights · petite → small");
    expect(await focused(page)).toBe("weights 1,1");
  });

  test("on the controls arrows step, Home and End go to the ends, + and − change the level; elsewhere nothing", async () => {
    const page = await visit();
    const where = async () => {
      await act(page);
      return (await texts(page, ".place"))[0];
    };
    await page.focus("#before");
    for (const key of ["ArrowRight", "End", "+", "Enter"] as const) await page.keyboard.press(key);
    expect(await where()).toContain("1 of 11");
    await page.evaluate(() =>
      document.querySelector("loom-attention")?.shadowRoot?.querySelector<HTMLElement>("[data-act=next]")?.focus(),
    );
    await page.keyboard.press("ArrowRight");
    expect(await where()).toContain("2 of 11");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("+");
    expect(await where()).toContain("1 of 46");
    await page.keyboard.press("-");
    await page.keyboard.press("End");
    expect(await where()).toContain("11 of 11");
    // At the end the button stays in reach: the focus is not lost.
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("next");
    await page.keyboard.press("Home");
    expect(await where()).toContain("1 of 11");
    const consumed = await page.evaluate(() => {
      const next = document.querySelector("loom-attention")?.shadowRoot?.querySelector("[data-act=next]");
      const keys = [
        { key: "ArrowRight", altKey: true },
        { key: "ArrowRight", metaKey: true },
        { key: "ArrowRight", ctrlKey: true },
      ];
      return keys.map(
        (init) =>
          !next?.dispatchEvent(
            new KeyboardEvent("keydown", { ...init, bubbles: true, composed: true, cancelable: true }),
          ),
      );
    });
    expect(consumed).toEqual([false, false, false]);
    expect(await where()).toContain("1 of 11");
  });

  test("the focus survives a frame that takes its cell away", async () => {
    const page = await visit([{ stage: "weights" }]);
    await page.evaluate(() =>
      document
        .querySelector("loom-attention")
        ?.shadowRoot?.querySelector<HTMLElement>("table.result td[tabindex='0']")
        ?.focus(),
    );
    await page.keyboard.down("Control");
    await page.keyboard.press("End");
    await page.keyboard.up("Control");
    expect(await focused(page)).toBe("weights 3,4");
    await act(page, { type: "jump", stage: "rowsum" });
    expect(await focused(page)).toMatch(/^rowsum \d,0$/);
    await act(page, { type: "words", side: "q", words: ["la"] });
    expect(await focused(page)).toBe("rowsum 0,0");
  });

  test("Tab comes in and goes out again in at most 12 stops, each of them seen", async () => {
    const page = await visit();
    await page.focus("#before");
    const stops: string[] = [];
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate(() => document.activeElement?.id)) === "after") break;
      stops.push(await focused(page));
    }
    expect(stops.length, stops.join(" | ")).toBeLessThanOrEqual(12);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("after");
  });

  test("one polite region says the sentence of each step", async () => {
    const page = await visit([{ level: "term", stage: "scores" }]);
    const regions = await page.evaluate(() =>
      [
        ...(document
          .querySelector("loom-attention")
          ?.shadowRoot?.querySelectorAll("[role=status],[aria-live],[role=alert]") ?? []),
      ].map((e) => e.textContent),
    );
    expect(regions).toEqual([""]);
    await act(page, { type: "jump", stage: "scores", row: 0, column: 3, term: 2 });
    await page.waitForFunction(
      () => document.querySelector("loom-attention")?.shadowRoot?.querySelector("[role=status]")?.textContent,
    );
    expect((await texts(page, "[role=status]"))[0]).toBe(
      "la asks, house answers, term 3 of 3: 2 · 1 = 2, and the sum so far is 1.",
    );
  });

  test("play goes on by itself, stops at the end, and nothing starts by itself", async () => {
    const page = await visit([{}], 1000, { reduced: true });
    await act(page, { type: "frame", index: 9 });
    await page.evaluate(() => {
      const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
      const speed = root.querySelector("select.speed") as HTMLSelectElement;
      speed.value = "4";
      speed.dispatchEvent(new Event("change", { bubbles: true }));
      root.querySelector<HTMLElement>("[data-act=play]")?.click();
    });
    await page.waitForFunction(() =>
      document.querySelector("loom-attention")?.shadowRoot?.querySelector(".place")?.textContent?.includes("11 of 11"),
    );
    await page.waitForFunction(
      () =>
        document
          .querySelector("loom-attention")
          ?.shadowRoot?.querySelector("[data-act=play]")
          ?.getAttribute("aria-label") === "Play",
    );
  });
});

describe("as a guest on a page", () => {
  test.each([
    ["light", 1000],
    ["dark", 390],
    ["light", 320],
  ] as const)("no fault that axe can find, no sideways scroll: %s, %i wide", async (scheme, width) => {
    const page = await visit([{ level: "term", stage: "scores" }], width);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await act(page, { type: "jump", stage: "output", row: 1, column: 1, term: 2 });
    await page.setBypassCSP(true);
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const { axe: tool } = window as unknown as {
        axe: {
          run(
            root: Element,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
        };
      };
      const { violations: found } = await tool.run(document.querySelector("loom-attention") as Element, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      });
      return found.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
            .slice(0, 2)
            .join(" | ")}`,
      );
    });
    expect(violations).toEqual([]);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] as number);
  });

  test("moves, copies and removals: no faults, the cursor and the edits stay", async () => {
    const page = await visit();
    await act(
      page,
      { type: "edit", matrix: "x", row: 0, column: 0, value: 4 },
      { type: "jump", stage: "weights", level: "cell", row: 2, column: 1 },
    );
    await page.evaluate(async () => {
      const element = document.querySelector("loom-attention") as HTMLElement;
      for (let i = 0; i < 50; i++) {
        document.body.append(element);
        const copy = element.cloneNode(true) as HTMLElement;
        document.body.append(copy);
        copy.remove();
        element.remove();
        await Promise.resolve();
        document.querySelector("main")?.append(element);
      }
      await customElements.whenDefined("loom-attention");
    });
    await settled(page);
    expect((await texts(page, ".place"))[0]).toContain("weights · maison → small");
    await act(page, { type: "jump", stage: "queries", level: "stage" });
    expect((await texts(page, "table.left tbody td"))[0]).toBe("4");
    expect(await faultsOf(page)).toEqual([]);
  });

  test("adds nothing to the window, takes no wheel, and its text is at least 12 pixels", async () => {
    const page = await visit([{ stage: "output", level: "term" }], 320);
    const found = await page.evaluate(() => {
      const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
      const wheel = new WheelEvent("wheel", { bubbles: true, composed: true, cancelable: true, deltaY: 50 });
      root.querySelector("td")?.dispatchEvent(wheel);
      const small = [...root.querySelectorAll<HTMLElement>("*")]
        .filter((e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent?.trim()))
        .filter(
          (e) =>
            e.checkVisibility() &&
            !e.closest("math, .unseen, sub") &&
            Number.parseFloat(getComputedStyle(e).fontSize) < 11.99,
        )
        .map((e) => `${e.className || e.tagName} ${getComputedStyle(e).fontSize}`);
      const targets = [...root.querySelectorAll<HTMLElement>("button, select, .levels label, td[tabindex]")]
        .filter((e) => e.checkVisibility())
        .map((e) => e.getBoundingClientRect())
        .filter(({ width, height }) => width < 23.9 || height < 23.9).length;
      return {
        taken: wheel.defaultPrevented,
        small: [...new Set(small)],
        targets,
        globals: Object.keys(window)
          .filter((key) => /^(lit|loom|reactive|attention)/i.test(key))
          .sort(),
      };
    });
    expect(found).toEqual({ taken: false, small: [], targets: 0, globals: LIT_GLOBALS });
  });

  test("themes: auto follows the page's colour scheme at run time, light and dark hold", async () => {
    const page = await visit([{}, { theme: "light" }, { theme: "dark" }]);
    const grounds = async () =>
      page.evaluate(() =>
        [...document.querySelectorAll("loom-attention")].map(
          (e) => getComputedStyle(e.shadowRoot?.querySelector(".widget") as Element).backgroundColor,
        ),
      );
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    const [auto, light, dark] = await grounds();
    expect(auto).toBe(light);
    expect(light).not.toBe(dark);
    await page.evaluate(() => document.documentElement.style.setProperty("color-scheme", "dark"));
    const changed = await grounds();
    expect(changed).toEqual([dark, light, dark]);
  });

  test("on a page that reads from right to left matrices and formulas still read from left to right", async () => {
    const page = await visit([{ stage: "scores" }]);
    await page.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
    const order = await page.evaluate(() => {
      const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
      const x = (selector: string) => (root.querySelector(selector) as Element).getBoundingClientRect().left;
      return (
        x("table.left td[data-place='0,0']") < x("table.result td[data-place='0,0']") &&
        x("table.result td[data-place='0,0']") < x("table.result td[data-place='0,1']")
      );
    });
    expect(order).toBe(true);
  });
});

describe("says only what is so", () => {
  /** What stands behind a row of the result. */
  const behindRow = (page: Page, row: number) =>
    page.evaluate((at) => {
      const lines = document.querySelector("loom-attention")?.shadowRoot?.querySelectorAll("table.result tbody tr");
      const line = lines?.item(at);
      return line ? getComputedStyle(line, "::after").content : "";
    }, row);

  test("a query that may look at nothing has one sentence, no arithmetic, and no “= 1”", async () => {
    const page = await visit([{ allow: "0 0 0 0 0;1 1 1 1 1;1 1 1 1 1;1 1 1 1 1", stage: "weights" }]);
    expect(await behindRow(page, 0)).toBe("none");
    expect(await behindRow(page, 1)).toContain("= 1");
    for (const level of LEVELS.filter((name) => name !== "stage")) {
      await act(page, { type: "jump", stage: "weights", level, row: 0, column: 0 });
      expect((await texts(page, ".sentence"))[0]).toContain("its weights are all 0, and so is its output.");
      expect((await texts(page, ".work"))[0]?.trim()).toBe("");
    }
  });

  test("a number out of range is marked and not called blocked, and the check fails", async () => {
    const page = await visit([{ q: "1e20 0;0 1", k: "-1e20 0;0 1", v: "1 2;3 4", stage: "scores" }]);
    expect(await texts(page, "table.result td.bad")).toEqual(["−∞"]);
    expect(await texts(page, "table td.blocked")).toEqual([]);
    const border = await page.evaluate(() => {
      const cell = document.querySelector("loom-attention")?.shadowRoot?.querySelector("td.bad");
      return cell ? getComputedStyle(cell).borderStyle : "";
    });
    expect(border).toBe("double");
    await act(page, { type: "jump", stage: "weights" });
    expect(await behindRow(page, 0)).toBe("none");
    expect(await behindRow(page, 1)).toContain("= 1");
    expect((await texts(page, "[data-card=checks] li.bad")).join(" ")).toContain("left the range of 32 bits");
  });

  test("the temperature stands in the formula, in the sentence and in the program", async () => {
    const page = await visit([{ temperature: "0.5", stage: "shifted", level: "cell" }]);
    expect((await texts(page, ".formula")).join("")).toContain("τ");
    expect((await texts(page, ".sentence"))[0]).toContain("divided by the temperature 0.5");
    expect((await texts(page, ".code .here")).join("")).toContain("/ 0.5");
  });

  test.each([1000, 390, 320])(
    "a softmax along the wrong axis fits and claims nothing of rows, %i wide",
    async (width) => {
      const page = await visit([{ softmax: "columns", level: "cell", stage: "rowmax" }], width);
      expect((await texts(page, ".stop .name")).filter((name) => name.startsWith("col"))).toEqual(["colmax", "colsum"]);
      for (const stage of ["rowmax", "shifted", "rowsum", "weights"]) {
        await act(page, { type: "jump", stage, level: "cell", column: 1 });
        expect(await behindRow(page, 0), stage).toBe("none");
        const found = await page.evaluate(() => {
          const root = document.querySelector("loom-attention")?.shadowRoot as ShadowRoot;
          const box = root.querySelector(".scroll") as HTMLElement;
          const lefts = (slot: string) =>
            [...root.querySelectorAll(`.scroll table.${slot} tbody tr:first-of-type td`)].map((cell) =>
              Math.round(cell.getBoundingClientRect().left),
            );
          return { beyond: box.scrollWidth - box.clientWidth, top: lefts("top"), result: lefts("result") };
        });
        expect(found.beyond, stage).toBeLessThanOrEqual(0);
        // Each number of a key stands in its column.
        expect(found.top, stage).toEqual(found.result);
      }
      expect(await faultsOf(page)).toEqual([]);
    },
  );

  test("without the shift a row that overflows is marked, and the check fails", async () => {
    const page = await visit([{ shift: "off", scale: "20", stage: "weights" }]);
    expect(await texts(page, "table.result td.bad")).toEqual(["NaN", "NaN"]);
    expect((await texts(page, "[data-act=checks]")).join("")).toContain("check failed");
    expect(await texts(page, ".stop .name")).not.toContain("rowmax");
  });
});
