// Asking where a number comes from and what it feeds: by key on a cell, by the button of the controls, by a tap while
// the answer is open. What is asked is part of the state; here is what the reader does, and where the focus goes.

import { nothing, type ReactiveController, type TemplateResult } from "lit";
import type { CellRef } from "../core/types.ts";
import { cellWords } from "../draw/cell-words.ts";
import type { Numbers } from "../draw/numbers.ts";
import { answerText, answerTo, askedCells } from "../draw/origin.ts";
import type { Scene } from "../draw/scene.ts";
import { cellIn, cellKey, cellOfKey, indexIn } from "../draw/shape.ts";
import { indexOf } from "./cell-editor.ts";
import type { Desk } from "./desk.ts";
import { type GridFocus, placeOf, tableKey } from "./grid-focus.ts";
import { originPanel } from "./origin-panel.ts";
import { bringIntoView } from "./room.ts";
import type { Roving } from "./roving.ts";
import { type About, type AskedCell, isSameCell } from "./state/index.ts";

/** Keys that ask, wherever the focus is inside the figure. */
const KEYS: Readonly<Record<string, About>> = { o: "origin", f: "feeds" };
/** Where a letter is something else. */
const TEXT = "input:not([type=range],[type=radio]),select,textarea,.card";

/** The number that a cell of a table holds. */
const cellOf = (td: HTMLElement): CellRef => ({
  stage: td.closest("table")?.dataset.name ?? "",
  index: indexOf(td),
});

/** The question of the reader, and its answer under the figure. */
export class Asking implements ReactiveController {
  readonly #desk: Desk;
  readonly #focus: GridFocus;
  readonly #roving: Roving;
  /** The cell that had the focus last, unless the cursor has moved since. */
  #last: CellRef | undefined;
  #cursor = "";
  /** Where the question was asked, to give the focus back: a cell of a table, or else the button. */
  #askedAt: { readonly table: string; readonly cell: CellRef } | undefined;
  /** What gets the focus after the next update. */
  #wanted: "answer" | "asker" | CellRef | undefined;
  #isToShow = false;
  #known: { readonly numbers: Numbers; readonly question: AskedCell; readonly lit: Scene["asked"] } | undefined;

  constructor(desk: Desk, focus: GridFocus, roving: Roving) {
    this.#desk = desk;
    this.#focus = focus;
    this.#roving = roving;
    desk.element.addController(this);
  }

