// One number edited where it stands: opened, typed, taken over or left as it was.

import type { ReactiveController } from "lit";
import type { TableUse } from "../draw/matrix.ts";
import { cellIn } from "../draw/shape.ts";
import type { Desk } from "./desk.ts";
import { type GridFocus, placeOf, tableKey } from "./grid-focus.ts";
import { parseNumber } from "./parse.ts";
import { inputName } from "./place.ts";

/** Digits that tell two float32 apart nearly always, and still fit into a cell. */
const DIGITS = 7;
const LONG = 9;

interface Editing {
  readonly table: string;
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly note?: string;
}

/** The index that a cell has in its stage or input. */
export const indexOf = (cell: HTMLElement): number[] => (cell.dataset.index ?? "").split(",").map(Number);

/** The number that is being typed. */
export class CellEditor implements ReactiveController {
  readonly #desk: Desk;
  readonly #focus: GridFocus;
  #editing: Editing | undefined;

  constructor(desk: Desk, focus: GridFocus) {
    this.#desk = desk;
    this.#focus = focus;
    desk.element.addController(this);
  }

  /** What is typed into a table, if it is this one. */
  of(table: string): TableUse["editing"] {
    return this.#editing?.table === table ? this.#editing : undefined;
  }

  open(cell: HTMLElement): void {
    const table = cell.closest("table");
    const place = placeOf(cell);
    if (!table || !place) return;
    const value = this.#desk.numbers()?.value(table.dataset.name ?? "", indexOf(cell)) ?? 0;
    const text = String(value).length > LONG ? String(Number(value.toPrecision(DIGITS))) : String(value);
    this.#desk.pause();
    this.#editing = { table: tableKey(table), ...place, text };
    this.#desk.element.requestUpdate();
  }

  /** Closes without a change. */
  close(): void {
    this.#editing = undefined;
    this.#desk.element.requestUpdate();
  }

  /** Enter takes the number over, Escape leaves it as it was; other keys are the field's own. */
  onKey(event: KeyboardEvent, entry: HTMLInputElement): void {
    if (event.ctrlKey) return;
    if (event.key === "Enter") this.#commit(entry, true);
    else if (event.key === "Escape") {
      this.#focus.want(this.#editing?.table);
      this.close();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  readonly onFocusOut = (event: FocusEvent) => {
    const entry = event.target as Element;
    if (entry instanceof HTMLInputElement && entry.classList.contains("entry")) this.#commit(entry, false);
  };

  /** Takes the number over. What is no number stays open with a note, if the reader is to go back to the cell. */
  #commit(entry: HTMLInputElement, goBack: boolean): void {
    const editing = this.#editing;
    const cell = entry.closest<HTMLElement>("td");
    const name = entry.closest("table")?.dataset.name ?? "";
    if (!editing || !cell) return;
    const value = parseNumber(entry.value);
    if (value === undefined && goBack) {
      const note = this.#desk.strings().text("edit.invalid", { text: entry.value });
      this.#editing = { ...editing, note };
      this.#desk.say(note);
      return;
    }
    this.close();
    if (value === undefined) {
      // Left, not taken over: the number stays as it was, and that is said.
      if (entry.defaultValue !== entry.value)
        this.#desk.say(this.#desk.strings().text("edit.invalid", { text: entry.value }));
      return;
    }
    if (goBack) this.#focus.want(editing.table);
    if (entry.defaultValue === entry.value) return;
    const index = indexOf(cell);
    this.#desk.act({ type: "edit", matrix: inputName(name), ...this.#givenPlace(name, index), value });
  }

  /** Given queries, keys and values stand here by head; as they were given the heads are side by side. */
  #givenPlace(name: string, index: readonly number[]): { row: number; column: number } {
    const description = this.#desk.numbers()?.of(name).description;
    if (!description) return { row: 0, column: 0 };
    const { head, row, column } = cellIn(description, index);
    return { row, column: head * (description.shape[2] ?? 0) + column };
  }

  hostUpdated(): void {
    const root = this.#desk.element.renderRoot;
    if (!this.#editing || root.querySelector(".entry:focus")) return;
    const entry = root.querySelector<HTMLInputElement>(".entry");
    entry?.focus();
    entry?.select();
  }
}
