// Take a step away and see what breaks: one switch each, with what comes of it in a sentence.

import { html, nothing, type TemplateResult } from "lit";
import { message } from "../draw/message.ts";
import type { MessageKey } from "../strings/index.ts";
import type { Desk } from "./desk.ts";
import { type Action, type LoomState, lastWith, type Model } from "./state/index.ts";

/** One step that can be taken away. */
interface Removal {
  readonly label: MessageKey;
  /** What is missing without it, and why it was there. */
  readonly consequence: MessageKey;
  /** There is something to take away, or to put back. */
  isPossible(state: LoomState): boolean;
  isRemoved(model: Model): boolean;
  /** It would change nothing now. Its switch stays where it is, so that no other moves under the finger. */
  isIdle?(model: Model): boolean;
  remove(model: Model): Action;
  putBack(state: LoomState): Action;
}

const hasMask = ({ options }: Model) => options.allow !== undefined || options.causal !== undefined;
const sameTable = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const isShared = ({ matrices }: Model) => sameTable(matrices.wQ, matrices.wK) && sameTable(matrices.bQ, matrices.bK);
const hasTemperature = ({ options }: Model) => (options.temperature ?? 1) !== 1;
const hasBias = ({ matrices }: Model) => [matrices.bQ, matrices.bK, matrices.bV, matrices.bO].some(Boolean);
const hasOutput = ({ matrices }: Model) => matrices.wO !== undefined;

const isSoftened = ({ options }: Model) => options.softmax !== "none";

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
    remove: ({ matrices }) => ({ type: "matrices", change: { wK: matrices.wQ, bK: matrices.bQ } }),
    putBack: (state) => {
      const { wK, bK } = lastWith(state, (model) => !isShared(model)).matrices;
      return { type: "matrices", change: { wK, bK } };
    },
  },
  {
    label: "removal.shift",
    consequence: "removal.shiftWhy",
    isPossible: () => true,
    // A temperature of 0 looks at the largest score, and without a softmax there is no exponential.
    isIdle: (model) => !isSoftened(model) || model.options.temperature === 0,
    isRemoved: ({ options }) => options.shift === false,
    remove: () => ({ type: "option", change: { shift: false } }),
    putBack: () => ({ type: "option", change: { shift: undefined } }),
  },
  {
    label: "removal.axis",
    consequence: "removal.axisWhy",
    isPossible: () => true,
    isRemoved: ({ options }) => options.softmax === "columns",
    remove: () => ({ type: "option", change: { softmax: "columns" } }),
    putBack: () => ({ type: "option", change: { softmax: undefined } }),
  },
  {
    label: "removal.softmax",
    consequence: "removal.softmaxWhy",
    isPossible: () => true,
    isRemoved: (model) => !isSoftened(model),
    remove: () => ({ type: "option", change: { softmax: "none" } }),
    // Along whichever axis it was before.
    putBack: (state) => ({ type: "option", change: { softmax: lastWith(state, isSoftened).options.softmax } }),
  },
  {
    label: "removal.temperature",
    consequence: "removal.temperatureWhy",
    isPossible: (state) => hasTemperature(state.model) || hasTemperature(lastWith(state, hasTemperature)),
    isRemoved: (model) => !hasTemperature(model),
    remove: () => ({ type: "option", change: { temperature: undefined } }),
    putBack: (state) => ({
      type: "option",
      change: { temperature: lastWith(state, hasTemperature).options.temperature },
    }),
  },
  {
    label: "removal.biases",
    consequence: "removal.biasesWhy",
    isPossible: (state) => hasBias(state.model) || hasBias(lastWith(state, hasBias)),
    isRemoved: (model) => !hasBias(model),
    remove: () => ({ type: "matrices", change: { bQ: undefined, bK: undefined, bV: undefined, bO: undefined } }),
    putBack: (state) => {
      const { bQ, bK, bV, bO } = lastWith(state, hasBias).matrices;
      // A bias behind a W_O that is gone waits for it.
      return { type: "matrices", change: { bQ, bK, bV, bO: hasOutput(state.model) ? bO : undefined } };
    },
  },
  {
    label: "removal.output",
    consequence: "removal.outputWhy",
    isPossible: (state) => hasOutput(state.model) || hasOutput(lastWith(state, hasOutput)),
    isRemoved: (model) => !hasOutput(model),
    remove: () => ({ type: "matrices", change: { wO: undefined, bO: undefined } }),
    putBack: (state) => {
      const { wO, bO } = lastWith(state, hasOutput).matrices;
      return { type: "matrices", change: { wO, bO } };
    },
  },
];

/** The switches. Below them what each removed step was there for. */
export function removalsPanel(desk: Desk): TemplateResult | typeof nothing {
  const state = desk.state();
  if (!state) return nothing;
  const strings = desk.strings();
  const possible = REMOVALS.filter((removal) => removal.isPossible(state));
  const isIdle = (removal: Removal) => removal.isIdle?.(state.model) ?? false;
  const toggle = (removal: Removal) => {
    if (isIdle(removal)) return;
    const isBack = removal.isRemoved(state.model);
    if (!desk.act(isBack ? removal.putBack(state) : removal.remove(state.model))) return;
    desk.say(strings.text(isBack ? "removal.back" : removal.consequence, { name: strings.text(removal.label) }));
  };
  const removed = possible.filter((removal) => removal.isRemoved(state.model) && !isIdle(removal));
  return html`<div class="removals" role="group" aria-label=${strings.text("removal.title")}><p class="heading">${strings.text("removal.title")}</p><div class="tools">${possible.map(
    (removal) =>
      html`<button type="button" class="push" aria-pressed=${removal.isRemoved(state.model) && !isIdle(removal)} aria-disabled=${isIdle(removal)} @click=${() => toggle(removal)}><span>${message(strings.parts(removal.label))}</span></button>`,
  )}</div>${removed.map(({ consequence }) => html`<p class="consequence">${strings.text(consequence)}</p>`)}</div>`;
}
