// Regions that may scroll sideways: reachable by keyboard where they do, and the current cell in view.

import type { LitElement, ReactiveController } from "lit";

const REGIONS = ".scroll, .code, .formula, .trail, .inputs .corner";
/** How near to the edge of the region a cell may come, and how far inside it is brought, in pixels. */
const EDGE = 8;
const INSIDE = 24;

const doesScroll = (region: HTMLElement) => region.scrollWidth > region.clientWidth + 1;

/** Tab stops and scroll positions of the regions. */
export class ScrollRegions implements ReactiveController {
  readonly #element: LitElement;
  #sizes: ResizeObserver | undefined;

  constructor(element: LitElement) {
    this.#element = element;
  }

  hostUpdated(): void {
    const figure = this.#element.renderRoot.querySelector<HTMLElement>(".scroll");
    if (!figure) return;
    if (!this.#sizes) {
      this.#sizes = new ResizeObserver(this.#settleStops);
      this.#sizes.observe(figure);
    }
    this.#settleStops();
    const now = figure.querySelector("td.now, td.now-row");
    if (!now || !doesScroll(figure)) return;
    const box = figure.getBoundingClientRect();
    const cell = now.getBoundingClientRect();
    if (cell.right > box.right - EDGE) figure.scrollLeft += cell.right - box.right + INSIDE;
    else if (cell.left < box.left + EDGE) figure.scrollLeft -= box.left - cell.left + INSIDE;
  }

  hostDisconnected(): void {
    this.#sizes?.disconnect();
    this.#sizes = undefined;
  }

  readonly #settleStops = () => {
    const regions = [...this.#element.renderRoot.querySelectorAll<HTMLElement>(REGIONS)];
    // All are measured before any is changed, or the browser settles its styles for each.
    const scrolling = new Set(regions.filter(doesScroll));
    for (const region of regions) {
      if (scrolling.has(region) === region.hasAttribute("tabindex")) continue;
      if (scrolling.has(region)) region.tabIndex = 0;
      else region.removeAttribute("tabindex");
    }
  };
}
