// The results as one Markdown text.

import { median } from "../measure.mjs";
import { flops } from "../numbers.mjs";
import { goals, verdict } from "./goals.mjs";

const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const number = (value) => (value < 1e-3 ? value.toExponential(1) : value.toPrecision(value < 1 ? 2 : 3));
const time = (ms) => (ms < 1 ? `${(ms * 1000).toPrecision(3)} µs` : `${ms.toPrecision(3)} ms`);
const least = (list) => Math.min(...list);

function goalTable(result) {
  const rows = goals(result).map((line) => {
    const sign = line.atLeast ? "≥" : "≤";
    const unit = line.unit ? ` ${line.unit}` : "";
    const minima = line.minima === undefined ? "" : ` (${number(line.minima)})`;
    const value = `${number(line.value)}${unit}${minima}`;
    const bounds = [line.must, line.aim].map((bound) => `${sign} ${bound < 1e-3 ? number(bound) : bound}${unit}`);
    return [line.goal, line.what.replaceAll("|", "\\|"), ...bounds, value, verdict(line), line.detail];
  });
  return table(["#", "what", "must", "goal", "measured", "", "each"], rows);
}

/** How steady the machine was: over all shapes, the median of each limit as a share of its best. */
function steadiness({ shapes }) {
  const shares = shapes.flatMap(({ peaks }) => Object.values(peaks).map((rates) => median(rates) / Math.max(...rates)));
  if (shares.length === 0) return "";
  const share = Math.round(100 * median(shares));
  const worst = Math.round(100 * least(shares));
  const judged = share < 90 ? " **The machine was busy: no number of this run is worth keeping.**" : "";
  return `Steadiness: the machine's limits had medians of ${share} % of their best (${worst} % at the worst shape).${judged}`;
}

/** Every contestant at every shape: median, minimum, rate, and the ratio to the best that is not our own. */
function shapeTables(result) {
  const kinds = Object.fromEntries(result.contestants.map(({ name, kind }) => [name, kind]));
  return result.shapes.map(({ shape, causal, times, errors, failures, peaks }) => {
    const [heads, tokens, d] = shape.split(",").map(Number);
    const others = Object.keys(times).filter((name) => kinds[name] !== "own");
    const best = (pick) => least(others.map((name) => pick(times[name])));
    const rows = Object.entries(times).map(([name, list]) => {
      const ratio = (pick) => (pick(list) / best(pick)).toPrecision(2);
      const rate = flops({ heads, tokens, d }) / median(list) / 1e6;
      const cells = [time(median(list)), time(least(list)), rate.toPrecision(3)];
      return [name, ...cells, `${ratio(median)} (${ratio(least)})`, errors[name].toExponential(1), list.length];
    });
    const failed = Object.entries(failures).map(([name, why]) => [
      name,
      `failed: ${why.slice(0, 90)}`,
      "",
      "",
      "",
      "",
      "",
    ]);
    const limits = Object.entries(peaks).map(([name, rates]) => `${name} ${median(rates).toFixed(1)}`);
    const head = ["", "median", "minimum", "GFLOP/s", "/ best peer", "error", "rounds"];
    const title = `#### (${shape.replaceAll(",", ", ")})${causal ? ", causal" : ""}`;
    return `${title}\n\n${table(head, [...rows, ...failed])}\n\nLimits, GFLOP/s: ${limits.join(", ")}.`;
  });
}

/** @param {{ date: string, machine: string, plan: { rounds: number }, engines: object[] }} results */
export function markdown({ date, machine, plan, engines }) {
  const parts = [
    "# Benchmark",
    `${date}, ${machine}; one thread, float32, ${plan.rounds} interleaved rounds. Only ratios within one run count: medians, in brackets from minima.`,
  ];
  for (const result of engines) {
    parts.push(`## ${result.engine}`, `Core: ${result.core}. ${steadiness(result)}`);
    if (result.notes.length > 0) parts.push(result.notes.map((note) => `- ${note}`).join("\n"));
    parts.push("### Goals", goalTable(result));
  }
  for (const result of engines) parts.push(`### Shapes, ${result.engine}`, ...shapeTables(result));
  return `${parts.join("\n\n")}\n`;
}
