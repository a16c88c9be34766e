// Matrices that a computation can have or not: biases, and W_O behind the heads. A new one changes nothing until it is
// edited: zeros, or ones on the diagonal.

import { html, nothing, type TemplateResult } from "lit";
import { symbolText } from "../draw/message.ts";
import type { Desk } from "./desk.ts";
import { type InputName, lastWith, type Model, type Table } from "./state/index.ts";

/** One of them. */
interface Extra {
  readonly name: InputName;
  readonly symbol: string;
  /** What it is added or multiplied to; without that it cannot be there. */
  readonly behind: InputName;
  /** A new one that changes nothing, behind a result of so many columns. */
  fresh(columns: number): Table;
}

const zeros = (columns: number): Table => ({ rows: 1, columns, data: new Array<number>(columns).fill(0) });
const diagonal = (n: number): Table => ({
  rows: n,
  columns: n,
  data: Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0)),
});

const EXTRAS: readonly Extra[] = [
  { name: "bQ", symbol: "b_Q", behind: "wQ", fresh: zeros },
  { name: "bK", symbol: "b_K", behind: "wK", fresh: zeros },
  { name: "bV", symbol: "b_V", behind: "wV", fresh: zeros },
  { name: "wO", symbol: "W_O", behind: "wV", fresh: diagonal },
  { name: "bO", symbol: "b_O", behind: "wO", fresh: zeros },
];

/** W_O stands behind values that are given as well. */
const widthBehind = ({ matrices }: Model, { name, behind }: Extra): number | undefined =>
  (matrices[behind] ?? (name === "wO" ? matrices.v : undefined))?.columns;

/** One switch each. */
export function extrasPanel(desk: Desk): TemplateResult | typeof nothing {
  const state = desk.state();
  if (!state) return nothing;
  const { matrices } = state.model;
  const toggle = (extra: Extra, columns: number) => {
    const { name } = extra;
    if (matrices[name]) {
      desk.act({ type: "matrices", change: { [name]: undefined, ...(name === "wO" && { bO: undefined }) } });
      return;
    }
    // The one that was taken away, if it still fits.
    const known = lastWith(state, (model) => model.matrices[name]?.columns === columns).matrices[name];
    desk.act({ type: "matrices", change: { [name]: known?.columns === columns ? known : extra.fresh(columns) } });
  };
  const label = desk.strings().text("extra.title");
  return html`<div class="tools extras" role="group" aria-label=${label}><span>${label}</span>${EXTRAS.map((extra) => {
    const columns = widthBehind(state.model, extra);
    return columns === undefined
      ? nothing
      : html`<button type="button" class="push" aria-pressed=${matrices[extra.name] !== undefined} @click=${() => toggle(extra, columns)}><span>${symbolText(extra.symbol)}</span></button>`;
  })}</div>`;
}
