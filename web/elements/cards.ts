// The small windows of the controls: what was checked, what can be taken away, and how to use all this.

import { html, type TemplateResult } from "lit";
import { icon } from "../draw/icons.ts";
import type { MessageKey, Strings } from "../strings/index.ts";
import type { CheckResult } from "./checks.ts";
import { takeCard } from "./take-card.ts";

const keys: readonly (readonly [key: string, text: MessageKey])[] = [
  ["← →", "help.steps"],
  ["Home End", "help.ends"],
  ["+ −", "help.levels"],
  ["← ↑ ↓ →", "help.arrows"],
  ["← →", "help.rows"],
  ["Enter", "help.enter"],
  ["o", "help.origin"],
  ["f", "help.feeds"],
  ["← → Enter", "help.parts"],
  ["Esc", "help.escape"],
];
/** Least distance of a card from the edges of the window and from its button, in pixels. */
const AWAY = 8;

/** The cards, closed. */
export const cards = (strings: Strings, checks: CheckResult): TemplateResult =>
  html`<div class="card" popover="auto" data-card="checks" role="dialog" aria-label=${strings.text("checks.title")}>
        <p class="heading">${strings.text("checks.title")}</p>
        <ul>${checks.items.map(
          ({ isGood, key, n }) =>
            html`<li class=${isGood ? "" : "bad"}>${icon(isGood ? "check" : "alert")}<span>${strings.text(key, { n: n ?? 0 })}</span></li>`,
        )}</ul><p>${strings.text("checks.rounded")}</p></div>
      ${takeCard(strings)}
      <div class="card" popover="auto" data-card="help" role="dialog" aria-label=${strings.text("help.title")}>
        <p class="heading">${strings.text("help.title")}</p>
        <dl>${keys.map(([key, text]) => html`<dt>${key}</dt><dd>${strings.text(text)}</dd>`)}</dl>
        <p>${strings.text("help.read")}</p>
        <p>${strings.text("help.float")}</p></div>`;

/**
 * Opens or closes the card of a button, above it and inside the window. Where there is something to press in it, that gets
 * the focus, and when the card closes the button has it again.
 */
export function toggleCard(root: ParentNode, name: string, button: HTMLElement): void {
  const card = root.querySelector<HTMLElement>(`[data-card=${name}]`);
  if (!card) return;
  card.togglePopover();
  const { clientWidth, clientHeight } = document.documentElement;
  const box = button.getBoundingClientRect();
  const size = card.getBoundingClientRect();
  const left = Math.max(AWAY, Math.min(box.right - size.width, clientWidth - size.width - AWAY));
  const bottom = Math.max(AWAY, Math.min(clientHeight - box.top + AWAY, clientHeight - size.height - AWAY));
  card.style.setProperty("left", `${left}px`);
  card.style.setProperty("bottom", `${bottom}px`);
  const first = card.querySelector<HTMLElement>("button");
  if (!first || !card.matches(":popover-open")) return;
  first.focus({ preventScroll: true });
  const onToggle = (event: Event) => {
    if ((event as ToggleEvent).newState !== "closed") return;
    card.removeEventListener("beforetoggle", onToggle);
    // A press elsewhere has taken the focus there; a key leaves it in the card that goes.
    if (card.matches(":focus-within")) queueMicrotask(() => button.focus({ preventScroll: true }));
  };
  card.addEventListener("beforetoggle", onToggle);
}
