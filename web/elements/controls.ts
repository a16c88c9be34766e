// The controls: slider, transport, levels, speed, position, and the buttons for editing, taking away, checks and help.

import { html, type TemplateResult } from "lit";
import { icon } from "../draw/icons.ts";
import type { Strings } from "../strings/index.ts";
import { cards } from "./cards.ts";
import type { CheckResult } from "./checks.ts";
import type { Desk } from "./desk.ts";
import { placeText } from "./place.ts";
import { type Player, SPEEDS } from "./player.ts";
import { countFrames, frameIndex, LEVELS } from "./state/index.ts";

type PushAction = "undo" | "redo" | "reset" | "first" | "back" | "last";

/** A square button with an icon. Those that arrow keys reach are no stops of their own. */
export function pushButton(strings: Strings, action: PushAction, isOff: boolean): TemplateResult {
  const label = strings.text(`control.${action}`);
  const isReached = action === "first" || action === "back" || action === "last";
  return html`<button type="button" class="push square" aria-label=${label} title=${label} aria-disabled=${isOff} data-act=${action}
      tabindex=${isReached ? -1 : 0}>${icon(action)}</button>`;
}

/** Which frame is on view, counted from 0, and how many there are. */
function position(desk: Desk): { frame: number; total: number } {
  const cursor = desk.state()?.cursor;
  const stages = desk.stages();
  return cursor
    ? { frame: frameIndex(cursor, stages), total: countFrames(stages, cursor.level) }
    : { frame: 0, total: 0 };
}

/** The bar. Its buttons say in `data-act` what they do. */
export function controlBar(desk: Desk, player: Player, checks: CheckResult, isEditing: boolean): TemplateResult {
  const scene = desk.scene();
  if (!scene) return html``;
  const { strings, cursor } = scene;
  const { frame, total } = position(desk);
  const isFirst = frame === 0;
  const isLast = frame >= total - 1;
  const place = placeText(scene);
  const n = total === 0 ? 0 : frame + 1;
  const playing = strings.text(player.isPlaying ? "control.pause" : "control.play");
  const onSlide = (event: Event) => {
    desk.pause();
    desk.act({ type: "frame", index: Number((event.target as HTMLInputElement).value) });
  };
  const onSpeed = (event: Event) => {
    player.speed = Number((event.target as HTMLSelectElement).value);
  };
  return html`<div class="bar" role="group" aria-label=${strings.text("control.label")}>
      <input class="slider" type="range" min="0" step="1" aria-label=${strings.text("control.slider")}
        aria-valuetext=${strings.text("position.slider", { n, total, place })} @input=${onSlide} />
      <div class="controls"><div class="transport">
          ${pushButton(strings, "first", isFirst)}${pushButton(strings, "back", isFirst)}
          <button type="button" class="push square" data-act="play" aria-label=${playing} title=${playing} aria-disabled=${isLast && !player.isPlaying}>${icon(player.isPlaying ? "pause" : "play")}</button>
          <button type="button" class="push primary" data-act="next" aria-disabled=${isLast}>${strings.text("control.next")}${icon("next")}</button>
          ${pushButton(strings, "last", isLast)}</div>
        <div class="levels" role="radiogroup" aria-label=${strings.text("level.label")}>${LEVELS.map(
          (level) => html`<label><input type="radio" name="level" value=${level} .checked=${level === cursor.level}
              @change=${() => desk.act({ type: "level", level })} />${strings.text(`level.${level}`)}</label>`,
        )}</div>
        <select class="speed" aria-label=${strings.text("control.speed")} title=${strings.text("control.speed")} @change=${onSpeed}>${SPEEDS.map(
          (speed) =>
            html`<option value=${speed} ?selected=${speed === player.speed}>${strings.text("control.speedOption", { n: speed })}</option>`,
        )}</select>
      </div>
      <div class="where" role="toolbar" aria-label=${strings.text("control.more")}><span class="place"><b>${place}</b> · ${strings.text("position.frame", { n, total })}</span>
        <button type="button" class="push quiet" data-act="edit" aria-pressed=${isEditing}>${icon("edit")}<span class="label">${strings.text(isEditing ? "control.done" : "control.edit")}</span></button>
        <button type="button" class="push quiet" data-act="take" aria-haspopup="dialog">${icon("copy")}<span class="label">${strings.text("control.take")}</span></button>
        <button type="button" class="push quiet ${checks.isGood ? "good" : "bad"}" data-act="checks" aria-haspopup="dialog">${icon(checks.isGood ? "check" : "alert")}<span class="label">${strings.text(checks.isGood ? "checks.ok" : "checks.bad")}</span></button>
        <button type="button" class="push quiet square" data-act="help" aria-haspopup="dialog" aria-label=${strings.text("control.help")} title=${strings.text("control.help")}>${icon("help")}</button></div>
      ${cards(strings, checks)}</div>`;
}

/** Sets the slider: its range first, then its place in it. */
export function settleSlider(root: ParentNode, desk: Desk): void {
  const slider = root.querySelector<HTMLInputElement>("input.slider");
  if (!slider) return;
  const { frame, total } = position(desk);
  slider.max = String(Math.max(0, total - 1));
  slider.value = String(frame);
  slider.style.setProperty("--done", `${total > 1 ? (100 * frame) / (total - 1) : 100}%`);
}
