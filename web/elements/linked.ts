// Figure, formula, program and sentence are views of the same things: what the pointer or the focus is on in one of them
// is lit in all. Nothing is drawn anew for it; classes are set and taken away.

import { type ReactiveController, render } from "lit";
import type { Desk } from "./desk.ts";
import { markSymbols, partButtons, partsOf } from "./formula-parts.ts";

/** What stands for something: by its stages, as a table, as a stop of the map, by the colour of its role. */
const THINGS = "[data-stages],table[data-name],.stop,[data-role]";
/** What stands for one number: the cells of the figure that hold it are lit. */
const NUMBERS = "[data-ask],[data-follow]";
/** What a press goes to: symbols of the formula, lines of the program. */
const PARTS = ".formula [data-stages],.code .line[data-stages]";
const BUTTONS = ".formula-parts button";
/** Controls with a use of their own. */
const CONTROLS = "button,input,select,a,td[data-place],[data-ask]";

const roles: Readonly<Record<string, string>> = {
  q: "queries",
  k: "keys",
  v: "values",
  w: "weights",
  s: "scores",
  o: "output",
};

/** The light that goes with pointer and focus, and the way from a part to its stage. */
export class Linked implements ReactiveController {
  readonly #desk: Desk;
  #hovered: Element | undefined;
  #focused: Element | undefined;
  /** Pressed, so that it stays lit without a pointer that hovers. */
  #pressed: Element | undefined;
  #lit = "";

  constructor(desk: Desk) {
    this.#desk = desk;
    desk.element.addController(this);
  }

