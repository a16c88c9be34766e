// Who may look at whom: a table of the queries and keys, each pair to be opened or closed, one by one or an area at once.

import { html, type TemplateResult } from "lit";
import { shownWord, spokenWord } from "../draw/names.ts";
import { fitOf, isPaged, nearest, places, type Span, spanOf } from "../draw/pages.ts";
import type { Scene } from "../draw/scene.ts";
import type { MessageKey } from "../strings/index.ts";
import type { Desk } from "./desk.ts";
import { cellKey } from "./keys.ts";
import type { Paging } from "./paging.ts";
import { allowOf, type Model, withMask } from "./state/index.ts";

/** Masks with a name. */
const PRESETS: readonly {
  readonly label: MessageKey;
  mayLook(model: Model, row: number, column: number): boolean;
}[] = [
  { label: "mask.none", mayLook: () => true },
  {
    label: "mask.causal",
    mayLook: ({ tokensQ, tokensKv }, row, column) => column <= row + tokensKv.length - tokensQ.length,
  },
  { label: "mask.window", mayLook: (_, row, column) => Math.abs(row - column) <= 1 },
  { label: "mask.lastKey", mayLook: ({ tokensKv }, _, column) => column < tokensKv.length - 1 },
];

interface Place {
  readonly row: number;
  readonly column: number;
}

function placeIn(event: Event): Place | undefined {
  const box = (event.target as Element).closest<HTMLElement>("[data-pair]");
  const [row, column] = (box?.dataset.pair ?? "").split(",").map(Number);
  return row === undefined || column === undefined ? undefined : { row, column };
}

/** The table and the named masks. A drag is one edit, so that one undo takes it back. */
export class MaskPanel {
  readonly #desk: Desk;
  readonly #paging: Paging;
  /** Where the pointer went down, and what it does to the area. */
  #drag: { readonly from: Place; to: Place; readonly isOpen: boolean } | undefined;
  #stop: Place = { row: 0, column: 0 };

  constructor(desk: Desk, paging: Paging) {
    this.#desk = desk;
    this.#paging = paging;
  }

  /** Presets and table. */
  render(): TemplateResult {
    const scene = this.#desk.scene();
    const model = this.#desk.state()?.model;
    if (!scene || !model) return html``;
    const { strings, tokensQ, tokensKv } = scene;
    const allow = allowOf(model);
    const { down, across, sides } = this.#spans(scene);
    const stop = { row: nearest(down, this.#stop.row), column: nearest(across, this.#stop.column) };
    const inArea = (row: number, column: number) => {
      const drag = this.#drag;
      const isIn = (at: number, a: number, b: number) => at >= Math.min(a, b) && at <= Math.max(a, b);
      return drag && isIn(row, drag.from.row, drag.to.row) && isIn(column, drag.from.column, drag.to.column);
    };
    const box = (row: number, column: number) => {
      const isOpen = allow.data[row * allow.columns + column] === 1;
      const words = { row: spokenWord(strings, tokensQ[row] ?? ""), key: spokenWord(strings, tokensKv[column] ?? "") };
      const tab = row === stop.row && column === stop.column;
      return html`<td class=${inArea(row, column) ? "in-area" : ""}><button type="button" role="checkbox" data-pair="${row},${column}"
          aria-checked=${isOpen} aria-label=${strings.text("mask.pair", words)} tabindex=${tab ? "0" : "-1"}></button></td>`;
    };
    return html`<div class="mask"><p class="heading" id="mask-title">${strings.text("mask.title")}</p><p class="hint">${strings.text("mask.hint")}</p>
      <div class="tools">${PRESETS.map(
        ({ label, mayLook }) =>
          html`<button type="button" class="push" @click=${() =>
            this.#desk.act({
              type: "model",
              model: withMask(model, (row, column) => mayLook(model, row, column)),
            })}>${strings.text(label)}</button>`,
      )}</div>
      ${this.#paging.controls(sides)}<div class="mask-scroll"><table aria-labelledby="mask-title" dir="ltr" @pointerdown=${this.#onDown} @pointerover=${this.#onOver} @pointerup=${this.#onUp}
          @pointercancel=${this.#onCancel} @pointerleave=${this.#onCancel} @click=${this.#onClick} @keydown=${this.#onKey}>
        <thead><tr><td></td>${places(across).map((column) => html`<th scope="col"><span>${shownWord(tokensKv[column] ?? "")}</span></th>`)}</tr></thead>
        <tbody>${places(down).map(
          (row) =>
            html`<tr><th scope="row"><span>${shownWord(tokensQ[row] ?? "")}</span></th>${places(across).map((column) => box(row, column))}</tr>`,
        )}</tbody></table></div></div>`;
  }

  /** What is on view: the same words as in the figure. */
  #spans({ tokensQ, tokensKv, pages, compact }: Scene): { down: Span; across: Span; sides: Map<string, Span> } {
    const fit = fitOf(tokensQ.length, tokensKv.length, compact);
    const down = spanOf(tokensQ.length, pages?.get("q") ?? 0, fit);
    const across = spanOf(tokensKv.length, pages?.get("kv") ?? 0, fit);
    const all: [string, Span][] = [
      ["q", down],
      ["kv", across],
    ];
    return { down, across, sides: new Map(all.filter(([, span]) => isPaged(span))) };
  }

  #isOpen({ row, column }: Place): boolean {
    const model = this.#desk.state()?.model;
    if (!model) return false;
    const allow = allowOf(model);
    return allow.data[row * allow.columns + column] === 1;
  }

  #set(from: Place, to: Place, isOpen: boolean): void {
    const area = { rows: [from.row, to.row], columns: [from.column, to.column] } as const;
    this.#desk.act({ type: "mask", area, isOpen });
  }

  readonly #onDown = (event: PointerEvent) => {
    const place = placeIn(event);
    // A finger scrolls; it opens and closes by tapping.
    if (!place || event.pointerType === "touch" || event.button !== 0) return;
    this.#drag = { from: place, to: place, isOpen: !this.#isOpen(place) };
  };

  readonly #onOver = (event: PointerEvent) => {
    const place = placeIn(event);
    if (!this.#drag || !place) return;
    this.#drag.to = place;
    this.#desk.element.requestUpdate();
  };

  readonly #onUp = () => {
    const drag = this.#drag;
    this.#onCancel();
    if (!drag || (drag.from.row === drag.to.row && drag.from.column === drag.to.column)) return;
    this.#set(drag.from, drag.to, drag.isOpen);
  };

  readonly #onCancel = () => {
    if (!this.#drag) return;
    this.#drag = undefined;
    this.#desk.element.requestUpdate();
  };

  /** A tap, a click on one pair, Space or Enter. A drag to another pair makes no click. */
  readonly #onClick = (event: Event) => {
    const place = placeIn(event);
    if (!place) return;
    this.#stop = place;
    this.#set(place, place, !this.#isOpen(place));
  };

  readonly #onKey = (event: KeyboardEvent) => {
    const place = placeIn(event);
    const model = this.#desk.state()?.model;
    const to = place && model && cellKey(event, place, model.tokensQ.length, model.tokensKv.length);
    if (!to) return;
    event.preventDefault();
    this.#stop = to;
    const table = event.currentTarget as HTMLElement;
    const focus = () => table.querySelector<HTMLElement>(`[data-pair="${to.row},${to.column}"]`)?.focus();
    focus();
    this.#paging.turn([
      ["q", to.row],
      ["kv", to.column],
    ]);
    // A page that has just been turned to is drawn first.
    void this.#desk.element.updateComplete.then(focus);
  };
}
