// npm run fuzz: every fuzz target under both sanitizers, its stored inputs first. `-- --runs N`: executions over all
// targets; `-- --seed S`: another start.
import { parseArgs } from "node:util";
import { fuzz, RUNS_OF_A_CHANGE } from "./test/fuzz.mjs";

const { values } = parseArgs({ options: { runs: { type: "string" }, seed: { type: "string" } } });
const whole = (/** @type {string | undefined} */ text, /** @type {number} */ otherwise) => {
  const number = Number(text ?? otherwise);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`A whole number is needed, not "${text}".`);
  return number;
};
const { failed } = await fuzz(whole(values.runs, RUNS_OF_A_CHANGE), whole(values.seed, 1));
if (failed > 0) process.exitCode = 1;
