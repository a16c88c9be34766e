// The whole of a matrix that the tables show page by page: a heat map to see where something is, and to go there.

import { html, nothing, type ReactiveController, render, type TemplateResult } from "lit";
import { cellWords } from "../draw/cell-words.ts";
import { symbolText } from "../draw/message.ts";
import type { Numbers } from "../draw/numbers.ts";
import { isPaged, partText } from "../draw/pages.ts";
import type { Palette } from "../draw/palette.ts";
import type { MatrixPicture } from "../draw/picture.ts";
import type { Scene } from "../draw/scene.ts";
import { flatIndex, indexIn } from "../draw/shape.ts";
import { type Desk, reasonOf } from "./desk.ts";
import { lookOf, pageColours } from "./page-colours.ts";
import type { Paging } from "./paging.ts";

const loadHeat = () => import("../draw/heat-canvas.ts");
type HeatModule = Awaited<ReturnType<typeof loadHeat>>;

/** The cell that a place of the map stands for, by row and column of the stage on view. */
interface Place {
  readonly row: number;
  readonly column: number;
}

/** The map of the result. What draws it is loaded when the first matrix needs it. */
export class Overview implements ReactiveController {
  readonly #desk: Desk;
  readonly #paging: Paging;
  #heat: { readonly module: HeatModule; readonly canvas: InstanceType<HeatModule["HeatCanvas"]> } | undefined;
  #isAskedFor = false;
  #result: MatrixPicture | undefined;
  #palette: Palette | undefined;
  #look = "";
  #pointed: Place | undefined;
  /** The last answer to where the largest number is. */
  #known: { numbers: Numbers; name: string; head: number; index: readonly number[] } | undefined;
  readonly #scheme = globalThis.matchMedia?.("(prefers-color-scheme:dark)");

  constructor(desk: Desk, paging: Paging) {
    this.#desk = desk;
    this.#paging = paging;
    desk.element.addController(this);
  }

  hostConnected(): void {
    this.#scheme?.addEventListener("change", this.#redraw);
  }

  hostDisconnected(): void {
    this.#scheme?.removeEventListener("change", this.#redraw);
  }

  /** The map and what it says; nothing where the tables show all of the result. */
  render(scene: Scene, result: MatrixPicture | undefined): TemplateResult | typeof nothing {
    const isNeeded = result !== undefined && (isPaged(result.down) || isPaged(result.across));
    this.#result = isNeeded ? result : undefined;
    if (!isNeeded) return nothing;
    const { strings } = scene;
    const size = { rows: result.down.of, columns: result.across.of };
    const label = strings.text("overview.label", { name: result.title, ...size, ...this.#largest(scene, result) });
    return html`<figure class="overview role-${result.role}" dir="ltr">
        <figcaption><b>${result.title}</b> <i>${symbolText(result.symbol)}</i> ${strings.text("overview.whole", size)}</figcaption>
        <canvas role="img" aria-label="${label} ${partText(strings, result.down, result.across)}"
          @pointermove=${this.#onPoint} @pointerleave=${this.#onLeave} @click=${this.#onClick}></canvas>
        <p class="reading"></p>
        <p class="bars">${strings.text("overview.bars")}</p></figure>`;
  }

  hostUpdated(): void {
    const scene = this.#desk.scene();
    const result = this.#result;
    if (!scene || !result) return;
    this.#write();
    if (!this.#heat) {
      this.#load();
      return;
    }
    const canvas = this.#desk.element.renderRoot.querySelector<HTMLCanvasElement>(".overview canvas");
    if (!canvas) return;
    const { module, canvas: painter } = this.#heat;
    const { width, height } = module.heatLayout(result.down.of, result.across.of);
    canvas.style.setProperty("inline-size", `${width}px`);
    canvas.style.setProperty("aspect-ratio", `${width} / ${height}`);
    const look = lookOf(this.#desk.element);
    if (look !== this.#look) this.#palette = pageColours(this.#desk.element);
    this.#look = look;
    if (this.#palette)
      painter.draw(canvas, scene, result, this.#palette, Math.min(2, globalThis.devicePixelRatio || 1));
  }

  #load(): void {
    if (this.#isAskedFor) return;
    this.#isAskedFor = true;
    loadHeat().then(
      (module) => {
        this.#heat = { module, canvas: new module.HeatCanvas() };
        this.#redraw();
      },
      (error) => {
        // The tables show everything without it; the next update asks again.
        this.#isAskedFor = false;
        console.warn(`loom-attention: the overview cannot be loaded: ${reasonOf(error)}`);
      },
    );
  }

  readonly #redraw = () => this.#desk.element.requestUpdate();

  /** Whose the largest number of the head on view is. */
  #largest(scene: Scene, { name }: MatrixPicture): { readonly cell: string; readonly value: string } {
    const { numbers, cursor } = scene;
    if (this.#known?.numbers !== numbers || this.#known.name !== name || this.#known.head !== cursor.head)
      this.#known = { numbers, name, head: cursor.head, index: largestOf(numbers, name, cursor.head) };
    const { place, text } = cellWords(scene, { stage: name, index: this.#known.index });
    return { cell: place, value: text };
  }

  /** What is under the pointer; a move of it draws nothing else. */
  #write(): void {
    const scene = this.#desk.scene();
    const line = this.#desk.element.renderRoot.querySelector<HTMLElement>(".overview .reading");
    if (scene && line) render(this.#reading(scene), line);
  }

  #reading(scene: Scene): TemplateResult {
    const { stage, head } = scene.cursor;
    const { description, grid } = scene.numbers.of(stage);
    const { row, column } = this.#pointed ?? { row: grid.rows, column: grid.columns };
    if (row >= grid.rows || column >= grid.columns) return html`${scene.strings.text("overview.hint")}`;
    const { place, text } = cellWords(scene, { stage, index: indexIn(description, head, row, column) });
    return html`${place}: <b>${text}</b>`;
  }

  #placeAt(event: MouseEvent): Place | undefined {
    const result = this.#result;
    if (!result || !this.#heat) return undefined;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    return this.#heat.module.cellAt(result.down.of, result.across.of, x, y);
  }

  readonly #onPoint = (event: PointerEvent) => {
    const place = this.#placeAt(event);
    if (place?.row === this.#pointed?.row && place?.column === this.#pointed?.column) return;
    this.#pointed = place;
    this.#write();
  };

  readonly #onLeave = () => {
    this.#pointed = undefined;
    this.#write();
  };

  readonly #onClick = (event: MouseEvent) => {
    const place = this.#placeAt(event);
    const result = this.#result;
    if (!place || !result) return;
    const [down, across] = result.pageKeys;
    this.#desk.pause();
    this.#paging.turn([
      [down, place.row],
      [across, place.column],
    ]);
  };
}

/** The index of the largest number of a head that is a number. */
function largestOf(numbers: Numbers, name: string, head: number): readonly number[] {
  const { description, grid, data } = numbers.of(name);
  const count = grid.rows * grid.columns;
  const first = flatIndex(description.shape, indexIn(description, head, 0, 0));
  let at = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const value = data[first + i] as number;
    if (value > most) [at, most] = [i, value];
  }
  return indexIn(description, head, Math.floor(at / grid.columns), at % grid.columns);
}
