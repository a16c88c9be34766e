// npm start: brings what is missing, builds what has changed, serves the site. `-- --port 8080`, `--host`, `--watch`.
import { watch } from "node:fs";
import { parseArgs } from "node:util";
import { runStep } from "./build/fingerprint.mjs";
import { site, wasm } from "./build/steps.mjs";
import { serve } from "./serve.mjs";
import { setUp } from "./setup/index.mjs";
import { inProject } from "./setup/paths.mjs";
import { main, SetupError, seconds, stage } from "./setup/stage.mjs";

function options() {
  try {
    const { values } = parseArgs({
      options: { port: { type: "string" }, host: { type: "string" }, watch: { type: "boolean" } },
    });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65535)) {
      throw new Error(`--port wants a whole number from 0 to 65535, not "${values.port}"`);
    }
    return { ...values, port };
  } catch (error) {
    throw new SetupError(`${/** @type {Error} */ (error).message}; known are --port N, --host ADDRESS and --watch.`);
  }
}

/** Builds the site again after changes below web/ and content/, one build at a time. */
function rebuildOnChange() {
  let busy = false;
  let again = false;
  const rebuild = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    do {
      again = false;
      await main(() => stage("site", async () => ({ note: await runStep(site) })));
    } while (again);
    busy = false;
  };
  for (const folder of ["web", "content"]) watch(inProject(folder), { recursive: true }, rebuild);
}

await main(async () => {
  const start = performance.now();
  const { port, host, watch: watching } = options();
  await setUp();
  await stage("core (wasm)", async (say) => {
    say("compiling what has changed in cpp/");
    return { note: await runStep(wasm) };
  });
  await stage("site", async () => ({ note: await runStep(site) }));
  const { address, close } = await serve(inProject("build", "site"), {
    ...(port === undefined ? {} : { port, exact: true }),
    ...(host ? { host } : {}),
  });
  if (watching) rebuildOnChange();
  console.log(`\nReady after ${seconds(performance.now() - start)}: ${address}   (Ctrl-C ends it)`);
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
    process.once(signal, async () => {
      await close();
      process.exit(0);
    });
  }
});
