// The work of a frame: the products of a cell with the running sum, or how much there is to do.

import { html, nothing, type TemplateResult } from "lit";
import type { Origin, OriginTerm } from "../core/types.ts";
import { formatAlone } from "./number.ts";
import { originOf, partialTexts, type Scene, sceneScale } from "./scene.ts";
import { afterSign } from "./sentence.ts";
import { cellKey, hasAddend } from "./shape.ts";
import { roleOf } from "./tokens.ts";
import { exactText, isHidden, isShareless } from "./view.ts";
import { wasTexts } from "./was.ts";

const MOST_CHIPS = 8;
const MOST_PARTIALS = 8;

/** The strip under the figure. */
export function workStrip(scene: Scene): TemplateResult {
  const { numbers, cursor } = scene;
  const { grid, description } = numbers.of(cursor.stage);
  const isEmpty = grid.heads * grid.rows * grid.columns === 0;
  if (isEmpty) return html`<div class="work" dir="ltr"></div>`;
  if (cursor.level !== "stage" && isShareless(numbers, cursor.stage, cursor.head, cursor.row))
    return html`<div class="work" dir="ltr"><p class="count"></p></div>`;
  if (cursor.level === "stage" || cursor.level === "row")
    return html`<div class="work" dir="ltr">${count(scene)}</div>`;
  const many = description.operation === "dot" || description.operation === "max" || description.operation === "sum";
  return html`<div class="work" dir="ltr">${many ? terms(scene) : single(scene)}</div>`;
}

/** About how long the strip is, in letters. */
export function workLength(scene: Scene): number {
  const { numbers, cursor } = scene;
  if (cursor.level === "stage" || cursor.level === "row") return 0;
  if (isShareless(numbers, cursor.stage, cursor.head, cursor.row)) return 0;
  const origin = originOf(scene);
  const at = cursor.level === "cell" ? origin.terms.length - 1 : cursor.term;
  const chips = origin.terms
    .slice(0, MOST_CHIPS)
    .flatMap(({ operands }) => operands.map(({ stage, index }) => numbers.text(stage, index)));
  const running = partialTexts(scene, origin).slice(Math.max(0, at + 1 - MOST_PARTIALS), at + 1);
  const was = cursor.level === "cell" ? (wasTexts(scene, origin.stage, origin.index)?.full ?? "") : "";
  return [...chips, ...running, was].reduce((sum, text) => sum + text.length, 0);
}

function count({ numbers, cursor, strings }: Scene): TemplateResult {
  const { grid, description } = numbers.of(cursor.stage);
  const { operation, terms } = description;
  const rows = cursor.level === "row" ? 1 : grid.rows * grid.heads;
  const cells = strings.text("work.cells", { n: grid.columns });
  const one = { dot: "work.terms", sum: "work.additions", max: "work.comparisons" } as const;
  const key = operation === "dot" || operation === "sum" || operation === "max" ? one[operation] : undefined;
  const level = rows === 1 ? "work.row" : "work.stage";
  const products = key ? strings.text(key, { n: rows * grid.columns * terms }) : "";
  const biases = hasAddend(description) ? strings.text("work.additions", { n: rows * grid.columns }) : "";
  const work = biases ? strings.text("work.withBias", { work: products, bias: biases }) : products;
  const text = key ? strings.text(level, { rows, cells, work }) : strings.text(`${level}Plain`, { rows, cells });
  return html`<p class="count">${key || cursor.level === "stage" ? text : ""}</p>`;
}

