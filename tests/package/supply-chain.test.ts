import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inProject } from "../../tools/setup/paths.mjs";

interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
}

const text = (file: string): string => readFileSync(inProject(file), "utf8");
const manifest = JSON.parse(text("package.json"));
const locked = Object.entries(JSON.parse(text("package-lock.json")).packages as Record<string, LockedPackage>).filter(
  ([path]) => path !== "",
);

test("R17.1: each locked package has a version and an integrity hash, none an address", () => {
  expect(locked.length).toBeGreaterThan(100);
  expect(locked.filter(([, item]) => !item.integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
  expect(locked.filter(([, item]) => item.resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test("R17.1: package.json and the lock file name the same exact versions", () => {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies } as Record<string, string>);
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  const versions = new Map(locked.map(([path, item]) => [path, item.version]));
  expect(wanted.filter(([name, version]) => versions.get(`node_modules/${name}`) !== version)).toEqual([]);
});

test("R17.1: npm's settings keep it so, and no file names a registry", () => {
  const settings = text(".npmrc").trim().split("\n");
  for (const line of ["omit-lockfile-registry-resolved=true", "ignore-scripts=true", "save-exact=true"]) {
    expect(settings).toContain(line);
  }
  for (const file of [".npmrc", "package.json", "package-lock.json"])
    expect(text(file)).not.toMatch(/registry\.|_auth/);
});

test("R17.2: no package needs an install script", () => {
  expect(locked.filter(([, item]) => item.hasInstallScript).map(([path]) => path)).toEqual([]);
});

interface Chunk {
  fileName: string;
  imports: string[];
  modules: string[];
}

/** The npm packages whose modules lie in an entry of dist/ and in what it loads. */
function packagesIn(entry: string): string[] {
  const chunks = JSON.parse(text("build/package-modules.json")) as Chunk[];
  const names = new Set([entry]);
  const packages = new Set<string>();
  for (const name of names) {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    for (const next of chunk?.imports ?? []) names.add(next);
    for (const module of chunk?.modules ?? []) {
      const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module);
      if (match?.[1]) packages.add(match[1]);
    }
  }
  return [...packages].sort();
}

const partsOfLit = ["@lit/reactive-element", "lit", "lit-element", "lit-html"];

test("R17.3, P27: the element brings at most five packages, Lit counted once, each named in NOTICE", () => {
  const packages = packagesIn("element.js");
  expect(packages).toContain("lit");
  expect(packages.filter((name) => !partsOfLit.includes(name)).length + 1).toBeLessThanOrEqual(5);
  const notice = text("NOTICE");
  expect(packages.filter((name) => !notice.includes(name))).toEqual([]);
});

test("R17.3: what the element's file for Node brings is named in NOTICE too", () => {
  const packages = packagesIn("element-node.js");
  expect(packages).toContain("lit");
  const notice = text("NOTICE");
  expect(packages.filter((name) => !notice.includes(name))).toEqual([]);
});

test("R17.3, P10: the core brings no package at all", () => {
  expect(packagesIn("index.js")).toEqual([]);
  expect(packagesIn("node.js")).toEqual([]);
});