  get #root(): HTMLElement | DocumentFragment {
    return this.#desk.element.renderRoot;
  }

  hostConnected(): void {
    for (const [name, listener] of this.#listeners) this.#root.addEventListener(name, listener);
    this.#desk.element.addEventListener("pointerleave", this.#onLeave);
  }

  hostDisconnected(): void {
    for (const [name, listener] of this.#listeners) this.#root.removeEventListener(name, listener);
    this.#desk.element.removeEventListener("pointerleave", this.#onLeave);
    this.#hovered = this.#focused = this.#pressed = undefined;
  }

  /**
   * A part was pressed: it is gone to where it is lit already; else it is lit and stays so, as there may be no pointer that
   * hovers. False where no part was pressed.
   */
  onClick(event: Event): boolean {
    const target = event.target as Element;
    const thing = target.closest(CONTROLS) ? undefined : thingAt(target);
    const isLit = thing !== undefined && [this.#pressed, this.#hovered, this.#focused].includes(thing);
    const part = target.closest(PARTS);
    const button = target.closest(BUTTONS);
    this.#pressed = part && isLit ? undefined : thing;
    this.#light();
    if (button) this.#goTo(button);
    else if (thing && part && isLit && !isSelecting(this.#root)) this.#goTo(thing);
    return Boolean(part ?? button);
  }

  /** Enter and the space bar go to the stage of a line; Escape puts out the light of what was pressed. */
  onKey(event: KeyboardEvent): boolean {
    const line = (event.target as Element).closest(".line[data-stages]");
    if (event.key === "Escape" && this.#pressed) {
      this.#pressed = undefined;
      this.#light();
    }
    if (!line || event.ctrlKey || (event.key !== "Enter" && event.key !== " ")) return false;
    event.preventDefault();
    this.#goTo(line);
    return true;
  }

  #goTo(part: Element): void {
    const numbers = this.#desk.numbers();
    const stages = this.#desk.stages();
    const isMade = (name: string) => stages.some((stage) => stage.name === name);
    const usedIn = (name: string) => stages.find(({ operands }) => operands.some(({ stage }) => stage === name))?.name;
    // What is given is no stage: the first one that uses it is on view instead.
    const names = this.#namesOf(part);
    // A line begins with the first of its stages to be made, whatever is written first in it.
    const isLine = part.matches(".line");
    const to = (isLine ? stages.map(({ name }) => name).filter((name) => names.includes(name)) : names)
      .filter((name) => numbers?.has(name))
      .map((name) => (isMade(name) ? name : usedIn(name)))
      .find(Boolean);
    if (!to) return;
    this.#desk.pause();
    this.#desk.act({ type: "jump", stage: to });
  }

  readonly #onOver = (event: Event) => {
    // A finger does not hover: what it touches is pressed.
    if ((event as PointerEvent).pointerType === "touch") return;
    this.#hovered = thingAt(event.target as Element);
    this.#light();
  };

  readonly #onLeave = () => {
    this.#hovered = undefined;
    this.#light();
  };

  readonly #onFocus = (event: Event) => {
    const target = event.target as Element;
    this.#focused = event.type === "focusin" && target.matches(":focus-visible") ? thingAt(target) : undefined;
    this.#light();
  };

  readonly #listeners: readonly (readonly [string, (event: Event) => void])[] = [
    ["pointerover", this.#onOver],
    ["focusin", this.#onFocus],
    ["focusout", this.#onFocus],
  ];

  /** What a thing stands for. A piece of a line is the first of its stages, the others are what it is a piece of. */
  #namesOf(thing: Element | undefined): string[] {
    const names = aboutOf(thing, this.#desk.state()?.cursor.stage ?? "");
    return thing?.closest(".code") && !thing.matches(".line") ? names.slice(0, 1) : names;
  }

  #light(): void {
    const thing = this.#hovered ?? this.#focused ?? this.#pressed;
    const names = this.#namesOf(thing);
    const light = [thing?.tagName, ...names, cellAt(thing), this.#focused === thing].join();
    if (light === this.#lit) return;
    this.#lit = light;
    this.#apply(thing, names);
  }

  #apply(source: Element | undefined, names: readonly string[]): void {
    const stage = this.#desk.state()?.cursor.stage ?? "";
    for (const thing of this.#root.querySelectorAll(THINGS)) {
      // Inside a matrix one sees that one is there.
      const isSource = thing === source && thing.matches("table");
      thing.classList.toggle("linked", !isSource && aboutOf(thing, stage).some((name) => names.includes(name)));
    }
    const [name, index] = cellAt(source)?.split(" ") ?? [];
    for (const td of this.#root.querySelectorAll("td.linked")) td.classList.remove("linked");
    if (name) {
      const held = `table[data-name=${name}] td[data-index="${index}"]`;
      for (const td of this.#root.querySelectorAll(held)) td.classList.add("linked");
    }
    const buttons = [...this.#root.querySelectorAll(BUTTONS)];
    const at = this.#focused ? buttons.indexOf(this.#focused) : -1;
    const formula = this.#root.querySelector(".formula");
    for (const [i, part] of (formula ? partsOf(formula) : []).entries()) part.classList.toggle("in-focus", i === at);
  }

  /** A frame may have taken things away or made others of them: what stays lit is found anew. */
  hostUpdated(): void {
    this.#settleParts();
    const isHere = (thing: Element | undefined) => (thing?.isConnected ? thing : undefined);
    this.#hovered = isHere(this.#hovered);
    this.#focused = isHere(this.#focused);
    this.#pressed = isHere(this.#pressed);
    this.#lit = "";
    this.#light();
  }

  /** The formula and the program are drawn without controls, as they are on pages without scripts. */
  #settleParts(): void {
    const formula = this.#root.querySelector(".formula");
    const place = this.#root.querySelector<HTMLElement>(".formula-parts");
    if (formula && place) {
      markSymbols(formula);
      const stages = this.#desk.stages().map(({ name }) => name);
      render(partButtons(this.#desk.strings(), partsOf(formula), stages), place);
    }
    for (const line of this.#root.querySelectorAll(".code .line[data-stages]")) line.setAttribute("role", "button");
  }
}

/** Is the reader marking text, for instance lines of the program, to copy them? */
function isSelecting(root: ParentNode): boolean {
  // In Chromium only the shadow root itself knows what is marked inside.
  const own = root as { getSelection?(): Selection | null };
  return (own.getSelection?.() ?? document.getSelection())?.toString() !== "";
}

/** The nearest thing around an element that stands for something. */
const thingAt = (target: Element): Element | undefined => target.closest(`${NUMBERS},${THINGS}`) ?? undefined;

/** The cell that a number is, as in its attribute. */
const cellAt = (thing: Element | undefined): string | undefined =>
  thing instanceof HTMLElement ? (thing.dataset.ask ?? thing.dataset.follow) : undefined;

/** Everything that lights a thing. A bold number of the sentence is what is made now. */
function aboutOf(thing: Element | undefined, current: string): string[] {
  if (!(thing instanceof HTMLElement || thing instanceof MathMLElement)) return [];
  const { stages, name, stage, role } = thing.dataset;
  if (stages) return stages.split(" ");
  const found = name ?? stage ?? (role === "b" ? current : roles[role ?? ""]);
  return found ? [found] : [];
}
