// Two pictures of the results, as SVG: time per operation by shape, and how time grows with each size.
//   node tests/bench/report/plot.mjs [FOLDER]     draws build/bench/results.json again, default into build/bench

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inProject } from "../../../tools/setup/paths.mjs";
import { median } from "../measure.mjs";
import { flops } from "../numbers.mjs";

/** What is drawn: the first name that fits; where several forms of one library fit, the fastest. */
const lines = [
  { label: "loom, relaxed SIMD", test: (name) => name === "loom, relaxed", color: "#0072b2", mark: "square" },
  { label: "loom, SIMD128", test: (name) => name === "loom, simd128", color: "#d55e00", mark: "circle" },
  { label: "onnxruntime-web, best form", test: (name) => name.startsWith("onnx"), color: "#009e73", mark: "triangle" },
  { label: "tfjs-wasm", test: (name) => name.startsWith("tfjs"), color: "#cc79a7", mark: "diamond" },
  { label: "LiteRT", test: (name) => name.startsWith("LiteRT"), color: "#b8860b", mark: "cross" },
  { label: "plain JavaScript, tiled", test: (name) => name === "plain JS, tiled", color: "#7a7a7a", mark: "circle" },
  { label: "plain JavaScript, naive", test: (name) => name === "plain JS, naive", color: "#7a7a7a", mark: "square" },
];

const FONT = 13;
const style = `<style>
  svg { background: #fff; color: #222; font: ${FONT}px system-ui, sans-serif; }
  text { fill: currentColor; }
  .grid { stroke: currentColor; stroke-opacity: 0.15; }
  @media (prefers-color-scheme: dark) { svg { background: #16181c; color: #ddd; } }
</style>`;

const round = (value) => Math.round(value * 10) / 10;
const text = (x, y, content, anchor = "middle", more = "") =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${more}>${content}</text>`;
const rule = (x1, y1, x2, y2) =>
  `<line class="grid" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;

function mark(kind, x, y, color) {
  const r = 4;
  const path = {
    square: `M${-r} ${-r}H${r}V${r}H${-r}Z`,
    circle: `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`,
    triangle: `M0 ${-r - 1}L${r + 1} ${r}H${-r - 1}Z`,
    diamond: `M0 ${-r - 1}L${r + 1} 0L0 ${r + 1}L${-r - 1} 0Z`,
    cross: `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}`,
  }[kind];
  return `<path transform="translate(${round(x)} ${round(y)})" d="${path}" fill="${color}" stroke="${color}" stroke-width="1.5"/>`;
}

/** Smallest median among the names that belong to a line. */
function fastestOf(times, { test }) {
  const found = Object.entries(times)
    .filter(([name, list]) => test(name) && list.length > 0)
    .map(([, list]) => median(list));
  return found.length > 0 ? Math.min(...found) : undefined;
}

/** A logarithmic scale over whole decades. */
function decades(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { at, ticks };
}

const short = (value) => (value >= 1e-3 && value < 1e4 ? String(Number(value.toPrecision(1))) : value.toExponential(0));

/** One panel: labelled columns, a logarithmic vertical axis, one polyline for each of `lines`. */
function panel({ left, top, width, height, title, columns, unit, points }) {
  const all = points.flat().filter((value) => value !== undefined);
  if (all.length === 0) return "";
  const y = decades(all, top + height, top);
  const x = (i) => left + ((i + 0.5) / columns.length) * width;
  const parts = [text(left, top - 14, title, "start"), text(left - 8, top - 14, unit, "end")];
  for (const tick of y.ticks) {
    parts.push(rule(left, y.at(tick), left + width, y.at(tick)), text(left - 8, y.at(tick) + 4, short(tick), "end"));
  }
  columns.forEach((column, i) => {
    parts.push(text(x(i), top + height + 20, column));
  });
  points.forEach((values, i) => {
    const { color, mark: kind } = lines[i];
    const at = values.map((value, column) => value && [x(column), y.at(value)]).filter(Boolean);
    const path = at.map((pair) => pair.map(round).join(" ")).join("L");
    if (path) parts.push(`<path d="M${path}" fill="none" stroke="${color}" stroke-width="1.8"/>`);
    parts.push(...at.map(([px, py]) => mark(kind, px, py, color)));
  });
  return parts.join("\n");
}

