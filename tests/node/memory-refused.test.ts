// The engine refuses to let the memory grow: that call ends in an error, and the next one is right.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const emit = fileURLToPath(new URL("support/emit-core.mjs", import.meta.url));

const SCRIPT = `
  const { loadLoom } = await import(process.argv[1]);
  const loom = await loadLoom();
  const before = loom.memory();
  const long = { data: new Float32Array(2048).fill(1), shape: [2048, 1] };
  const errors = [];
  for (let i = 0; i < 3; i++) {
    for (const call of [
      () => loom.attend({ q: long, k: long, v: long, trace: true }),
      () => loom.reference({ q: long, k: long, v: long }),
      () => loom.softmax({ data: new Float32Array(8_000_000) }),
    ]) {
      try { call(); errors.push("nothing was refused"); } catch (error) { errors.push([error.name, error.code, error.message]); }
      const q = [[1, 0], [0, 1]];
      const { output } = loom.attend({ q, k: q, v: [[1, 2], [3, 4]], allow: [[1, 0], [1, 1]] });
      errors.push([...output.data]);
    }
  }
  console.log(JSON.stringify({ errors, before, after: loom.memory() }));`;

test("a refused allocation is an error that leaks nothing, and the next call is right", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "loom-memory-"));
  try {
    expect(spawnSync(process.execPath, [emit, folder], { encoding: "utf8" }).stderr).toBe("");
    const entry = pathToFileURL(join(folder, "web", "core", "node.js")).href;
    const run = spawnSync(
      process.execPath,
      ["--wasm-max-mem-pages=300", "--input-type=module", "--eval", SCRIPT, entry],
      { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
    );
    expect(run.stderr).toBe("");
    const { errors, before, after } = JSON.parse(run.stdout);
    expect(errors).toHaveLength(18);
    for (let i = 0; i < errors.length; i += 2) {
      expect(errors[i]).toEqual(["LoomCoreError", "memory", expect.stringMatching(/\d{7,} bytes/)]);
      expect(errors[i + 1].map((value: number) => value.toFixed(5))).toEqual([
        "1.00000",
        "2.00000",
        "2.33952",
        "3.33952",
      ]);
    }
    expect(after.liveBuffers).toBe(before.liveBuffers);
    expect(after.liveBytes).toBe(before.liveBytes);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
