// What has changed since the start: the numbers of the start, and the switch that shows them beside those of now.

import { html, nothing, type TemplateResult } from "lit";
import type { Was } from "../draw/was.ts";
import type { Computation } from "./computation.ts";
import type { Desk } from "./desk.ts";
import { type LoomState, type Model, matchWords } from "./state/index.ts";

type Words = Omit<Was, "numbers" | "isShown">;

/** Knows whether anything differs from the start, and which word was which. */
export class SinceStart {
  readonly #desk: Desk;
  readonly #computation: Computation;
  /** The last answer, and what it was about. */
  #known: { readonly model: Model; readonly start: Model; readonly words: Words | undefined } | undefined;

  constructor(desk: Desk, computation: Computation) {
    this.#desk = desk;
    this.#computation = computation;
  }

  /** The numbers of the start for a figure of the state; nothing where nothing differs from it. */
  was({ model, start, isComparing = false }: LoomState, mark: string): Was | undefined {
    if (model === start) return undefined;
    if (this.#known?.model !== model || this.#known.start !== start) {
      const isSame = JSON.stringify(model) === JSON.stringify(start);
      this.#known = { model, start, words: isSame ? undefined : wordsThen(start, model) };
    }
    const { words } = this.#known;
    if (!words) return undefined;
    const numbers = this.#computation.startNumbers(start, mark);
    return numbers && { ...words, numbers, isShown: isComparing };
  }

  /** What the mark in a corner means, and the switch. */
  legend(was: Was | undefined): TemplateResult | typeof nothing {
    if (!was) return nothing;
    const strings = this.#desk.strings();
    const onClick = () => {
      if (this.#desk.act({ type: "compare" })) this.#desk.say(strings.text(was.isShown ? "was.hidden" : "was.shown"));
    };
    return html`<div class="since"><i class="mark"></i><span>${strings.text("was.legend")}</span><button type="button" class="push quiet"
        aria-pressed=${was.isShown} @click=${onClick}>${strings.text("was.compare")}</button></div>`;
  }
}

/** For each word of now which word of the start it was. */
const wordsThen = (start: Model, now: Model): Words => ({
  rowsQ: matchWords(start.tokensQ, now.tokensQ),
  rowsKv: matchWords(start.tokensKv, now.tokensKv),
});
