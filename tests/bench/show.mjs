// Runs a command with its output shown.

import { spawn } from "node:child_process";
import { projectRoot } from "../../tools/setup/paths.mjs";

/** @returns {Promise<number | null>} the exit code; null when it did not start */
export const show = (command, args) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: projectRoot, stdio: "inherit" });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(null);
    });
    child.on("close", resolve);
  });