  get #trail(): readonly AskedCell[] {
    return this.#desk.state()?.asked ?? [];
  }

  get isOpen(): boolean {
    return this.#trail.length > 0;
  }

  /** The cell that the button of the controls asks about: the one that had the focus last, or the current one. */
  get target(): CellRef | undefined {
    const numbers = this.#desk.numbers();
    const cursor = this.#desk.state()?.cursor;
    if (!numbers || !cursor) return undefined;
    if (this.#last && numbers.isCell(this.#last)) return this.#last;
    const { stage, head, row, column } = cursor;
    const current = { stage, index: indexIn(numbers.of(stage).description, head, row, column) };
    return numbers.isCell(current) ? current : undefined;
  }

  /** True where the answer on view is about the cell that the button asks about. */
  get isAnswered(): boolean {
    return isSameCell(this.#trail.at(-1), this.target);
  }

  /** What the figure lights: the cell that is asked about, and the cells of the answer. */
  lit(numbers: Numbers): Scene["asked"] {
    const question = this.#trail.at(-1);
    if (!question || !numbers.isCell(question)) return undefined;
    if (this.#known?.numbers !== numbers || this.#known.question !== question)
      this.#known = { numbers, question, lit: askedCells(numbers, question) };
    return this.#known.lit;
  }

  panel(scene: Scene): TemplateResult | typeof nothing {
    return this.isOpen ? originPanel(scene, this.#trail) : nothing;
  }

  /** The target in words. */
  targetText(scene: Scene): string {
    const { target } = this;
    return target ? cellWords(scene, target).spoken : "";
  }

  /** Says the answer, if there is one. */
  tell(): void {
    const scene = this.#desk.scene();
    const question = this.#trail.at(-1);
    if (scene && question) this.#desk.say(answerText(scene, answerTo(scene, question)));
  }

  hostConnected(): void {
    this.#desk.element.renderRoot.addEventListener("focusin", this.#onFocusIn);
  }

  hostDisconnected(): void {
    this.#desk.element.renderRoot.removeEventListener("focusin", this.#onFocusIn);
  }

  readonly #onFocusIn = (event: Event) => {
    const td = (event.target as Element).closest<HTMLElement>("td[data-index]");
    if (!td || isSameCell(this.#last, cellOf(td))) return;
    this.#last = cellOf(td);
    this.#desk.element.requestUpdate();
  };

  /** True where the click was meant for a question. */
  onClick(event: Event): boolean {
    const target = event.target as Element;
    const { tool, trail, follow, act } = target.closest<HTMLElement>("button")?.dataset ?? {};
    const written = target.closest<HTMLElement>("[data-ask]")?.dataset.ask;
    if (tool) this.#use(tool);
    else if (trail) this.#back(Number(trail));
    else if (follow) this.#ask(cellOfKey(follow), { follow: true, wanted: "answer" });
    else if (act === "ask") this.#toggle();
    else if (written) this.#ask(cellOfKey(written));
    else return false;
    return true;
  }

  /** A cell of a table was tapped while an answer is open. */
  askAbout(td: HTMLElement): void {
    this.#askedAt = askerOf(td);
    this.#ask(cellOf(td));
  }

  /** True where the key was meant for a question. */
  onKey(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || target.closest(TEXT)) return false;
    if (event.key === "Escape") {
      // A card that is open closes first.
      if (!this.isOpen || this.#desk.element.renderRoot.querySelector(":popover-open")) return false;
      this.#close();
    } else {
      const about = KEYS[event.key.toLowerCase()];
      if (!about || event.shiftKey || !this.#askByKey(target, about)) return false;
    }
    event.preventDefault();
    return true;
  }

  #askByKey(target: HTMLElement, about: About): boolean {
    const td = target.closest<HTMLElement>("td[data-index]");
    const follow = target.closest<HTMLElement>("[data-follow]")?.dataset.follow;
    const question = this.#trail.at(-1);
    if (follow) this.#ask(cellOfKey(follow), { about, follow: true, wanted: "answer" });
    else if (target.closest(".origin-band") && question) this.#ask(question, { about });
    else {
      const cell = td ? cellOf(td) : this.target;
      if (!cell) return false;
      this.#askedAt = td ? askerOf(td) : undefined;
      this.#ask(cell, { about, wanted: "answer" });
    }
    return true;
  }

  #ask(
    { stage, index }: CellRef,
    { about = this.#trail.at(-1)?.about ?? "origin", follow = false, whole = false, wanted = this.#wanted } = {},
  ): void {
    this.#desk.pause();
    this.#isToShow = true;
    this.#wanted = wanted;
    this.#desk.act({ type: "ask", stage, index, about, ...(follow && { follow }), ...(whole && { whole }) });
    this.#desk.element.requestUpdate();
  }

  #toggle(): void {
    const { target } = this;
    if (this.isAnswered) this.#close();
    else if (target) {
      this.#askedAt = undefined;
      this.#ask(target, { wanted: "answer" });
    }
  }

  #use(tool: string): void {
    const question = this.#trail.at(-1);
    if (!question) return;
    if (tool === "back") this.#back(this.#trail.length - 2);
    else if (tool === "close") this.#close();
    else if (tool === "go") this.#go(question);
    else if (tool === "whole") this.#ask(question, { whole: true, wanted: "answer" });
    else this.#ask(question, { about: tool as About });
  }

  #back(to: number): void {
    if (to < 0) return;
    this.#wanted = this.#trail[to + 1];
    this.#desk.act({ type: "askBack", to });
  }

  #close(): void {
    this.#wanted = "asker";
    this.#desk.act({ type: "askClose" });
  }

  /** Moves the cursor to the cell, or for a given number to the first cell it is used in. */
  #go(cell: CellRef): void {
    const numbers = this.#desk.numbers();
    if (!numbers) return;
    const isMade = numbers.trace.stages.includes(cell.stage);
    const to = isMade ? cell : numbers.trace.feeds(cell.stage, cell.index)[0];
    if (!to) return;
    const level = this.#desk.state()?.cursor.level === "term" ? "term" : "cell";
    const place = cellIn(numbers.of(to.stage).description, to.index);
    this.#desk.pause();
    this.#desk.act({ type: "jump", stage: to.stage, ...place, level });
  }

  hostUpdate(): void {
    const cursor = JSON.stringify(this.#desk.state()?.cursor ?? {});
    if (cursor !== this.#cursor) this.#last = undefined;
    this.#cursor = cursor;
  }

  hostUpdated(): void {
    const root = this.#desk.element.renderRoot;
    const panel = root.querySelector<HTMLElement>(".origin-band");
    const trail = panel?.querySelector<HTMLElement>(".trail");
    if (trail) showEnd(trail);
    if (this.#isToShow && panel) bringIntoView(root, panel);
    this.#isToShow = false;
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted === "asker") this.#giveBack();
    else if (wanted && panel) this.#focusAnswer(panel, wanted === "answer" ? undefined : wanted);
  }

  #focusAnswer(panel: HTMLElement, cell: CellRef | undefined): void {
    const left = cell && panel.querySelector<HTMLElement>(`[data-follow="${cellKey(cell)}"]`);
    const answer = panel.querySelector(".reply");
    const stop = left ?? (answer && this.#roving.stopOf(answer)) ?? panel.querySelector<HTMLElement>("[data-tool=go]");
    stop?.focus({ preventScroll: true });
  }

  /** The focus goes back to where the question was asked. */
  #giveBack(): void {
    const root = this.#desk.element.renderRoot;
    const asked = this.#askedAt;
    this.#askedAt = undefined;
    const cells = [...root.querySelectorAll<HTMLElement>("td[data-index]")].filter(
      (td) => asked && isSameCell(cellOf(td), asked.cell),
    );
    const td = cells.find((cell) => askerOf(cell)?.table === asked?.table) ?? cells[0];
    const table = td?.closest("table");
    const place = td && placeOf(td);
    if (table && place) this.#focus.set(tableKey(table), place);
    (td ?? root.querySelector<HTMLElement>("[data-act=ask]"))?.focus({ preventScroll: true });
  }
}

/** A long trail shows its end, and that its beginning is cut off. */
function showEnd(trail: HTMLElement): void {
  trail.classList.toggle("cut", trail.scrollWidth > trail.clientWidth + 1);
  trail.scrollLeft = (getComputedStyle(trail).direction === "rtl" ? -1 : 1) * trail.scrollWidth;
}

function askerOf(td: HTMLElement): { table: string; cell: CellRef } | undefined {
  const table = td.closest("table");
  return table ? { table: tableKey(table), cell: cellOf(td) } : undefined;
}
