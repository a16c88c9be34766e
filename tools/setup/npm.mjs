// Brings the npm packages of the lock file, exactly these, without running any of their scripts.
import { existsSync, lstatSync, statSync } from "node:fs";
import { inProject, projectRoot } from "./paths.mjs";
import { mustRun } from "./run.mjs";

/** npm writes this file last, so it also tells a finished installation from an interrupted one. */
const installed = inProject("node_modules", ".package-lock.json");

/**
 * @param {(sentence: string) => void} say
 * @returns {Promise<string>}
 */
export async function bringNpmPackages(say) {
  const lock = inProject("package-lock.json");
  // npm ci follows a link and empties the folder behind it, which belongs to somebody else.
  const folder = lstatSync(inProject("node_modules"), { throwIfNoEntry: false });
  if (folder?.isSymbolicLink()) return "node_modules is a link, left as it is";
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return "node_modules up to date";
  say("installing with npm ci");
  const sentence = "Could not install the npm packages; check that npm reaches its registry and run this again.";
  await mustRun("npm", sentence, "npm", ["ci", "--no-audit", "--no-fund"], { cwd: projectRoot });
  return "npm ci done";
}
