// Rows of buttons with one tab stop: arrow keys, Home and End go from button to button, and the ends do not wrap.

import type { LitElement, ReactiveController } from "lit";
import { stopKey } from "./keys.ts";

/** The button that a key leads to; nothing for other keys. In writing from the right the arrows change places. */
export function neighbour(
  event: KeyboardEvent,
  buttons: readonly HTMLElement[],
  here: HTMLElement,
  isMirrored: boolean,
): HTMLElement | undefined {
  const isEnd = event.key === "Home" || event.key === "End";
  const order = isMirrored && !isEnd ? [...buttons].reverse() : buttons;
  const to = stopKey(event, order.indexOf(here), order.length);
  return to === undefined ? undefined : order[to];
}

const BUTTONS = ".where button";

/** The row beside the place: whatever buttons stand in it. */
export class Toolbar implements ReactiveController {
  readonly #element: LitElement;

  constructor(element: LitElement) {
    this.#element = element;
    element.addController(this);
  }

  hostUpdated(): void {
    const buttons = this.#buttons();
    this.#stopAt(buttons.find((button) => button.getAttribute("tabindex") === "0") ?? buttons[0]);
  }

  /** False for keys that do nothing here. */
  move(event: KeyboardEvent, target: HTMLElement, isMirrored: boolean): boolean {
    const here = target.closest<HTMLElement>(BUTTONS);
    const to = here && neighbour(event, this.#buttons(), here, isMirrored);
    if (!to) return false;
    this.#stopAt(to);
    to.focus();
    return true;
  }

  #buttons(): HTMLElement[] {
    return [...this.#element.renderRoot.querySelectorAll<HTMLElement>(BUTTONS)];
  }

  #stopAt(stop: HTMLElement | undefined): void {
    for (const button of this.#buttons()) button.tabIndex = button === stop ? 0 : -1;
  }
}
