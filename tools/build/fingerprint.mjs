// Tells whether a build step has anything to do: the hash of all it reads, kept beside what it wrote.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { inProject, projectRoot } from "../setup/paths.mjs";

/** @returns {string[]} the file, or all files below the folder, sorted; nothing when it does not exist */
export function filesBelow(/** @type {string} */ path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** @param {string[]} inputs files and folders inside the project */
export function fingerprint(inputs) {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap((input) => filesBelow(inProject(input)))) {
    hash
      .update(`${relative(projectRoot, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * @typedef {{ name: string, inputs: string[], outputs: string[], run: () => Promise<void> }} Step
 * `inputs` and `outputs` are paths inside the project.
 */

/**
 * Runs the step unless its inputs are as they were when it last succeeded and its outputs are there.
 *
 * @param {Step} step
 * @returns {Promise<"up to date" | "built">}
 */
export async function runStep(step) {
  const stamp = inProject("build", "stamps", step.name);
  const before = fingerprint(step.inputs);
  const done =
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === before &&
    step.outputs.every((output) => existsSync(inProject(output)));
  if (done) return "up to date";
  await step.run();
  const lacking = step.outputs.find((output) => !existsSync(inProject(output)));
  if (lacking) throw new Error(`The build step "${step.name}" ended without writing ${lacking}.`);
  mkdirSync(inProject("build", "stamps"), { recursive: true });
  writeFileSync(stamp, before);
  return "built";
}
