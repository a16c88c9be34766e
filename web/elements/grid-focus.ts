// One tab stop in every matrix: which cell it is, and that the focus is not lost when a frame takes its cell away.

import type { ReactiveController } from "lit";
import type { Cursor } from "../draw/cursor.ts";
import type { TableFocus } from "../draw/matrix.ts";
import { nearest, type Span } from "../draw/pages.ts";
import type { Desk } from "./desk.ts";
import { cellKey, stopKey } from "./keys.ts";
import type { Paging } from "./paging.ts";

/** The place of a cell in its table. */
export function placeOf(cell: HTMLElement): TableFocus | undefined {
  const [row, column] = (cell.dataset.place ?? "").split(",").map(Number);
  return row === undefined || column === undefined ? undefined : { row, column };
}

/** What tells the tables of a frame apart: where they stand, and for given matrices the name. */
export function tableKey(table: HTMLTableElement): string {
  const { slot = "", name = "" } = table.dataset;
  return slot === "input" ? `input:${name}` : slot;
}

const FIRST: TableFocus = { row: 0, column: 0 };

/** The tab stops of the figure's tables and of the map. */
export class GridFocus implements ReactiveController {
  readonly #desk: Desk;
  readonly #paging: Paging;
  readonly #stops = new Map<string, TableFocus>();
  #mapStop: string | undefined;
  /** The table that had the focus before the update, if it was one. */
  #had: string | undefined;
  #wanted: string | undefined;

  constructor(desk: Desk, paging: Paging) {
    this.#desk = desk;
    this.#paging = paging;
    desk.element.addController(this);
  }

  /** The stage of the map that the Tab key reaches, where the arrow keys have left the current one. */
  get mapStop(): string | undefined {
    return this.#mapStop;
  }

  /** The cell of a table that the Tab key reaches: one of those on view. */
  of(table: string, down: Span, across: Span): TableFocus {
    const { row, column } = this.#stops.get(table) ?? FIRST;
    return { row: nearest(down, row), column: nearest(across, column) };
  }

  set(table: string, place: TableFocus): void {
    this.#stops.set(table, place);
  }

  /** After the next update the table's cell gets the focus. */
  want(table: string | undefined): void {
    this.#wanted = table;
  }

  /** The cursor has moved: the cell that Tab reaches in the result is the current one. */
  follow({ level, row, column }: Cursor): void {
    this.#stops.clear();
    this.#mapStop = undefined;
    if (level !== "stage") this.#stops.set("result", { row, column: level === "row" ? 0 : column });
  }

  readonly onFocusIn = (event: FocusEvent) => {
    const cell = (event.target as Element).closest?.<HTMLElement>("td[data-place]");
    const table = cell?.closest("table");
    const place = cell && placeOf(cell);
    if (place && table) this.#stops.set(tableKey(table), place);
  };

  /** An arrow key and its like, in a matrix. */
  moveCell(event: KeyboardEvent, cell: HTMLElement): void {
    const table = cell.closest("table");
    const place = placeOf(cell);
    if (!table || !place) return;
    const body = table.tBodies[0];
    // Of a table of pages more rows and columns are there than on view; its counts include the headings.
    const counted = (count: string | null, drawn: number) => (count ? Number(count) - 1 : drawn);
    const rows = counted(table.ariaRowCount, body?.rows.length ?? 0);
    const columns = counted(table.ariaColCount, (body?.rows[0]?.cells.length ?? 1) - 1);
    const to = cellKey(event, place, rows, columns);
    if (!to) return;
    event.preventDefault();
    const next = table.querySelector<HTMLElement>(`td[data-place="${to.row},${to.column}"]`);
    if (next === cell) return;
    if (!next) {
      this.#turnTo(table, to);
      return;
    }
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    this.#desk.element.requestUpdate();
  }

  /** The pages turn to a cell, and it gets the focus. */
  #turnTo(table: HTMLTableElement, { row, column }: TableFocus): void {
    const [down, across] = table.dataset.pages?.split(" ") ?? [];
    if (down === undefined || across === undefined) return;
    const key = tableKey(table);
    this.#stops.set(key, { row, column });
    this.#wanted = key;
    this.#paging.turn([
      [down, row],
      [across, column],
    ]);
  }

  /** An arrow key and its like, on the map. */
  moveStop(event: KeyboardEvent, target: HTMLElement): void {
    const stops = [...this.#desk.element.renderRoot.querySelectorAll<HTMLElement>(".stop")];
    const to = stopKey(event, stops.indexOf(target.closest(".stop") as HTMLElement), stops.length);
    if (to === undefined) return;
    event.preventDefault();
    this.#mapStop = stops[to]?.dataset.stage;
    stops[to]?.focus();
    this.#desk.element.requestUpdate();
  }

  hostUpdate(): void {
    const table = this.#desk.element.shadowRoot?.activeElement?.closest("table");
    this.#had = table ? tableKey(table) : undefined;
  }

  /** A frame may have taken away the cell that had the focus: then the one nearest to it gets it. */
  hostUpdated(): void {
    const root = this.#desk.element.shadowRoot;
    if (!root || root.querySelector(".entry")) return;
    const wanted = this.#wanted ?? (root.activeElement === null ? this.#had : undefined);
    this.#wanted = undefined;
    if (!wanted) return;
    const [slot, name] = wanted.split(":");
    const table =
      root.querySelector(name ? `table[data-slot=${slot}][data-name=${name}]` : `table[data-slot=${slot}]`) ??
      root.querySelector("table[data-slot=result]");
    const cell =
      table?.querySelector<HTMLElement>("td[tabindex='0']") ?? root.querySelector<HTMLElement>("button.primary");
    cell?.focus({ preventScroll: true });
  }
}
