// The type declarations: written by tsc, with `.ts` in imports turned into the `.js` every consumer's setting resolves.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { filesBelow } from "../build/fingerprint.mjs";
import { inProject, projectRoot } from "../setup/paths.mjs";

const relativeImport = /((?:from|import)\s*\(?\s*)"(\.{1,2}\/[^"]*)\.ts"/g;

/** @param {string} declarations */
export const withJsImports = (declarations) => declarations.replace(relativeImport, '$1"$2.js"');

/** Writes dist/types. @returns {boolean} whether tsc had nothing to complain about */
export function writeTypes() {
  const tsc = inProject("node_modules/typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], {
    cwd: projectRoot,
    stdio: "inherit",
  });
  for (const file of filesBelow(inProject("dist/types")))
    writeFileSync(file, withJsImports(readFileSync(file, "utf8")));
  return status === 0;
}
