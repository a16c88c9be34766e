import { execFile } from "node:child_process";

/** The environment without what npm adds for its scripts, so that a child behaves as if a person had started it. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_OPTIONS)/i.test(name)));
}

/** Runs a command to its end; rejects with everything it printed when it fails. Returns its standard output. */
export function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: plainEnvironment(), maxBuffer: 64 * 1024 * 1024 };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${[command, ...args].join(" ")} failed: ${error.message}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}
