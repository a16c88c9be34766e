// This folder's own packages, installed when they are not there or older than the lock file.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mustRun } from "../../tools/setup/run.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

export async function bringPackages() {
  const installed = join(here, "node_modules", ".package-lock.json");
  const lock = join(here, "package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return "up to date";
  const failed =
    "Could not install the packages of tests/bench; check that npm reaches its registry and run this again.";
  await mustRun("npm-bench", failed, "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: here });
  return "npm ci done";
}
