// Room: the parts above the controls keep the size of their tallest frame, so that a step never moves the button that
// made it. The size is measured once for a width and the shapes on view, and that of the texts for every level, on
// what is drawn out of sight and taken away in the same turn.

import { html, nothing, type ReactiveController, render, type TemplateResult } from "lit";
import { cornerFigure } from "../draw/corner.ts";
import { message } from "../draw/message.ts";
import { isLong } from "../draw/pages.ts";
import { pictureOf } from "../draw/picture.ts";
import type { Scene } from "../draw/scene.ts";
import { sentenceOf, sentenceText } from "../draw/sentence.ts";
import { workLength, workStrip } from "../draw/work.ts";
import type { Desk } from "./desk.ts";
import { countFrames, cursorAt, type Level } from "./state/index.ts";

/** Parts that keep their size: the property of each, and where to find it. */
type Parts = readonly (readonly [property: string, part: string])[];
const FIGURE_ROOM = "--room-figure";
const FIGURE: Parts = [[FIGURE_ROOM, ".scroll"]];
const TEXTS: Parts = [
  ["--room-work", ".work"],
  ["--room-sentence", ".band.sentence"],
];

/** A figure taller than this, in rem, keeps no more room than this, and stands at its top. */
const MOST_ROOM = 34;

/** Heights in CSS pixels, by property. */
type Heights = Map<string, number>;

function keepMost(within: HTMLElement, heights: Heights, parts: Parts): void {
  for (const [property, part] of parts) {
    let most = heights.get(property) ?? 0;
    for (const box of within.querySelectorAll(part)) most = Math.max(most, box.getBoundingClientRect().height);
    heights.set(property, most);
  }
}

/** Below this width, in em, numbers are written with fewer decimals. */
const NARROW = 30;
/** Up to so many frames the texts of all are looked at; of more, SAMPLED of them, evenly spread. */
const MOST_FRAMES = 400;
const SAMPLED = 120;
/** Texts of a stage that are drawn ahead. */
const CANDIDATES = 3;

const still = { still: true } as const;
const stillFigure = { left: still, top: still, through: still, result: still };

/** The longest texts of a stage: frames, the longest first. */
interface Longest {
  readonly sentences: Measured[];
  readonly works: Measured[];
}

interface Measured {
  readonly frame: Scene;
  readonly length: number;
}

/** Keeps the longest few: among texts of nearly the same length the breaks decide which is the tallest. */
function offer(list: Measured[], frame: Scene, length: number): void {
  if (list.length === CANDIDATES && length <= (list.at(-1)?.length ?? 0)) return;
  list.push({ frame, length });
  list.sort((a, b) => b.length - a.length);
  list.splice(CANDIDATES);
}

/** For every stage the frames with the longest sentences and the longest work, at the level of the scene. */
function longestOf(scene: Scene): Longest[] {
  const { stages } = scene.numbers;
  const { level, head } = scene.cursor;
  const found = new Map<string, Longest>();
  const total = countFrames(stages, level);
  const step = total > MOST_FRAMES ? total / SAMPLED : 1;
  for (let at = 0; at < total; at += step) {
    const frame = { ...scene, cursor: cursorAt(stages, level, Math.floor(at), head) };
    const known = found.get(frame.cursor.stage) ?? { sentences: [], works: [] };
    found.set(frame.cursor.stage, known);
    offer(known.sentences, frame, sentenceText(frame).length);
    offer(known.works, frame, workLength(frame));
  }
  return [...found.values()];
}

/** The figures of all stages. Their size does not depend on the level, but for a hair at stage level. */
function figuresAhead(scene: Scene): TemplateResult[] {
  const { numbers, strings, cursor } = scene;
  // Of long sequences the first picture comes first, and a figure of pages takes the height that it has.
  if (isLong(scene.tokensQ.length, scene.tokensKv.length)) return [];
  const { stages } = numbers;
  const pictures = stages.map(({ name }) =>
    pictureOf({ ...scene, cursor: { level: "cell", stage: name, head: cursor.head, row: 0, column: 0, term: 0 } }),
  );
  // Stages of the same layout, shapes and digits have the same size: one of them is enough.
  const different = new Map(
    pictures.map((picture) => [
      JSON.stringify([
        picture.layout,
        picture.matrices.map(({ slot, shape, halfDigits }) => [slot, shape, halfDigits]),
      ]),
      picture,
    ]),
  );
  return [...different.values()].map(
    (picture) =>
      html`<div class="picture"><div class="scroll">${cornerFigure(picture, strings, stillFigure)}</div></div>`,
  );
}

/** For every stage its longest texts at the level of the scene. */
const textsAhead = (scene: Scene): TemplateResult[] =>
  longestOf(scene).map(
    ({ sentences, works }) => html`<div class="picture">${works.map(({ frame }) => workStrip(frame))}</div>
    ${sentences.map(({ frame }) => html`<p class="band sentence"><span>${message(sentenceOf(frame))}</span></p>`)}`,
  );

/** Scrolls as little as brings it into view. A bar that sticks to the edge of the window covers what lies behind it. */
export function bringIntoView(root: ParentNode, thing: Element): void {
  const bar = root.querySelector<HTMLElement>(".bar");
  const covered = bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
  const style = root.querySelector<HTMLElement>(".widget")?.style;
  // Set anew it would make the browser settle all styles, with the same value too.
  if (style?.getPropertyValue("--bar-height") !== `${covered}px`) style?.setProperty("--bar-height", `${covered}px`);
  thing.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
}

