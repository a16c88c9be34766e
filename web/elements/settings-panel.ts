// The settings of the computation: scale, temperature, soft cap, heads.

import { html, type TemplateResult } from "lit";
import { formatAlone } from "../draw/number.ts";
import type { MessageKey } from "../strings/index.ts";
import type { Desk } from "./desk.ts";
import { parseNumber } from "./parse.ts";
import type { Model, OptionChange } from "./state/index.ts";

const MOST_HEADS = 16;

/** A setting that is a number. Left empty it goes back to its default. */
interface NumberSetting {
  readonly name: "scale" | "temperature" | "softCap";
  readonly label: MessageKey;
  /** What stands in the empty field. */
  readonly empty: MessageKey;
  readonly allowed: MessageKey;
  isAllowed(value: number): boolean;
}

const SETTINGS: readonly NumberSetting[] = [
  {
    name: "scale",
    label: "setting.scale",
    empty: "setting.scaleEmpty",
    allowed: "allowed.number",
    isAllowed: () => true,
  },
  {
    name: "temperature",
    label: "setting.temperature",
    empty: "setting.temperatureEmpty",
    allowed: "allowed.temperature",
    isAllowed: (value) => value >= 0,
  },
  {
    name: "softCap",
    label: "setting.softCap",
    empty: "setting.softCapEmpty",
    allowed: "allowed.positive",
    isAllowed: (value) => value > 0,
  },
];

/** The counts of heads that divide the columns of all three matrices. */
export function possibleHeads({ matrices, options }: Model): number[] {
  const { wQ, wK, wV, q, k, v } = matrices;
  const widths = [wQ, wK, wV, q, k, v].flatMap((table) => (table ? [table.columns] : []));
  const counts = Array.from({ length: MOST_HEADS }, (_, i) => i + 1);
  return counts.filter((n) => n === (options.heads ?? 1) || widths.every((width) => width % n === 0));
}

/** The fields. */
export function settingsPanel(desk: Desk): TemplateResult {
  const scene = desk.scene();
  const model = desk.state()?.model;
  if (!scene || !model) return html``;
  const { strings, numbers } = scene;
  const set = (change: OptionChange) => desk.act({ type: "option", change });
  const onNumber = (event: Event, { name, label, allowed, isAllowed }: NumberSetting) => {
    const field = event.target as HTMLInputElement;
    const text = field.value.trim().replace(numbers.mark, ".");
    const value = text === "" ? undefined : parseNumber(text);
    const isWrong = text !== "" && (value === undefined || !isAllowed(value));
    field.setAttribute("aria-invalid", String(isWrong));
    if (isWrong) {
      desk.say(
        strings.text("error.number", {
          name: strings.text(label),
          value: `“${field.value}”`,
          allowed: strings.text(allowed),
        }),
      );
    } else set({ [name]: value });
  };
  const fields = SETTINGS.map((setting) => {
    const value = model.options[setting.name];
    return html`<label>${strings.text(setting.label)}<input type="text" inputmode="decimal" autocomplete="off" name=${setting.name}
        placeholder=${strings.text(setting.empty)} .value=${value === undefined ? "" : formatAlone(value, numbers.mark)}
        @change=${(event: Event) => onNumber(event, setting)} /></label>`;
  });
  const heads = model.options.heads ?? 1;
  return html`<div class="settings">${fields}<label>${strings.text("setting.heads")}<select name="heads"
      @change=${(event: Event) => set({ heads: Number((event.target as HTMLSelectElement).value) })}>${possibleHeads(
        model,
      ).map((n) => html`<option value=${n} ?selected=${n === heads}>${n}</option>`)}</select></label></div>`;
}
