// What the reader does with pointer and keys: buttons, cells, the map, the controls.

import type { CodeLanguage } from "../draw/code/languages.ts";
import { cellIn } from "../draw/shape.ts";
import { toggleCard } from "./cards.ts";
import { type CellEditor, indexOf } from "./cell-editor.ts";
import { tabOf } from "./code-tabs.ts";
import type { Computation } from "./computation.ts";
import { type Desk, reasonOf } from "./desk.ts";
import { type GridFocus, placeOf, tableKey } from "./grid-focus.ts";
import { controlKey } from "./keys.ts";
import type { Player } from "./player.ts";
import type { TakeAway } from "./take-away.ts";
import type { Toolbar } from "./toolbar.ts";

/** The parts that answer to the reader. */
export interface Parts {
  readonly computation: Computation;
  readonly player: Player;
  readonly focus: GridFocus;
  readonly editor: CellEditor;
  readonly take: TakeAway;
  readonly toolbar: Toolbar;
}

/** The listeners of the whole figure. */
export class Reader {
  readonly #desk: Desk;
  readonly #parts: Parts;
  #isEditing = false;

  constructor(desk: Desk, parts: Parts) {
    this.#desk = desk;
    this.#parts = parts;
  }

  /** True while the panel for editing is open, and a tap on a given number edits it. */
  get isEditing(): boolean {
    return this.#isEditing;
  }

  readonly onClick = (event: Event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>("button");
    if (button?.dataset.take) void this.#parts.take.take(button.dataset.take, button);
    else if (button?.dataset.code) {
      this.#desk.act({ type: "code", language: button.dataset.code as CodeLanguage });
    } else if (button?.dataset.stage) {
      this.#parts.player.pause();
      this.#desk.act({ type: "jump", stage: button.dataset.stage });
    } else if (button?.dataset.act) this.#press(button.dataset.act, button);
    else {
      const cell = target.closest<HTMLElement>("td[data-place]");
      if (cell && !target.closest(".entry")) this.#choose(cell, this.#isEditing);
    }
  };

  readonly onDoubleClick = (event: Event) => {
    const cell = (event.target as Element).closest<HTMLElement>("table.editable td[data-place]");
    if (cell) this.#choose(cell, true);
  };

  readonly onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.defaultPrevented) return;
    const { editor, focus, player } = this.#parts;
    const target = event.target as HTMLElement;
    const cell = target.closest<HTMLElement>("td[data-place]");
    if (target instanceof HTMLInputElement && target.classList.contains("entry")) editor.onKey(event, target);
    else if (cell && event.key === "Enter" && !event.ctrlKey) {
      event.preventDefault();
      this.#choose(cell, true);
    } else if (cell) focus.moveCell(event, cell);
    else if (target.closest(".map")) focus.moveStop(event, target);
    else if (target.closest(".tab")) {
      const tab = tabOf(event, target, this.#isMirrored());
      if (!tab) return;
      event.preventDefault();
      tab.focus();
      tab.click();
    } else if (target.closest(".bar") && !target.closest(".card")) {
      const isMirrored = this.#isMirrored();
      if (this.#parts.toolbar.move(event, target, isMirrored)) {
        event.preventDefault();
        return;
      }
      const action = controlKey(event, target, isMirrored);
      if (!action) return;
      event.preventDefault();
      player.pause();
      this.#desk.act(action);
    }
  };

  #isMirrored(): boolean {
    return getComputedStyle(this.#desk.element).direction === "rtl";
  }

  /** A button of the controls; `act` is its data-act. */
  #press(act: string, button: HTMLElement): void {
    if (button.getAttribute("aria-disabled") === "true") return;
    switch (act) {
      case "play":
        this.#parts.player.toggle();
        return;
      case "edit":
        this.#isEditing = !this.#isEditing;
        this.#parts.editor.close();
        return;
      case "checks":
        this.#compareWithTwin();
        toggleCard(this.#desk.element.renderRoot, act, button);
        return;
      case "take":
        this.#parts.take.prepare();
        toggleCard(this.#desk.element.renderRoot, act, button);
        return;
      case "help":
        toggleCard(this.#desk.element.renderRoot, act, button);
        return;
      default:
        this.#parts.player.pause();
        this.#desk.act({ type: act as "next" });
    }
  }

  #compareWithTwin(): void {
    try {
      this.#parts.computation.compareWithTwin();
    } catch (error) {
      this.#desk.fail("core", this.#desk.strings().text("error.core", { reason: reasonOf(error) }));
    }
    this.#desk.element.requestUpdate();
  }

  /** A cell was chosen: a given number is edited, a computed one is gone to. */
  #choose(cell: HTMLElement, canEdit: boolean): void {
    const table = cell.closest("table");
    const place = placeOf(cell);
    const numbers = this.#desk.numbers();
    const level = this.#desk.state()?.cursor.level;
    if (!table || !place || !numbers) return;
    const name = table.dataset.name ?? "";
    this.#parts.focus.set(tableKey(table), place);
    this.#desk.element.requestUpdate();
    if (table.classList.contains("editable")) {
      if (canEdit) this.#parts.editor.open(cell);
    } else if (numbers.trace.stages.includes(name)) {
      this.#parts.player.pause();
      const to = cellIn(numbers.of(name).description, indexOf(cell));
      this.#desk.act({ type: "jump", stage: name, ...to, level: level === "term" ? "term" : "cell" });
    }
  }
}
