// npm run build [-- wasm dist site]: runs the named build steps (default: all) without the set-up.
import { runStep } from "./build/fingerprint.mjs";
import { steps } from "./build/steps.mjs";
import { main, SetupError, stage } from "./setup/stage.mjs";

await main(async () => {
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : Object.keys(steps)) {
    const step = steps[name];
    if (!step)
      throw new SetupError(`There is no build step "${name}"; the steps are ${Object.keys(steps).join(", ")}.`);
    await stage(name, async () => ({ note: await runStep(step) }));
  }
});