function terms(scene: Scene): TemplateResult {
  const { numbers, cursor, strings } = scene;
  const origin = originOf(scene);
  const { operation } = origin;
  const whole = cursor.level === "cell";
  const at = whole ? origin.terms.length - 1 : cursor.term;
  const first = Math.min(Math.max(0, at - MOST_CHIPS + 2), Math.max(0, origin.terms.length - MOST_CHIPS));
  const shown = origin.terms.slice(first, first + MOST_CHIPS);
  const partials = partialTexts(scene, origin);
  const from = Math.max(0, at + 1 - MOST_PARTIALS);
  const running = partials.slice(from, at + 1);
  const join = operation === "max" ? "," : "+";
  const result = partials[at] ?? formatAlone(origin.value, numbers.mark);
  const isLong =
    shown.length > 3 &&
    shown.some(({ operands }) => operands.some((cell) => numbers.text(cell.stage, cell.index).length > 4));
  return html`<p class="terms${isLong ? " long" : ""}">${first > 0 ? html`<span class="join">…</span>` : nothing}${shown.map(
    (term, i) => {
      const state = whole ? "" : first + i === at ? " now" : first + i > at ? " later" : "";
      return html`${first + i > 0 ? html`<span class="join">${join}</span>` : nothing}<span class="chip${state}">${factors(scene, term, operation === "dot" && first + i > 0)}</span>`;
    },
  )}${first + MOST_CHIPS < origin.terms.length ? html`<span class="join">${join} …</span>` : nothing}<span class="sum"
        ><span class="join">${operation === "max" ? "→" : "="}</span><b class="total" data-ask=${cellKey(origin)}>${result}</b></span></p>
    <p class="running">${strings.text(`running.${operation === "max" ? "max" : operation === "sum" ? "sum" : "dot"}`)}
      <span class="partials">${from > 0 ? "… → " : ""}${running.map((text, i) =>
        i === running.length - 1 ? html`<b>${text}</b>` : html`<span>${text}</span><span class="arrow"> → </span>`,
      )}</span> ${exact(scene, origin, result)}</p>`;
}

/** The float32 in full, where the digits shown are rounded; and what it was at the start, where it differs. */
function exact(scene: Scene, { value, stage, index }: Origin, shown: string): TemplateResult | typeof nothing {
  const { numbers, cursor, strings } = scene;
  if (cursor.level !== "cell") return nothing;
  const text = exactText(value, shown, numbers.mark);
  const was = wasTexts(scene, stage, index);
  return html`${text && html`<span class="exact">${strings.text("exact", { value: text })}</span>`} ${
    was && html`<span class="exact">${strings.text("was.value", { value: was.full })}</span>`
  }`;
}

function factors(scene: Scene, term: OriginTerm, isBehindSign: boolean): (TemplateResult | string)[] {
  if (term.leftOut) return [scene.strings.text("blocked")];
  return term.operands.map(({ stage, index }, i) => {
    const text = scene.numbers.text(stage, index);
    return html`${i > 0 ? " · " : ""}<span class="r-${roleOf(stage)}" data-ask=${cellKey({ stage, index })}>${isBehindSign || i > 0 ? afterSign(text) : text}</span>`;
  });
}

function single(scene: Scene): TemplateResult {
  const { numbers, cursor, strings } = scene;
  const origin = originOf(scene);
  const [first, second] = origin.terms[0]?.operands ?? [];
  const written = (cell: typeof first, write = (text: string) => text) =>
    cell
      ? html`<span class="r-${roleOf(cell.stage)}" data-ask=${cellKey(cell)}>${write(numbers.text(cell.stage, cell.index))}</span>`
      : nothing;
  const factor = formatAlone(numbers.trace.scale, numbers.mark);
  const root = sceneScale(scene).width;
  const blocked =
    (cursor.stage === "masked" || cursor.stage === "shifted") &&
    isHidden(numbers, cursor.head, cursor.row, cursor.column);
  const value = blocked ? strings.text("blocked") : numbers.text(cursor.stage, origin.index);
  const tau = numbers.trace.temperature;
  const cap = formatAlone(scene.softCap ?? 0, numbers.mark);
  const inner = {
    scale: html`${written(first)} · ${afterSign(factor)}`,
    shift:
      second === undefined
        ? html`${written(first)} ÷ ${formatAlone(tau, numbers.mark)}`
        : tau === 0
          ? html`${written(first)} ${first?.value === second?.value ? "=" : "≠"} ${written(second)}`
          : tau === 1
            ? html`${written(first)} − ${written(second, afterSign)}`
            : html`(${written(first)} − ${written(second, afterSign)}) ÷ ${formatAlone(tau, numbers.mark)}`,
    cap: html`${cap} · tanh(${written(first)} ÷ ${cap})`,
    exp: html`exp(${written(first)})`,
    divide: html`${written(first)} ÷ ${written(second)}`,
  };
  const operation = origin.operation as keyof typeof inner;
  return html`<p class="terms"><span class="chip now">${Object.hasOwn(inner, operation) ? inner[operation] : written(first)}</span><span
        class="sum"><span class="join">${origin.operation === "mask" || origin.operation === "unmask" || (origin.operation === "shift" && tau === 0) ? "→" : "="}</span><b class="total" data-ask=${cellKey(origin)}>${value}</b></span></p>
    <p class="running">${origin.operation === "scale" && root ? html`<span>${factor} = 1 ÷ √${root}</span> ` : nothing}${exact(scene, origin, value)}</p>`;
}
