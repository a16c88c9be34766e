// The pages of long sides: which the reader has turned to, and the controls that turn them.

import { html, nothing, type TemplateResult } from "lit";
import type { Cursor } from "../draw/cursor.ts";
import { icon } from "../draw/icons.ts";
import { message } from "../draw/message.ts";
import type { Numbers } from "../draw/numbers.ts";
import { cursorPlaces, isPaged, type Span } from "../draw/pages.ts";
import type { MatrixPicture } from "../draw/picture.ts";
import type { Desk } from "./desk.ts";

/** The sides of these tables that are not on view as a whole, by page key. */
export function pagedSides(matrices: readonly MatrixPicture[]): Map<string, Span> {
  const sides = new Map<string, Span>();
  for (const { down, across, pageKeys } of matrices) {
    if (isPaged(down)) sides.set(pageKeys[0], down);
    if (isPaged(across)) sides.set(pageKeys[1], across);
  }
  return sides;
}

/** Which page of each side is on view, where that is not the cursor's. */
export class Paging {
  readonly #desk: Desk;
  #turned: ReadonlyMap<string, number> = new Map();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** The places that the reader has turned to, by page key. */
  get pages(): ReadonlyMap<string, number> {
    return this.#turned;
  }

  /** Turns to the pages that show these places. */
  turn(to: Iterable<readonly [key: string, at: number]>): void {
    this.#turned = new Map([...this.#turned, ...to]);
    this.#desk.element.requestUpdate();
  }

  /** The cursor has moved: the sides that it stands on show where. */
  follow(numbers: Numbers, cursor: Cursor): void {
    const on = cursorPlaces(numbers, cursor);
    if ([...on.keys()].some((key) => this.#turned.has(key)))
      this.#turned = new Map([...this.#turned].filter(([key]) => !on.has(key)));
  }

  /** The controls that turn the pages of these sides; nothing where there are none. */
  controls(sides: ReadonlyMap<string, Span>): TemplateResult | typeof nothing {
    if (sides.size === 0) return nothing;
    const strings = this.#desk.strings();
    return html`<div class="pages" role="group" aria-label=${strings.text("page.label")}>${[...sides].map(
      ([key, span]) => this.#side(key, span),
    )}</div>`;
  }

  #side(key: string, { from, count, of }: Span): TemplateResult {
    const strings = this.#desk.strings();
    const kind = key === "q" || key === "kv" ? key : "f";
    const turn = (at: number) => {
      this.#desk.pause();
      this.turn([[key, Math.min(Math.max(0, at), of - 1)]]);
    };
    const step = (by: -1 | 1) => {
      const name = by < 0 ? "back" : "next";
      const isOff = by < 0 ? from === 0 : from + count >= of;
      const label = strings.text(`page.${kind}.${name}`);
      // Without this a page that is cut short at the end would be left by less than a page.
      const to = by < 0 ? Math.ceil(from / count) * count - count : from + count;
      return html`<button type="button" class="push quiet square" aria-label=${label} title=${label} aria-disabled=${isOff}
          @click=${() => isOff || turn(to)}>${icon(name)}</button>`;
    };
    const onChange = (event: Event) => {
      const field = event.target as HTMLInputElement;
      const at = Math.trunc(field.valueAsNumber);
      // What is no place leaves the page as it is.
      field.value = String(from + 1);
      if (at >= 1 && at <= of) turn(at - 1);
    };
    return html`<span class="side">${step(-1)}<label><span class="of">${message(strings.parts(`page.${kind}.label`))}</span><input class="at" type="number" inputmode="numeric" min="1"
        max=${of} .value=${String(from + 1)} aria-label=${strings.text(`page.${kind}.first`)} @change=${onChange} /></label><span
        class="of">${strings.text("page.rest", { to: from + count, of })}</span>${step(1)}</span>`;
  }
}
