// The answer to "where does this come from?" and "what does this feed?": a band under the figure. Its buttons say in
// data-tool, data-trail and data-follow what they do.

import { html, nothing, type TemplateResult } from "lit";
import { type CellWords, cellWords } from "../draw/cell-words.ts";
import { icon } from "../draw/icons.ts";
import { symbolText } from "../draw/message.ts";
import { answerTo, type FeedsPicture, type OriginPicture, type TermPicture } from "../draw/origin.ts";
import type { Scene } from "../draw/scene.ts";
import { cellKey } from "../draw/shape.ts";
import type { MessageKey, Strings } from "../strings/index.ts";
import type { AskedCell } from "./state/index.ts";

const SYMBOLS = /([Wb]_[A-Z])/;

/** A number as a button that leads to its own origin. */
const numberButton = (cell: CellWords) =>
  html`<button type="button" class="number role-${cell.role}" data-follow=${cellKey(cell)}
      aria-label=${cell.spoken} title=${cell.exact || nothing}>${cell.text}</button>`;

/** The same with its name above it. */
const namedButton = (cell: CellWords) =>
  html`<button type="button" class="number named role-${cell.role}" data-follow=${cellKey(cell)} title=${cell.exact || nothing}
      ><span class="whose"><b>${symbolText(cell.name)}</b> ${cell.place}</span><span>${cell.text}</span></button>`;

/** A cell of a stage that is named above: only its place and its number. */
const placedButton = (cell: CellWords) =>
  html`<button type="button" class="number named role-${cell.role}" data-follow=${cellKey(cell)} title=${cell.exact || nothing}
      ><span class="whose">${cell.place}</span><span>${cell.text}</span></button>`;

const wholeButton = (strings: Strings, n: number) =>
  html`<button type="button" class="push quiet" data-tool="whole">${strings.text("asked.all", { n })}</button>`;

/** Products, summands or candidates with the running result. */
function termTable(strings: Strings, { columns, terms, count, hasProducts, operation }: OriginPicture): TemplateResult {
  const isDot = operation === "dot";
  const running: MessageKey = operation === "max" ? "running.max" : "running.sum";
  const width = columns.length * 2 + (hasProducts ? 1 : 0) + 1;
  const line = ({ term, label, operands, value, partial, leftOut, decides }: TermPicture) => {
    const note = decides ? "asked.decides" : leftOut && !hasProducts ? "asked.leftOut" : undefined;
    return html`<tr class="${leftOut ? "left-out" : ""} ${decides ? "decides" : ""} ${term === count - 1 ? "end" : ""}"><th scope="row">${label}</th>${columns.map(
      (_, which) =>
        html`<td class="sign" aria-hidden="true">${which > 0 && operands[which] ? (isDot ? "·" : ",") : ""}</td><td>${operands[which] ? numberButton(operands[which]) : nothing}</td>`,
    )}${hasProducts ? html`<td class="made">${leftOut ? strings.text("asked.leftOut") : value}</td>` : nothing}<td class="made"
      >${note ? html`<span class="mark">${strings.text(note)}</span> ` : nothing}${partial}</td></tr>`;
  };
  const lines = terms.map((term, i) => {
    const skipped = term.term - (terms[i - 1]?.term ?? -1) - 1;
    const gap =
      skipped > 0
        ? html`<tr class="gap"><td></td><td colspan=${width}>${strings.text("asked.skipped", { n: skipped })} ${i === terms.length - 1 ? wholeButton(strings, count) : nothing}</td></tr>`
        : nothing;
    return html`${gap}${line(term)}`;
  });
  return html`<div class="wide"><table class="terms-table" dir="ltr"><caption class="unseen">${strings.text("asked.operands")}</caption>
      <thead><tr><th scope="col"><span class="unseen">${strings.text("asked.term")}</span></th>${columns.map(
        ({ role, name, place, stage }) =>
          html`<td></td><th scope="col" data-stages=${stage}><b class="r-${role}">${symbolText(name)}</b> <span class="whose">${place}</span></th>`,
      )}${
        hasProducts
          ? html`<th scope="col" class="made">${strings.text(isDot ? "asked.product" : "asked.adds")}</th>`
          : nothing
      }<th scope="col" class="made">${strings.text(running)}</th></tr></thead>
      <tbody>${lines}</tbody></table></div>`;
}

