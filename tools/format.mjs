// npm run format: formats everything. npm run lint is the same as a check, with the type check added.
import { spawnSync } from "node:child_process";
import { projectRoot } from "./setup/paths.mjs";
import { cppFiles } from "./test/cpp-files.mjs";

const check = process.argv.includes("--check");
/** @type {[string, string[]][]} */
const commands = [
  ["node_modules/.bin/biome", ["check", ...(check ? ["--error-on-warnings"] : ["--write"]), "."]],
  ["clang-format", [...(check ? ["--dry-run", "--Werror"] : ["-i"]), ...cppFiles()]],
];
if (check) commands.push(["node_modules/.bin/tsc", ["-p", "."]]);

for (const [command, args] of commands) {
  const { status, error } = spawnSync(command, args, { cwd: projectRoot, stdio: "inherit" });
  if (error) console.error(`✗ ${command} could not be started (${error.message}); run "npm run setup" first.`);
  if (status !== 0) process.exitCode = 1;
}
