// Runs a command; its output goes to a log file and is shown only when it fails.
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { inProject } from "./paths.mjs";
import { SetupError } from "./stage.mjs";

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number | null, out: string, missing: boolean }>} standard output and error together
 */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    const take = (/** @type {Buffer} */ chunk) => {
      out += chunk;
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child.on("error", (error) =>
      resolve({ code: null, out, missing: /** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT" }),
    );
    child.on("close", (code) => resolve({ code, out, missing: false }));
  });
}

/**
 * Runs a command that must succeed. On failure the last lines of its output are printed and the sentence is thrown.
 *
 * @param {string} log name of the log file in build/log
 * @param {string} sentence what to tell when it fails; the log's name is added
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export async function mustRun(log, sentence, command, args, options = {}) {
  const folder = inProject("build", "log");
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${log}.log`;
  const stream = createWriteStream(file);
  stream.write(`$ ${[command, ...args].join(" ")}\n`);
  const env = { ...(options.env ?? process.env), NO_COLOR: "1" };
  const child = spawn(command, args, { ...options, env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout?.pipe(stream, { end: false });
  child.stderr?.pipe(stream, { end: false });
  const code = await new Promise((resolve) => {
    child.on("error", (error) => {
      stream.write(`${error.message}\n`);
      resolve(-1);
    });
    child.on("close", resolve);
  });
  await new Promise((resolve) => stream.end(resolve));
  if (code === 0) return;
  const tail = readFileSync(file, "utf8").trimEnd().split("\n").slice(-15);
  console.error(tail.map((line) => `  | ${line}`).join("\n"));
  throw new SetupError(`${sentence} The whole output is in build/log/${log}.log.`);
}
