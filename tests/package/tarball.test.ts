import { readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { privateRoot, projectRoot } from "../../tools/setup/paths.mjs";
import { reserveCss } from "../../web/elements/element-styles.ts";
import { type Installed, installPacked } from "./support/tarball.ts";

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
afterAll(() => rmSync(installed.place, { recursive: true, force: true }));

/** Bytes as characters, so that text inside binary files is found too. */
const read = (file: string): string => readFileSync(join(installed.folder, file), "latin1");
const scripts = (): string[] => installed.files.filter((file) => file.endsWith(".js"));

/** The scripts a browser can come to load from the two browser entries, now or later. */
function browserScripts(): string[] {
  const names = new Set(["index.js", "element.js"]);
  for (const name of names) {
    for (const [, next] of read(`dist/${name}`).matchAll(/(?:from|import)\s*\(?\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) {
      names.add(next as string);
    }
  }
  return [...names].map((name) => `dist/${name}`);
}

const found = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((file) => [...read(file).matchAll(pattern)].map((match) => `${file}: ${match[0]}`));

const allowed = [
  /^package\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^(LICENSE|LICENSE-content|NOTICE)$/,
  /^dist\/(index|node|element|element-node|math-font)\.js$/,
  /^dist\/[\w.-]+-[\w-]{8}\.js$/,
  /^dist\/loom-core(-relaxed|-scalar)?\.wasm$/,
  /^dist\/types\/[\w./-]+\.d\.ts$/,
];

describe("what the tarball contains", () => {
  test("P24: only files of the allow-list, and the licences", () => {
    expect(installed.files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
    for (const file of ["LICENSE", "LICENSE-content", "NOTICE", "README.md"]) expect(installed.files).toContain(file);
  });

  test("P24: no path of the machine that built it", () => {
    const places = [projectRoot, homedir(), tmpdir(), privateRoot, "/usr/share/emscripten", "/var/cache/"];
    const paths = places.map((place) => `${place.replace(/\/$/, "")}/`);
    const hits = installed.files.flatMap((file) => {
      const text = read(file);
      return paths.filter((path) => text.includes(path)).map((path) => `${file}: ${path}`);
    });
    expect(hits).toEqual([]);
  });

  test("P24: no install scripts", () => {
    const manifest = JSON.parse(read("package.json"));
    const names = Object.keys(manifest.scripts ?? {});
    expect(names.filter((name) => /^(pre|post)?install$|^prepare$|^(pre|post)prepare$/.test(name))).toEqual([]);
    expect(manifest.dependencies ?? {}).toEqual({});
  });

  test("the math font lies in one file that the element loads only when it is drawn", () => {
    expect(browserScripts()).toContain("dist/math-font.js");
    const file = "dist/math-font.js";
    // 11 kB of WOFF2 in base64; the goal for guest pages.
    expect(read(file).length).toBeLessThan(16_000);
    for (const element of ["dist/element.js", "dist/element-node.js"]) {
      expect(found([element], /import\("\.\/math-font\.js"\)/g)).toHaveLength(1);
      expect(found([element], /from\s*["'`]\.\/math-font/g)).toEqual([]);
    }
    expect(scripts().filter((name) => read(name).includes(read(file).slice(20, 120)))).toEqual([file]);
  });

  test("P4: nothing of Node in the browser's files", () => {
    expect(browserScripts().length).toBeGreaterThan(1);
    expect(found(browserScripts(), /["'`]node:|\brequire\s*\(|createRequire|\bprocess\./g)).toEqual([]);
  });

  test("P5: exactly one literal address of each wasm file in the browser's files", () => {
    const any = found(browserScripts(), /new URL\([^)]*\.wasm/g);
    const literal = browserScripts().flatMap((file) =>
      [...read(file).matchAll(/new URL\("\.\/([\w-]+\.wasm)", import\.meta\.url\)/g)].map((match) => match[1]),
    );
    expect(any).toHaveLength(3);
    expect(literal.sort()).toEqual(
      installed.files.flatMap((file) => /^dist\/(.*\.wasm)$/.exec(file)?.[1] ?? []).sort(),
    );
  });

  test("P14, K31: no code made from strings", () => {
    expect(scripts().length).toBeGreaterThan(2);
    expect(found(scripts(), /(?<![\w$.])eval\s*\(|\bnew Function\b|(?<![\w$.])Function\s*\(/g)).toEqual([]);
  });

  test("the rule in README that keeps the element's place is the element's own", () => {
    const plain = (css: string) => css.replace(/\s+/g, "").replace(/;\}/g, "}");
    expect(plain(read("README.md"))).toContain(plain(reserveCss));
  });

  test("K57: no look-behind in a regular expression", () => {
    expect(found(scripts(), /\(\?<[=!]/g)).toEqual([]);
  });
});
