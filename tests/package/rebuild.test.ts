import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wasmFiles } from "../../tools/package/wasm-url.mjs";
import { inProject, projectRoot } from "../../tools/setup/paths.mjs";
import { run } from "./support/command.ts";

const notCopied = new Set(["node_modules", "build", "dist", ".git"]);

/** SHA-256 of each file below a folder. */
function hashes(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length + 1), createHash("sha256").update(readFileSync(file)).digest("hex")]),
  );
}

describe("the same sources built in another folder, with the network off", () => {
  // With a space and an umlaut, but no number sign: Vite takes "#" in a project's own path for the end of an address.
  const place = mkdtempSync(join(tmpdir(), "loom ü 1 "));
  const folder = join(place, "copy");

  beforeAll(async () => {
    mkdirSync(join(folder, "build"), { recursive: true });
    for (const name of readdirSync(projectRoot).filter((entry) => !notCopied.has(entry))) {
      cpSync(inProject(name), join(folder, name), { recursive: true });
    }
    cpSync(inProject("build/toolchain"), join(folder, "build/toolchain"), { recursive: true });
    // A copy, not a link, so that tools which resolve links see the other folder.
    await run("cp", ["-a", inProject("node_modules"), join(folder, "node_modules")], projectRoot);
    await run("unshare", ["-rn", process.execPath, "tools/build.mjs", "wasm", "dist", "site"], folder);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test.each([
    ["the compiled core", "build/wasm", ["loom-core.mjs", ...wasmFiles]],
    ["the npm package", "dist", undefined],
    ["the site", "build/site", undefined],
  ])("R17.4, R17.5, P25: %s has the same bytes", (_name, place, only) => {
    const pick = (all: Record<string, string>) =>
      only ? Object.fromEntries(only.map((file) => [file, all[file]])) : all;
    expect(existsSync(join(folder, place))).toBe(true);
    const here = pick(hashes(inProject(place)));
    expect(Object.keys(here).length).toBeGreaterThan(1);
    expect(pick(hashes(join(folder, place)))).toEqual(here);
  });
});