/** The width of the element, and the room its parts keep. */
export class Room implements ReactiveController {
  readonly #desk: Desk;
  #sizes: ResizeObserver | undefined;
  /** Width in CSS pixels; 0 before the first measurement. */
  #width = 0;
  #isNarrow = false;
  #key = "";
  #isToShow = false;
  /** In a low window the style sheets ask for less height. */
  readonly #low = globalThis.matchMedia?.("(max-height:60rem)");
  /** The stage that the map was last moved to. */
  #onMap: string | undefined;
  readonly #figures: Heights = new Map();
  readonly #texts = new Map<Level, Heights>();
  /** The heights that the properties were set for, and on which element. */
  readonly #set: Heights = new Map();
  #on: HTMLElement | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
    desk.element.addController(this);
  }

  /** True where numbers have to be short. */
  get isNarrow(): boolean {
    return this.#isNarrow;
  }

  hostConnected(): void {
    this.#sizes = new ResizeObserver(() => {
      if (this.#measureWidth()) this.#desk.element.requestUpdate();
    });
    this.#sizes.observe(this.#desk.element);
    document.fonts?.addEventListener("loadingdone", this.#onLook);
    this.#low?.addEventListener("change", this.#onLook);
  }

  hostDisconnected(): void {
    this.#sizes?.disconnect();
    document.fonts?.removeEventListener("loadingdone", this.#onLook);
    this.#low?.removeEventListener("change", this.#onLook);
  }

  hostUpdate(): void {
    if (this.#width === 0) this.#measureWidth();
  }

  /** After the next update the current cell comes into view, with the least scrolling that does it. */
  showCurrent(): void {
    this.#isToShow = true;
  }

  hostUpdated(): void {
    this.#settle();
    this.#showOnMap();
    if (!this.#isToShow) return;
    this.#isToShow = false;
    const root = this.#desk.element.renderRoot;
    const cell = root.querySelector<HTMLElement>(".scroll :is(td.now,td.now-row)");
    if (cell) bringIntoView(root, cell);
  }

  /** On a narrow screen the map scrolls sideways: the stage that the cursor has come to is in its middle. */
  #showOnMap(): void {
    const map = this.#desk.element.renderRoot.querySelector<HTMLElement>(".map");
    const here = map?.querySelector<HTMLElement>(".here");
    if (!map || !here || here.dataset.stage === this.#onMap) return;
    this.#onMap = here.dataset.stage;
    map.scrollLeft = here.offsetLeft - (map.clientWidth - here.offsetWidth) / 2;
  }

  #settle(): void {
    const root = this.#desk.element.renderRoot;
    const widget = root.querySelector<HTMLElement>(".widget");
    const ruler = root.querySelector<HTMLElement>(".ruler");
    const scene = this.#desk.scene();
    if (!widget || !ruler || !scene || this.#width === 0) return;
    const key = keyOf(scene, this.#width);
    if (key !== this.#key) {
      this.#key = key;
      this.#figures.clear();
      this.#texts.clear();
      this.#measure(ruler, figuresAhead(scene), this.#figures, FIGURE);
    }
    const { level } = scene.cursor;
    let texts = this.#texts.get(level);
    if (!texts) {
      texts = new Map();
      this.#texts.set(level, texts);
      this.#measure(ruler, textsAhead(scene), texts, TEXTS);
    }
    this.#apply(widget, texts);
    // What nobody foresaw, for instance after an edit, makes its room when it comes.
    if (!isLong(scene.tokensQ.length, scene.tokensKv.length)) keepMost(widget, this.#figures, FIGURE);
    keepMost(widget, texts, TEXTS);
    this.#apply(widget, texts);
  }

  #apply(widget: HTMLElement, texts: Heights): void {
    if (this.#on !== widget) this.#set.clear();
    this.#on = widget;
    for (const [property, wanted] of [...this.#figures, ...texts]) {
      if (this.#set.get(property) === wanted) continue;
      this.#set.set(property, wanted);
      let height = wanted;
      if (property === FIGURE_ROOM) {
        // Asked only here: it makes the browser settle all styles.
        const most = MOST_ROOM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
        widget.style.setProperty("--room-side", wanted > most ? "start" : "end");
        height = Math.min(wanted, most);
      }
      widget.style.setProperty(property, `${height}px`);
    }
  }

  /** Draws out of sight, takes the heights, and takes all away. */
  #measure(ruler: HTMLElement, templates: TemplateResult[], heights: Heights, parts: Parts): void {
    render(templates, ruler);
    keepMost(ruler, heights, parts);
    render(nothing, ruler);
  }

  #measureWidth(): boolean {
    const { element } = this.#desk;
    const width = element.clientWidth;
    if (width === this.#width) return false;
    this.#width = width;
    this.#isNarrow = width > 0 && width < NARROW * Number.parseFloat(getComputedStyle(element).fontSize);
    return true;
  }

  readonly #onLook = () => {
    this.#key = "";
    this.#desk.element.requestUpdate();
  };
}

/** Room is measured anew when this changes: width, language, and how wide and long everything is. */
function keyOf({ numbers, strings, tokensQ, tokensKv, compact }: Scene, width: number): string {
  const sizes = numbers.stages.map(({ name, shape }) => [name, shape, numbers.of(name).format.decimals]);
  return JSON.stringify([width, compact, strings.language, tokensQ, tokensKv, sizes, numbers.trace.inputs]);
}
