// npm test: set-up, checks, builds and every test runner; the last line counts over all of them.
// `-- --only node,browser` runs some sections only (see `sections`); builds they need are made when out of date.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { runStep } from "./build/fingerprint.mjs";
import { dist, site, wasm } from "./build/steps.mjs";
import { setUp } from "./setup/index.mjs";
import { inProject, projectRoot } from "./setup/paths.mjs";
import { SetupError, seconds } from "./setup/stage.mjs";
import { cppFiles } from "./test/cpp-files.mjs";
import { fuzz, RUNS_OF_A_CHANGE } from "./test/fuzz.mjs";
import { judge, oneFailed, onePassed, readJUnit, readVitest, sum } from "./test/tally.mjs";

/** @typedef {import("./test/tally.mjs").Counts} Counts */

const reports = inProject("build", "test");
const local = (/** @type {string} */ name) => inProject("node_modules", ".bin", name);

/** Runs a command with its output shown. @returns {Promise<number | null>} the exit code; null when it did not start */
const show = (/** @type {string} */ command, /** @type {string[]} */ args) =>
  new Promise((/** @type {(code: number | null) => void} */ resolve) => {
    const child = spawn(command, args, { cwd: projectRoot, stdio: "inherit" });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(null);
    });
    child.on("close", resolve);
  });

const check = async (/** @type {string} */ command, /** @type {string[]} */ args) =>
  (await show(command, args)) === 0 ? onePassed : oneFailed;

/** @param {import("./build/fingerprint.mjs").Step} step @returns {Promise<Counts>} a build that works is no test */
async function build(step) {
  try {
    console.log(await runStep(step));
    return sum([]);
  } catch (error) {
    console.error(`✗ ${/** @type {Error} */ (error).message}`);
    return oneFailed;
  }
}

async function native() {
  const preset = "native-debug";
  if ((await show("cmake", ["--fresh", "--preset", preset])) !== 0) return oneFailed;
  if ((await show("cmake", ["--build", "--preset", preset])) !== 0) return oneFailed;
  const report = `${reports}/${preset}.xml`;
  const code = await show("ctest", ["--preset", preset, "--parallel", "2", "--progress", "--output-junit", report]);
  return judge(readJUnit(report), code);
}

const vitest = (/** @type {string} */ project) => async () => {
  const report = `${reports}/${project}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await show(process.execPath, [local("vitest"), "run", "--project", project, ...reporters]);
  return judge(readVitest(report), code);
};

/** @typedef {{ title: string, needs: string[], run: () => Promise<Counts> }} Section */

/** In the order they run. `needs` names sections that must not have failed before. @type {Record<string, Section>} */
const sections = {
  lint: {
    title: "Format and lint (Biome)",
    needs: [],
    run: () => check(local("biome"), ["check", "--error-on-warnings", "."]),
  },
  types: { title: "Types (tsc)", needs: [], run: () => check(local("tsc"), ["-p", "."]) },
  cpp: {
    title: "Format of the C++ sources (clang-format)",
    needs: [],
    run: () => check("clang-format", ["--dry-run", "--Werror", ...cppFiles()]),
  },
  native: { title: "Native tests under sanitizers (ctest)", needs: [], run: native },
  fuzz: {
    title: "Fuzzing under sanitizers (libFuzzer)",
    needs: [],
    run: () => fuzz(RUNS_OF_A_CHANGE, 1),
  },
  wasm: { title: "Build: WebAssembly core", needs: [], run: () => build(wasm) },
  dist: { title: "Build: npm package", needs: ["wasm"], run: () => build(dist) },
  site: { title: "Build: site", needs: ["wasm"], run: () => build(site) },
  node: { title: "Tests in Node, without code from strings (vitest)", needs: ["wasm"], run: vitest("node") },
  relaxed: {
    title: "Tests of the build with relaxed SIMD, in Node (vitest)",
    needs: ["wasm"],
    run: vitest("relaxed"),
  },
  browser: { title: "Tests in Chromium (vitest)", needs: ["dist", "site"], run: vitest("browser") },
  package: {
    title: "Tests of the package and its supply chain (vitest)",
    needs: ["dist", "site"],
    run: vitest("package"),
  },
};

/** @returns {string[]} the sections to run, with the builds they need */
function chosen() {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const names = values.only?.split(",") ?? Object.keys(sections);
  const unknown = names.find((name) => !sections[name]);
  if (unknown)
    throw new SetupError(`There is no section "${unknown}"; the sections are ${Object.keys(sections).join(", ")}.`);
  const all = new Set(names);
  for (const name of all) for (const need of sections[name]?.needs ?? []) all.add(need);
  return Object.keys(sections).filter((name) => all.has(name));
}

async function runAll() {
  /** @type {Map<string, Counts>} */
  const results = new Map();
  for (const name of chosen()) {
    const section = /** @type {Section} */ (sections[name]);
    console.log(`\n━━ ${section.title} ━━`);
    const start = performance.now();
    const broken = section.needs.find((need) => (results.get(need)?.failed ?? 0) > 0);
    if (broken) console.error(`✗ not run, because "${broken}" failed`);
    const result = broken ? oneFailed : await section.run();
    results.set(name, result);
    const { passed, failed, skipped } = result;
    console.log(
      `${failed > 0 ? "✗" : "✓"} ${name}: ${passed} passed, ${failed} failed, ${skipped} skipped  ${seconds(performance.now() - start)}`,
    );
  }
  return sum([...results.values()]);
}

const start = performance.now();
/** @type {Counts} */
let total;
try {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  console.log("━━ Set-up ━━");
  await setUp({ native: true, test: true });
  total = await runAll();
} catch (error) {
  const { message, stack } = /** @type {Error} */ (error);
  console.error(`✗ ${process.env.LOOM_DEBUG ? stack : message}`);
  total = oneFailed;
}
console.log(`\nAll sections: ${seconds(performance.now() - start)}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
if (total.failed > 0) process.exitCode = 1;
