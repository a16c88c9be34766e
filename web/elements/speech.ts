// Speech: one status region, cleared before it is set, and empty again a little later.

import { html, type LitElement, type ReactiveController, type TemplateResult } from "lit";

/** A region that is set in the same turn as it is cleared says nothing; in milliseconds. */
const CLEARED_FOR = 30;
const SAID_FOR = 5000;

/** What is read aloud. */
export class Speech implements ReactiveController {
  readonly #element: LitElement;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toSay = "";
  #lastSaid = 0;

  constructor(element: LitElement) {
    this.#element = element;
    element.addController(this);
  }

  /** The region, empty; it has to be in the tree before anything is said. */
  readonly region: TemplateResult = html`<p class="unseen" role="status"></p>`;

  /** Milliseconds since something was said. */
  get silence(): number {
    return Date.now() - this.#lastSaid;
  }

  say(text: string): void {
    if (!text) return;
    this.#toSay = text;
    this.#lastSaid = Date.now();
    this.#element.requestUpdate();
  }

  hostUpdated(): void {
    const region = this.#element.renderRoot.querySelector("[role=status]");
    if (!region || !this.#toSay) return;
    const text = this.#toSay;
    this.#toSay = "";
    region.textContent = "";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      region.textContent = text;
      this.#timer = setTimeout(() => {
        region.textContent = "";
      }, SAID_FOR);
    }, CLEARED_FOR);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }
}
