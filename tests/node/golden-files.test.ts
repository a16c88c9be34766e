// The stored golden files are what the program beside them writes.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { goldenFolder } from "./support/golden.ts";

const python = ["/usr/bin/python3", "python3"].find(
  (program) => spawnSync(program, ["-c", "import numpy"], { stdio: "ignore" }).status === 0,
);
if (python === undefined) console.log("golden files not recomputed: no python3 with NumPy (package python3-numpy)");

/** Paths and numbers of a JSON value, in order. */
function leaves(value: unknown, path: string, into: [string, unknown][]): [string, unknown][] {
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) leaves(inner, `${path}.${key}`, into);
  } else {
    into.push([path, value]);
  }
  return into;
}

test.skipIf(python === undefined)("make_golden.py writes the stored golden files again", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "golden-"));
  try {
    const run = spawnSync(python as string, [fileURLToPath(new URL("make_golden.py", goldenFolder)), folder], {
      encoding: "utf8",
    });
    expect(run.stderr).toBe("");
    expect(run.status).toBe(0);
    const written = readdirSync(folder);
    expect(written.length).toBeGreaterThan(0);
    for (const name of written) {
      const fresh = leaves(JSON.parse(readFileSync(join(folder, name), "utf8")), name, []);
      const stored = leaves(JSON.parse(readFileSync(new URL(name, goldenFolder), "utf8")), name, []);
      expect(stored.length, name).toBe(fresh.length);
      for (const [i, [path, want]] of fresh.entries()) {
        const [storedPath, got] = stored[i] as [string, unknown];
        expect(storedPath).toBe(path);
        // Another NumPy or processor may differ in the last of the ten digits kept.
        const near =
          typeof want === "number" && typeof got === "number" && Math.abs(got - want) <= 1e-9 * (1 + Math.abs(want));
        if (!near) expect(got, path).toBe(want);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
