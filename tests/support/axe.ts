// What axe-core finds on a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "puppeteer-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Found {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Violations of all rules, best practice included, in what matches `selector` first; by default on the whole page. */
export async function violationsOf(page: Page, selector?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(async (query) => {
    const { axe } = window as unknown as { axe: { run(what: Element | Document): Promise<Found> } };
    const what = query === undefined ? document : document.querySelector(query);
    if (!what) throw new Error(`nothing matches ${query}`);
    const { violations } = await axe.run(what);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  }, selector);
}
