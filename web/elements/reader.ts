// What the reader does with pointer and keys: buttons, cells, the map, the controls.

import type { CodeLanguage } from "../draw/code/languages.ts";
import { cellIn } from "../draw/shape.ts";
import type { Asking } from "./asking.ts";
import { toggleCard } from "./cards.ts";
import { type CellEditor, indexOf } from "./cell-editor.ts";
import { tabOf } from "./code-tabs.ts";
import type { Computation } from "./computation.ts";
import { type Desk, reasonOf } from "./desk.ts";
import { type GridFocus, placeOf, tableKey } from "./grid-focus.ts";
import { controlKey } from "./keys.ts";
import type { Linked } from "./linked.ts";
import type { PageLink } from "./page-link.ts";
import type { Player } from "./player.ts";
import type { Roving } from "./roving.ts";
import type { TakeAway } from "./take-away.ts";

/** The parts that answer to the reader. */
export interface Parts {
  readonly computation: Computation;
  readonly player: Player;
  readonly focus: GridFocus;
  readonly editor: CellEditor;
  readonly pageLink: PageLink;
  readonly take: TakeAway;
  readonly roving: Roving;
  readonly asking: Asking;
  readonly linked: Linked;
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
    const isPart = this.#parts.linked.onClick(event);
    if (isPart || this.#parts.asking.onClick(event)) return;
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
      if (!cell || target.closest(".entry")) return;
      const isEdit = this.#isEditing && cell.closest("table.editable") !== null;
      if (this.#parts.asking.isOpen && !isEdit) this.#parts.asking.askAbout(cell);
      else this.#choose(cell, this.#isEditing);
    }
  };

  readonly onDoubleClick = (event: Event) => {
    const cell = (event.target as Element).closest<HTMLElement>("table.editable td[data-place]");
    if (cell) this.#choose(cell, true);
  };

  readonly onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.defaultPrevented) return;
    const { editor, focus, player, roving, asking, linked } = this.#parts;
    const target = event.target as HTMLElement;
    const cell = target.closest<HTMLElement>("td[data-place]");
    if (target instanceof HTMLInputElement && target.classList.contains("entry")) editor.onKey(event, target);
    else if (roving.onKey(event) || linked.onKey(event) || asking.onKey(event)) return;
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
      const action = controlKey(event, target, this.#isMirrored());
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
      case "link":
        void this.#parts.pageLink.copy();
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
