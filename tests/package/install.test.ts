import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve } from "../../tools/serve.mjs";
import { projectRoot } from "../../tools/setup/paths.mjs";
import { launchChromium } from "../support/chromium.ts";
import { run } from "./support/command.ts";
import { areClose, k05Output, k05Program, k05Weights } from "./support/k05.ts";
import { type Installed, installPacked } from "./support/tarball.ts";

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
afterAll(() => rmSync(installed.place, { recursive: true, force: true }));

describe("the packed tarball, installed without network under an awkward path", () => {
  test("K05, K29: Node computes it from another working directory, without flags", async () => {
    const program = join(installed.consumer, "k05.mjs");
    const text = `import { loadLoom } from "attention-loom";${k05Program}console.log(JSON.stringify(result));\n`;
    writeFileSync(program, text);
    const { weights, output } = JSON.parse(await run(process.execPath, [program], "/"));
    expect(areClose(weights, k05Weights), `weights ${weights}`).toBe(true);
    expect(weights[1]).toBe(0);
    expect(areClose(output, k05Output), `output ${output}`).toBe(true);
  });

  test("E14: the same under Node without code from strings", async () => {
    const flag = "--disallow-code-generation-from-strings";
    const out = await run(process.execPath, [flag, join(installed.consumer, "k05.mjs")], "/");
    expect(areClose(JSON.parse(out).weights, k05Weights)).toBe(true);
  });

  test("the documented one-liner works from the consumer's folder", async () => {
    const line = `import("attention-loom").then(async ({ loadLoom }) => {${k05Program}console.log(result.weights.length)})`;
    expect((await run(process.execPath, ["-e", line], installed.consumer)).trim()).toBe("4");
  });

  test("E4: every script that the package exports can be imported in Node without a document, and makes none", async () => {
    const manifest = JSON.parse(readFileSync(join(installed.folder, "package.json"), "utf8"));
    const entries = Object.keys(manifest.exports).filter((name) => !/\.(wasm|json)$/.test(name));
    expect(entries).toEqual([".", "./element"]);
    for (const entry of entries) {
      const name = `attention-loom${entry.slice(1)}`;
      const program = `const names = Object.keys(await import("${name}"));
const dom = ["document", "window", "HTMLElement"].filter((name) => name in globalThis);
console.log(JSON.stringify({ names, dom }));`;
      const out = await run(process.execPath, ["--input-type=module", "-e", program], installed.consumer);
      const { names, dom } = JSON.parse(out);
      expect(names).toContain(entry === "." ? "loadLoom" : "defineLoom");
      expect(dom, name).toEqual([]);
    }
  });

  test("E4: the element's class can be extended in Node, and registering it there does no harm", async () => {
    const program = `const { LoomAttention, defineLoom, VERSION } = await import("attention-loom/element");
class Mine extends LoomAttention {}
defineLoom("my-loom");
console.log(typeof Mine, VERSION);`;
    const out = await run(process.execPath, ["--input-type=module", "-e", program], installed.consumer);
    const { version } = JSON.parse(readFileSync(join(installed.folder, "package.json"), "utf8"));
    expect(out.trim()).toBe(`function ${version}`);
  });

  test("K05, K31, K45: a bare page in Chromium computes it under the strict policy, with no violation", async () => {
    const entry = "./node_modules/attention-loom/dist/index.js";
    writeFileSync(
      join(installed.consumer, "page.js"),
      `try {
const { loadLoom } = await import("${entry}");${k05Program}globalThis.result = result;
} catch (error) {
  globalThis.result = { error: String(error), weights: [], output: [] };
}
`,
    );
    const head = `<meta charset="utf-8"><title>K05</title><script type="module" src="./page.js"></script>`;
    writeFileSync(join(installed.consumer, "page.html"), `<!doctype html><html lang="en">${head}</html>\n`);
    const { address, close } = await serve(installed.consumer, { port: 0 });
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      const hosts = new Set<string>();
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => {
        // The browser asks for an icon by itself; the folder has none.
        if (!message.location().url?.endsWith("/favicon.ico")) problems.push(message.text());
      });
      page.on("request", (request) => hosts.add(new URL(request.url()).host));
      await page.evaluateOnNewDocument(() => {
        const seen: string[] = [];
        Object.assign(globalThis, { violations: seen });
        document.addEventListener("securitypolicyviolation", (event) => seen.push(event.violatedDirective));
      });
      const response = await page.goto(`${address}page.html`);
      expect(response?.headers()["content-security-policy"]).toContain("default-src 'none'");
      const result = await page.waitForFunction(() => (globalThis as { result?: unknown }).result);
      const value = await result.jsonValue();
      const { weights, output, error } = value as { weights: number[]; output: number[]; error?: string };
      expect(error).toBeUndefined();
      expect(areClose(weights, k05Weights), `weights ${weights}`).toBe(true);
      expect(areClose(output, k05Output), `output ${output}`).toBe(true);
      expect(await page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)).toEqual([]);
      expect(problems).toEqual([]);
      expect([...hosts]).toEqual([new URL(address).host]);
    } finally {
      await browser.close();
      await close();
    }
  });

  test("P15: a page in Chromium fetches the one wasm file that it runs, and each build computes", async () => {
    const page = (simd: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>${simd}</title>
<script type="module" src="./${simd}.js"></script></html>`;
    const { address, close } = await serve(installed.consumer, { port: 0 });
    const browser = await launchChromium();
    try {
      for (const [simd, build, file] of [
        ["auto", "simd128", "loom-core.wasm"],
        ["relaxed", "relaxed", "loom-core-relaxed.wasm"],
        ["off", "scalar", "loom-core-scalar.wasm"],
      ] as const) {
        const program = `import { loadLoom } from "./node_modules/attention-loom/dist/index.js";
const loom = await loadLoom(${simd === "auto" ? "" : `{ simd: "${simd}" }`});
globalThis.result = { simd: loom.buildInfo().simd, shares: [...loom.softmax({ data: [1, 2, 3, 4] }).data] };\n`;
        writeFileSync(join(installed.consumer, `${simd}.js`), program);
        writeFileSync(join(installed.consumer, `${simd}.html`), page(simd));
        const tab = await browser.newPage();
        const fetched: string[] = [];
        tab.on("request", (request) => {
          const name = new URL(request.url()).pathname.split("/").at(-1) ?? "";
          if (name.endsWith(".wasm")) fetched.push(name);
        });
        await tab.goto(`${address}${simd}.html`);
        const handle = await tab.waitForFunction(() => (globalThis as { result?: unknown }).result);
        const result = (await handle.jsonValue()) as { simd: string; shares: number[] };
        expect(result.simd).toBe(build);
        expect(areClose(result.shares, [0.0320586, 0.0871443, 0.2368828, 0.6439143]), `${result.shares}`).toBe(true);
        expect(fetched).toEqual([file]);
        await tab.close();
      }
    } finally {
      await browser.close();
      await close();
    }
  });

  test.each(["bundler", "node16"])("P3: the types compile with moduleResolution %s", async (resolution) => {
    const program = `import { type Loom, loadLoom } from "attention-loom";
import { defineLoom, LoomAttention } from "attention-loom/element";
export async function weights(loom: Loom): Promise<Float32Array> {
  const { trace } = loom.attend({ q: [[1]], k: [[1]], v: [[1]], trace: true });
  if (!trace) throw new Error("no trace");
  return trace.stage("weights").data;
}
export const answer = loadLoom().then(weights);
defineLoom("my-loom");
export async function show(element: LoomAttention): Promise<string | null> {
  element.stage = "weights";
  await element.updateComplete;
  // @ts-expect-error there is no such property
  element.banana = 1;
  return element.getAttribute("stage");
}
`;
    writeFileSync(join(installed.consumer, "types.ts"), program);
    const options = {
      target: "ES2022",
      lib: ["ES2022", "DOM", "ESNext.Disposable"],
      module: resolution === "node16" ? "node16" : "esnext",
      moduleResolution: resolution,
      strict: true,
      noEmit: true,
      types: [],
    };
    const config = join(installed.consumer, `tsconfig.${resolution}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: ["types.ts"] }));
    await run(
      process.execPath,
      [join(projectRoot, "node_modules/typescript/bin/tsc"), "-p", config],
      installed.consumer,
    );
  });

  test("P1: every export has a file behind it", () => {
    const manifest = JSON.parse(readFileSync(join(installed.folder, "package.json"), "utf8"));
    const targets = Object.values(manifest.exports as Record<string, string | Record<string, string>>)
      .flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))
      .filter((target) => !target.includes("*"));
    const missing = targets.filter((target) => !installed.files.includes(target.replace(/^\.\//, "")));
    expect(targets.length).toBeGreaterThan(4);
    expect(missing).toEqual([]);
  });
});
