// The core in bare Node, from any working directory and any folder.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectClose } from "./support/compare.ts";

const emit = fileURLToPath(new URL("support/emit-core.mjs", import.meta.url));
let base = "";

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "loom-node-"));
  const emitted = spawnSync(process.execPath, [emit, join(base, "core")], { encoding: "utf8" });
  expect(emitted.stderr).toBe("");
  expect(emitted.status).toBe(0);
});
afterAll(() => rmSync(base, { recursive: true }));

/** Copies the core to a folder of that name and computes K05 in a fresh process that runs in `workingDirectory`. */
function computeIn(folderName: string, workingDirectory: string): number[] {
  const folder = join(base, folderName);
  cpSync(join(base, "core"), folder, { recursive: true });
  const script = `
    const { loadLoom } = await import(${JSON.stringify(pathToFileURL(join(folder, "web", "core", "node.js")).href)});
    const loom = await loadLoom();
    const q = [[1, 0], [0, 1]];
    const { trace } = loom.attend({ q, k: q, v: [[1, 2], [3, 4]], allow: [[true, false], [true, true]], trace: true });
    console.log(JSON.stringify([...trace.stage("weights").data]));`;
  const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: workingDirectory,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  expect(run.stderr).toBe("");
  expect(run.status).toBe(0);
  return JSON.parse(run.stdout);
}

describe("loading in Node", { timeout: 60_000 }, () => {
  test("K29 the core loads from another working directory, without flags", () => {
    const elsewhere = join(base, "elsewhere");
    mkdirSync(elsewhere);
    expectClose(computeIn("plain", elsewhere), [1, 0, 0.3302385, 0.6697615], "weights");
  });

  test.each(["a b#ü", "100% sure?", "日本 [x]"])("K29 the core loads from a folder named %j", (folderName) => {
    expectClose(computeIn(folderName, tmpdir()), [1, 0, 0.3302385, 0.6697615], "weights");
  });
});
