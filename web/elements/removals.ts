// Take a step away and see what breaks: one switch each, with what comes of it in a sentence.

import { html, nothing, type TemplateResult } from "lit";
import type { MessageKey } from "../strings/index.ts";
import type { Desk } from "./desk.ts";
import type { Action, LoomState, Model } from "./state/index.ts";

/** One step that can be taken away. */
interface Removal {
  readonly label: MessageKey;
  /** What is missing without it, and why it was there. */
  readonly consequence: MessageKey;
  /** There is something to take away, or to put back. */
  isPossible(state: LoomState): boolean;
  isRemoved(model: Model): boolean;
  remove(model: Model): Action;
  putBack(state: LoomState): Action;
}

const hasMask = ({ options }: Model) => options.allow !== undefined || options.causal !== undefined;
const sameTable = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The model that had the step: the latest that undo remembers, else the one from the start. */
const lastWith = ({ past, start }: LoomState, has: (model: Model) => boolean): Model =>
  [...past].reverse().find(has) ?? start;

const isShared = ({ matrices }: Model) => sameTable(matrices.wQ, matrices.wK);
const hasOutput = ({ matrices }: Model) => matrices.wO !== undefined;

const REMOVALS: readonly Removal[] = [
  {
    label: "removal.scale",
    consequence: "removal.scaleWhy",
    isPossible: () => true,
    isRemoved: ({ options }) => options.scale === 1,
    remove: () => ({ type: "option", change: { scale: 1 } }),
    putBack: (state) => ({
      type: "option",
      change: { scale: lastWith(state, ({ options }) => options.scale !== 1).options.scale },
    }),
  },
  {
    label: "removal.mask",
    consequence: "removal.maskWhy",
    isPossible: (state) => hasMask(state.model) || hasMask(lastWith(state, hasMask)),
    isRemoved: (model) => !hasMask(model),
    remove: () => ({ type: "option", change: { allow: undefined, causal: undefined } }),
    putBack: (state) => {
      const { allow, causal } = lastWith(state, hasMask).options;
      return { type: "option", change: { allow, causal } };
    },
  },
  {
    label: "removal.ownKeys",
    consequence: "removal.ownKeysWhy",
    isPossible: ({ model: { matrices } }) =>
      matrices.wQ !== undefined &&
      matrices.wQ.rows === matrices.wK?.rows &&
      matrices.wQ.columns === matrices.wK.columns,
    isRemoved: isShared,
    remove: ({ matrices }) => ({ type: "matrix", name: "wK", table: matrices.wQ }),
    putBack: (state) => ({
      type: "matrix",
      name: "wK",
      table: lastWith(state, (model) => !isShared(model)).matrices.wK,
    }),
  },
  {
    label: "removal.output",
    consequence: "removal.outputWhy",
    isPossible: (state) => hasOutput(state.model) || hasOutput(lastWith(state, hasOutput)),
    isRemoved: (model) => !hasOutput(model),
    remove: () => ({ type: "matrix", name: "wO" }),
    putBack: (state) => ({ type: "matrix", name: "wO", table: lastWith(state, hasOutput).matrices.wO }),
  },
];

/** The switches. Below them what each removed step was there for. */
export function removalsPanel(desk: Desk): TemplateResult | typeof nothing {
  const state = desk.state();
  if (!state) return nothing;
  const strings = desk.strings();
  const possible = REMOVALS.filter((removal) => removal.isPossible(state));
  const toggle = (removal: Removal) => {
    const action = removal.isRemoved(state.model) ? removal.putBack(state) : removal.remove(state.model);
    if (desk.act(action) && action !== undefined && !removal.isRemoved(state.model)) {
      desk.say(strings.text(removal.consequence));
    }
  };
  const removed = possible.filter((removal) => removal.isRemoved(state.model));
  return html`<div class="removals"><h4>${strings.text("removal.title")}</h4><div class="tools">${possible.map(
    (removal) =>
      html`<button type="button" class="push" aria-pressed=${removal.isRemoved(state.model)} @click=${() => toggle(removal)}>${strings.text(removal.label)}</button>`,
  )}</div>${removed.map(({ consequence }) => html`<p class="consequence">${strings.text(consequence)}</p>`)}</div>`;
}
