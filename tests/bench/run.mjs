// npm run bench: the core against its peers, in Node and in Chromium. See README.md beside this file.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runStep } from "../../tools/build/fingerprint.mjs";
import { dist, wasm } from "../../tools/build/steps.mjs";
import { inProject } from "../../tools/setup/paths.mjs";
import { main, SetupError, stage } from "../../tools/setup/stage.mjs";
import { bringPackages } from "./packages.mjs";
import { growth, key, oddPairs, shapes } from "./shapes.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = inProject("build", "bench");

const known = `--engine node,chromium  --shapes "1,8,16 12,128,64"  --rounds N  --quick  --native`;

function options() {
  try {
    const { values } = parseArgs({
      options: {
        engine: { type: "string", default: "node,chromium" },
        shapes: { type: "string" },
        rounds: { type: "string" },
        quick: { type: "boolean", default: false },
        native: { type: "boolean", default: false },
      },
    });
    const engines = values.engine.split(",").filter(Boolean);
    const stranger = engines.find((name) => !["node", "chromium"].includes(name));
    if (stranger) throw new Error(`there is no engine "${stranger}"`);
    const rounds = Number(values.rounds ?? (values.quick ? 5 : 15));
    if (!Number.isInteger(rounds) || rounds < 1)
      throw new Error(`--rounds wants a whole number, not "${values.rounds}"`);
    return { ...values, engines, rounds };
  } catch (error) {
    throw new SetupError(`${error.message}; known are ${known}.`);
  }
}

function planOf({ quick, rounds, shapes: wanted }) {
  const every = quick ? 2 : 1;
  const plan = {
    shapes,
    oddPairs,
    growth: Object.fromEntries(
      Object.entries(growth).map(([axis, sizes]) => [axis, sizes.filter((_, i) => i % every === 0)]),
    ),
    rounds,
    slowRounds: quick ? 1 : 3,
    roundMs: quick ? 15 : 30,
    coldLoads: quick ? 3 : 9,
  };
  if (wanted === undefined) return plan;
  const chosen = wanted.split(/[\s;]+/).map((text) => {
    const [heads, tokens, d, ...rest] = text.split(",").map(Number);
    const size = { heads, tokens, d };
    if (rest.length > 0 || !Object.values(size).every((each) => Number.isInteger(each) && each > 0))
      throw new SetupError(`--shapes wants heads,tokens,d with blanks between shapes, not "${text}".`);
    return size;
  });
  const known = new Set(chosen.map(key));
  return { ...plan, shapes: chosen, oddPairs: oddPairs.filter((sizes) => known.has(key(sizes[0]))), growth: {} };
}

async function inNode(plan) {
  const [planFile, resultFile] = [join(out, "plan.json"), join(out, "node.json")];
  writeFileSync(planFile, JSON.stringify(plan));
  const { show } = await import("./show.mjs");
  const args = ["--experimental-wasm-relaxed-simd", join(here, "engines", "node.mjs"), planFile, resultFile];
  if ((await show(process.execPath, args)) !== 0) throw new SetupError("The measurements in Node ended with an error.");
  return JSON.parse(readFileSync(resultFile, "utf8"));
}

async function inChromium(plan) {
  const { runChromium } = await import("./engines/chromium.mjs");
  return runChromium(join(out, "site"), plan);
}

await main(async () => {
  const chosen = options();
  const plan = planOf(chosen);
  mkdirSync(out, { recursive: true });
  await stage("packages", async () => ({ note: await bringPackages() }));
  await stage("core (wasm)", async () => ({ note: await runStep(wasm) }));
  await stage("dist", async () => ({ note: await runStep(dist) }));
  const { markdown } = await import("./report/table.mjs");
  const { draw } = await import("./report/plot.mjs");
  const results = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    plan,
    engines: [],
  };
  for (const name of chosen.engines) {
    results.engines.push(await (name === "node" ? inNode(plan) : inChromium(plan)));
    // After each engine, so that an error in the next one costs nothing.
    writeFileSync(join(out, "results.json"), `${JSON.stringify(results, null, 1)}\n`);
    writeFileSync(join(out, "results.md"), markdown(results));
    draw(results, out);
  }
  if (chosen.native) await (await import("./native/run.mjs")).runNative();
  console.log(`\n${markdown(results)}\nAlso in build/bench: results.md, results.json, shapes.svg, growth.svg`);
  const wrong = results.engines.flatMap(({ shapes: measured, contestants }) =>
    contestants
      .filter(({ kind }) => kind === "own")
      .flatMap(({ name }) => measured.map(({ failures }) => failures[name]).filter(Boolean)),
  );
  if (wrong.length > 0) throw new SetupError(`The core failed: ${wrong[0]}`);
});
