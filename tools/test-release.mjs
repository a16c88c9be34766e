// npm run test:release: the longer runs before a release, each a line of the table at the end.
// `-- --only properties,fuzz` runs some (see `sections`); `-- --fuzz N` sets the executions of the fuzz targets.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { bringPackages } from "../tests/bench/packages.mjs";
import { runStep } from "./build/fingerprint.mjs";
import { dist, wasm } from "./build/steps.mjs";
import { setUp } from "./setup/index.mjs";
import { inProject, projectRoot } from "./setup/paths.mjs";
import { mustRun } from "./setup/run.mjs";
import { SetupError, seconds } from "./setup/stage.mjs";
import { fuzz } from "./test/fuzz.mjs";
import { judge, oneFailed, onePassed, readVitest, sum } from "./test/tally.mjs";

/** @typedef {import("./test/tally.mjs").Counts} Counts */

const { values } = parseArgs({ options: { only: { type: "string" }, fuzz: { type: "string", default: "50000000" } } });
const here = { cwd: projectRoot };
const reports = inProject("build", "test-release");
const env = { ...process.env, LOOM_SIZE: "release" };

/** @returns {Promise<number | null>} the exit code */
const show = (/** @type {string} */ command, /** @type {string[]} */ args) =>
  new Promise((/** @type {(code: number | null) => void} */ resolve) => {
    const child = spawn(command, args, { cwd: projectRoot, stdio: "inherit", env });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(null);
    });
    child.on("close", resolve);
  });

/** Test files of one project of vitest. */
const vitest =
  (/** @type {string} */ name, /** @type {string} */ project, /** @type {string[]} */ files) => async () => {
    const report = `${reports}/${name}.json`;
    const reporters = ["--reporter=verbose", "--reporter=json", `--outputFile.json=${report}`];
    const paths = files.map((file) => `tests/${project}/${file}.test.ts`);
    const program = inProject("node_modules", ".bin", "vitest");
    const code = await show(process.execPath, [program, "run", "--project", project, ...paths, ...reporters]);
    return judge(readVitest(report), code);
  };

async function accuracy() {
  const build = ["--build", "--preset", "native-release", "--target", "tests_avx2"];
  await mustRun("release-configure", "The native tests did not build.", "cmake", ["--preset", "native-release"], here);
  await mustRun("release-build", "The native tests did not build.", "cmake", build, here);
  const filter = "--gtest_filter=ExpTest.StaysWithin*:SoftmaxTest.Shares*";
  const code = await show(inProject("build", "native-release", "tests_avx2"), [filter]);
  return code === 0 ? onePassed : oneFailed;
}

async function peers() {
  console.log(`packages of tests/bench: ${await bringPackages()}`);
  return (await show(process.execPath, [inProject("tests", "bench", "peers.mjs"), "2000"])) === 0
    ? onePassed
    : oneFailed;
}

/** In the order they run. @type {Record<string, { title: string, run: () => Promise<Counts> }>} */
const sections = {
  properties: { title: "R01 25 properties, 100,000 cases each", run: vitest("properties", "node", ["properties"]) },
  exact: {
    title: "R03 exact statements and bits, up to 100,000 cases each",
    run: vitest("exact", "node", ["exact", "sequential", "relations"]),
  },
  differential: {
    title: "R02 20,000 cases against the twin, and every option",
    run: vitest("differential", "node", ["differential", "options-random"]),
  },
  peers: { title: "R02 2,000 cases against each of two peers", run: peers },
  accuracy: { title: "R04 all floats of exp, 10,000,000 rows of softmax", run: accuracy },
  random: { title: "Numbers as text and states, random", run: vitest("random", "node", ["number-format", "state"]) },
  determinism: { title: "R05 one hash in Node", run: vitest("determinism", "node", ["determinism", "builds"]) },
  browsers: { title: "R05 one hash in browsers", run: vitest("browsers", "browser", ["determinism"]) },
  fuzz: {
    title: `R07 ${values.fuzz} executions of the fuzz targets`,
    run: () => fuzz(Number(values.fuzz), Date.now() % 2 ** 32),
  },
};

/** @returns {Promise<Counts>} */
async function guarded(/** @type {() => Promise<Counts>} */ run) {
  try {
    return await run();
  } catch (error) {
    console.error(`✗ ${/** @type {Error} */ (error).message}`);
    return oneFailed;
  }
}

async function runAll() {
  const names = values.only?.split(",") ?? Object.keys(sections);
  const unknown = names.find((name) => !sections[name]);
  if (unknown)
    throw new SetupError(`There is no section "${unknown}"; the sections are ${Object.keys(sections).join(", ")}.`);
  if (!(Number.isSafeInteger(Number(values.fuzz)) && Number(values.fuzz) > 0))
    throw new SetupError(`--fuzz needs a whole number above 0, not "${values.fuzz}".`);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  await setUp({ native: true, test: true });
  for (const step of [wasm, dist]) console.log(`${step.name}: ${await runStep(step)}`);
  const table = [];
  for (const name of names) {
    const { title, run } = /** @type {typeof sections[string]} */ (sections[name]);
    console.log(`\n━━ ${title} ━━`);
    const start = performance.now();
    const counts = await guarded(run);
    table.push({ name, title, counts, time: seconds(performance.now() - start) });
  }
  console.log(
    `\n${"".padEnd(15)}${"passed".padStart(7)}${"failed".padStart(8)}${"skipped".padStart(9)}${"time".padStart(11)}`,
  );
  for (const { name, title, counts, time } of table) {
    const numbers = `${counts.passed}`.padStart(7) + `${counts.failed}`.padStart(8) + `${counts.skipped}`.padStart(9);
    console.log(`${counts.failed > 0 ? "✗" : "✓"} ${name.padEnd(13)}${numbers}${time.padStart(11)}  ${title}`);
  }
  return sum(table.map(({ counts }) => counts));
}

try {
  const { passed, failed, skipped } = await runAll();
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  const { message, stack } = /** @type {Error} */ (error);
  console.error(`✗ ${process.env.LOOM_DEBUG || !(error instanceof SetupError) ? stack : message}`);
  process.exitCode = 1;
}
