// Groups of controls that are one stop of the Tab key: the arrow keys move inside. Set after each update, so that the
// templates need to know nothing of it.

import type { LitElement, ReactiveController } from "lit";

/** Which groups, and what can have the focus in them. What is not drawn is passed over. */
const GROUPS = [
  [".where", "button"],
  [".maths", ".formula-parts button,.line[data-stages],.code-head [data-take]"],
  [".origin-band .tools", "button"],
  [".origin-band .way", "button"],
  [".origin-band .reply", "button"],
] as const;
const GROUP = GROUPS.map(([group]) => group).join();

const isDrawn = (item: Element) => item.getClientRects().length > 0;

/** The tab stops of all groups. */
export class Roving implements ReactiveController {
  readonly #element: LitElement;
  readonly #stops = new WeakMap<Element, Element>();

  constructor(element: LitElement) {
    this.#element = element;
    element.addController(this);
  }

  hostConnected(): void {
    this.#element.renderRoot.addEventListener("focusin", this.#onFocusIn);
  }

  hostDisconnected(): void {
    this.#element.renderRoot.removeEventListener("focusin", this.#onFocusIn);
  }

  hostUpdated(): void {
    for (const group of this.#element.renderRoot.querySelectorAll(GROUP)) this.#settle(group);
  }

  /** The control of a group that the Tab key reaches. */
  stopOf(group: Element): HTMLElement | undefined {
    return this.#settle(group) as HTMLElement | undefined;
  }

  /** An arrow key, Home or End inside a group moves the focus; the ends do not wrap. False where it is none of the group's. */
  onKey(event: KeyboardEvent): boolean {
    const target = event.target as Element;
    const group = target.closest(GROUP);
    if (!group || event.ctrlKey || !/^(Arrow.*|Home|End)$/.test(event.key)) return false;
    const items = itemsOf(group);
    const here = items.indexOf(target);
    if (here < 0) return false;
    const to = nextOf(items, here, event.key, getComputedStyle(group).direction === "rtl");
    event.preventDefault();
    ((items[to] ?? target) as HTMLElement).focus();
    return true;
  }

  readonly #onFocusIn = (event: Event) => {
    const target = event.target as Element;
    const group = target.closest(GROUP);
    if (!group || !itemsOf(group).includes(target)) return;
    this.#stops.set(group, target);
    this.#settle(group);
  };

  #settle(group: Element): Element | undefined {
    const items = itemsOf(group);
    const known = this.#stops.get(group);
    const stop = known && items.includes(known) ? known : items[0];
    for (const item of items) item.setAttribute("tabindex", item === stop ? "0" : "-1");
    return stop;
  }
}

function itemsOf(group: Element): Element[] {
  const selector = GROUPS.find(([name]) => group.matches(name))?.[1];
  return selector ? [...group.querySelectorAll(selector)].filter(isDrawn) : [];
}

/** Left and right go through all; up and down stay in their column where there is one. */
function nextOf(items: readonly Element[], here: number, key: string, isMirrored: boolean): number {
  if (key === "Home") return 0;
  if (key === "End") return items.length - 1;
  const step = key === "ArrowUp" || key === (isMirrored ? "ArrowRight" : "ArrowLeft") ? -1 : 1;
  if (key === "ArrowLeft" || key === "ArrowRight") return here + step;
  const columnOf = (item: Element | undefined) => item?.closest("td")?.cellIndex;
  const column = columnOf(items[here]);
  if (column === undefined) return here + step;
  let to = here + step;
  while (items[to] && columnOf(items[to]) !== column) to += step;
  return to;
}