/** Names of the lines that have points, side by side. */
function legend(points, left, top, across, step) {
  return lines
    .filter((_, i) => points[i].some((value) => value !== undefined))
    .map(({ label, color, mark: kind }, i) => {
      const [x, y] = [left + (i % across) * step, top + Math.floor(i / across) * 22];
      return mark(kind, x, y, color) + text(x + 12, y + 4, label, "start");
    })
    .join("\n");
}

const svg = (width, height, label, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">\n${style}\n${parts.join("\n")}\n</svg>\n`;

function drawShapes({ engines }) {
  const [width, height, top] = [860, 300, 130];
  const parts = [];
  const drawn = lines.map(() => []);
  engines.forEach((result, index) => {
    const shapes = result.shapes.filter(({ causal }) => !causal);
    // Nanoseconds of one operation are the reciprocal of GFLOP/s.
    const points = lines.map((line) =>
      shapes.map(({ shape, times }) => {
        const [heads, tokens, d] = shape.split(",").map(Number);
        const ms = fastestOf(times, line);
        return ms && (ms * 1e6) / flops({ heads, tokens, d });
      }),
    );
    const at = top + index * (height + 80);
    const columns = shapes.map(({ shape }) => shape.replaceAll(",", ", "));
    const box = { left: 70, top: at, width: width - 90, height };
    parts.push(
      panel({
        ...box,
        title: `${result.engine}: time of one operation at (heads, tokens, width)`,
        columns,
        unit: "ns",
        points,
      }),
    );
    points.forEach((values, i) => {
      drawn[i].push(...values);
    });
  });
  parts.push(legend(drawn, 40, 22, 4, 210));
  return svg(width, top + engines.length * (height + 80) - 30, "Time of one floating-point operation by shape", parts);
}

function drawGrowth({ engines }) {
  const [width, height, top] = [1060, 260, 140];
  const parts = [];
  const titles = {
    tokens: "tokens (4 heads, width 64)",
    heads: "heads (128 tokens, width 64)",
    d: "width (4 heads, 128 tokens)",
  };
  const place = { tokens: 0, heads: 1, d: 2 };
  const drawn = lines.map(() => []);
  engines.forEach((result, index) => {
    parts.push(text(60, top - 42 + index * (height + 95), result.engine, "start", ' font-weight="600"'));
    for (const [axis, list] of Object.entries(result.growth)) {
      const points = lines.map((line) => list.map(({ times }) => fastestOf(times, line)));
      const columns = list.map(({ shape }) => shape.split(",")[{ heads: 0, tokens: 1, d: 2 }[axis]]);
      const box = { left: 60 + place[axis] * 345, top: top + index * (height + 95), width: 285, height };
      parts.push(panel({ ...box, title: titles[axis], columns, unit: "ms", points }));
      points.forEach((values, i) => {
        drawn[i].push(...values);
      });
    }
  });
  parts.push(legend(drawn, 40, 22, 4, 250));
  return svg(width, top + engines.length * (height + 95) - 30, "Time by tokens, heads and width", parts);
}

/** @param {object} results as in results.json @param {string} folder where shapes.svg and growth.svg go */
export function draw(results, folder) {
  writeFileSync(join(folder, "shapes.svg"), drawShapes(results));
  if (results.engines.some(({ growth }) => Object.keys(growth).length > 0))
    writeFileSync(join(folder, "growth.svg"), drawGrowth(results));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const out = inProject("build", "bench");
  draw(JSON.parse(readFileSync(join(out, "results.json"), "utf8")), process.argv[2] ?? out);
}