/** One step that is no sum: its operands with what stands between them. */
function expressionLine({ expression, terms, cell, operation }: OriginPicture): TemplateResult {
  const operands = terms[0]?.operands ?? [];
  const arrow = operation === "mask" || expression?.includes("≠") || expression?.includes("=") ? "→" : "=";
  return html`<p class="expression" dir="ltr">${(expression ?? []).map((piece) => {
    if (typeof piece === "string") return html`<span class="sign">${piece}</span>`;
    const operand = operands[piece];
    return operand ? namedButton(operand) : nothing;
  })}<span class="sign">${arrow}</span> <b class="value">${cell.text}</b></p>`;
}

function originAnswer(strings: Strings, picture: OriginPicture): TemplateResult | typeof nothing {
  if (picture.expression) return expressionLine(picture);
  return picture.count > 0 ? termTable(strings, picture) : nothing;
}

function feedsAnswer(strings: Strings, { groups }: FeedsPicture): TemplateResult[] {
  return groups.map(
    ({
      stage,
      role,
      name,
      cells,
      count,
    }) => html`<div class="fed" role="group" aria-label=${name}><p class="fed-name" data-stages=${stage}><b class="r-${role}">${name}</b></p>
      <div class="fed-cells" dir="ltr">${cells.map(placedButton)}${
        cells.length < count ? wholeButton(strings, count) : nothing
      }</div></div>`,
  );
}

function tools(strings: Strings, about: AskedCell["about"]): TemplateResult {
  const close = strings.text("asked.close");
  return html`<div class="tools" role="toolbar" aria-label=${strings.text("asked.tools")}>
      <button type="button" class="push" data-tool="origin" aria-pressed=${about === "origin"}>${strings.text("asked.origin")}</button>
      <button type="button" class="push" data-tool="feeds" aria-pressed=${about === "feeds"}>${strings.text("asked.feeds")}</button>
      <span class="space"></span>
      <button type="button" class="push quiet square" data-tool="close" aria-label=${close} title=${close}>${icon("close")}</button></div>`;
}

/** The way from the cell first asked about to this one, back along it, and to this one in the figure. */
function way(scene: Scene, trail: readonly AskedCell[], cell: CellWords): TemplateResult {
  const { strings } = scene;
  const back = strings.text("asked.back");
  const crumbs = trail.slice(0, -1).map((passed) => cellWords(scene, passed));
  // What is given has no frame of its own: the first one that uses it is gone to.
  const isMade = scene.numbers.trace.stages.includes(cell.stage);
  const isUsed = isMade || scene.numbers.trace.feeds(cell.stage, cell.index).length > 0;
  return html`<div class="way" role="toolbar" aria-label=${strings.text("asked.trail")}>
      <button type="button" class="push square" data-tool="back" aria-disabled=${crumbs.length === 0} aria-label=${back} title=${back}>${icon("back")}</button>
      <ol class="trail">${crumbs.map(
        (crumb, position) =>
          html`<li><button type="button" class="crumb" data-trail=${position}><b class="r-${crumb.role}">${symbolText(crumb.name)}</b> ${crumb.place}</button></li>`,
      )}<li class="here" aria-current="true"><b class="r-${cell.role}">${symbolText(cell.name)}</b> ${cell.place}
        <b class="value">${cell.text}</b></li></ol>
      <button type="button" class="push" data-tool="go" aria-disabled=${!isUsed} aria-label=${strings.text(isMade ? "asked.goTo" : "asked.useOf", { cell: cell.spoken })}>${strings.text(isMade ? "asked.go" : "asked.use")}</button></div>`;
}

/** The band. */
export function originPanel(scene: Scene, trail: readonly AskedCell[]): TemplateResult | typeof nothing {
  const question = trail.at(-1);
  if (!question) return nothing;
  const { strings } = scene;
  const picture = answerTo(scene, question);
  const { cell, how } = picture;
  const exact = cell.exact && html`<span class="in-full">${strings.text("exact", { value: cell.exact })}</span>`;
  return html`<div class="band origin-band" role="group" aria-label=${strings.text("asked.title")}>
      ${tools(strings, question.about)}${way(scene, trail, cell)}
      <div class="reply"><p class="how">${how.map(({ text }) => text.split(SYMBOLS).map(symbolText))} ${exact}</p>
      ${picture.about === "origin" ? originAnswer(strings, picture) : feedsAnswer(strings, picture)}</div>
      <p class="hint">${strings.text("asked.hint")}</p></div>`;
}
