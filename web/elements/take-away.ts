// Takes away what the figure shows: copies texts, saves files. What makes them is loaded when the card is opened.

import type { ReactiveController } from "lit";
import { CODE_LANGUAGES, languages } from "../draw/code/languages.ts";
import { codeText } from "../draw/code/view.ts";
import { pictureOf } from "../draw/picture.ts";
import type { Scene } from "../draw/scene.ts";
import { sentenceOf } from "../draw/sentence.ts";
import type { Drawing } from "../draw/take/shapes.ts";
import { copyText, saveFile } from "./clipboard.ts";
import { type Desk, reasonOf } from "./desk.ts";
import { mathTree } from "./math-tree.ts";
import { codePictureOf } from "./maths.ts";
import { pageColours } from "./page-colours.ts";
import { placeText } from "./place.ts";
import { type Taken, takenText } from "./take-card.ts";

const loadMakers = () => import("../draw/take/index.ts");
type Makers = Awaited<ReturnType<typeof loadMakers>>;

/** Pixels of the picture to one of the page. */
const PICTURE_SCALE = 2;
/** How long a button shows that it has done its work, in milliseconds. */
const SHOWN_FOR = 2500;

/** What the buttons with `data-take` do. */
export class TakeAway implements ReactiveController {
  readonly #desk: Desk;
  #makers: Promise<Makers> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #undo: (() => void) | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
    desk.element.addController(this);
  }

  hostDisconnected(): void {
    this.#settle();
  }

  /** Loads what makes texts and pictures, so that a press finds it there: some browsers copy only at once. */
  prepare(): void {
    this.#load().catch(() => {});
  }

  /** Takes one thing; `what` is the data-take of a button, "code" for the lines on view. Says how it went. */
  async take(what: string, button: HTMLElement): Promise<void> {
    const strings = this.#desk.strings();
    const scene = this.#desk.scene();
    if (!scene) return;
    const language = this.#desk.state()?.code ?? CODE_LANGUAGES[0];
    const name =
      what === "code"
        ? strings.text("take.lines", { name: languages[language].title })
        : takenText(strings, what as Taken);
    try {
      const isFile = await this.#do(what, scene);
      this.#show(button, strings.text(isFile ? "take.saved" : "take.copied", { what: name }));
    } catch (error) {
      this.#show(undefined, strings.text("take.failed", { what: name, reason: reasonOf(error) }));
    }
  }

  #load(): Promise<Makers> {
    this.#makers ??= loadMakers().catch((error: unknown) => {
      this.#makers = undefined;
      throw error;
    });
    return this.#makers;
  }

  /** True where a file was saved. */
  async #do(what: string, scene: Scene): Promise<boolean> {
    if (what === "code") {
      const language = this.#desk.state()?.code ?? CODE_LANGUAGES[0];
      await this.#copy(codeText(codePictureOf(scene, language)));
      return false;
    }
    const makers = await this.#load();
    const { numbers, cursor, tokensQ, tokensKv, strings } = scene;
    const { stage } = cursor;
    const table = { numbers, stage, tokensQ, tokensKv, head: strings.text("control.head") };
    const program = () => makers.programOf(numbers, { q: tokensQ, kv: tokensKv });
    const save = (ending: string, content: Blob) => {
      saveFile(`attention-${stage}.${ending}`, content);
      return true;
    };
    const texts: Readonly<Record<string, () => string>> = {
      tsv: () => makers.tsvText(table),
      numpy: () => makers.numpyProgram(program()),
      torch: () => makers.torchProgram(program()),
      cpp: () => makers.cppProgram(program()),
      latex: () =>
        this.#formulas()
          .map((tree) => `\\[ ${makers.latexText(tree)} \\]\n`)
          .join(""),
      mathml: () =>
        this.#formulas()
          .map((tree) => `${makers.mathmlText(tree)}\n`)
          .join(""),
    };
    switch (what) {
      case "csv":
        // The mark in front says to spreadsheets that this is UTF-8.
        return save("csv", new Blob(["\ufeff", makers.csvText(table)], { type: "text/csv;charset=utf-8" }));
      case "svg":
        return save("svg", new Blob([makers.svgText(this.#drawing(makers, scene))], { type: "image/svg+xml" }));
      case "png":
        return save("png", await this.#png(makers, this.#drawing(makers, scene)));
      default:
        await this.#copy(texts[what]?.() ?? "");
        return false;
    }
  }

  async #copy(text: string): Promise<void> {
    const { strings, element } = { strings: this.#desk.strings(), element: this.#desk.element };
    const root = element.renderRoot as ShadowRoot;
    // Where a card is open, the field of the fallback has to be inside it.
    const card = root.querySelector<HTMLElement>(".take:popover-open");
    if (!(await copyText(card ?? root, text))) throw new Error(strings.text("take.refused"));
  }

  #formulas() {
    return [...this.#desk.element.renderRoot.querySelectorAll(".formula math")].map(mathTree);
  }

  #drawing(makers: Makers, scene: Scene): Drawing {
    const { strings, changed: _, ...rest } = scene;
    return makers.figureDrawing({
      // With all decimals, whatever room the page has.
      picture: pictureOf({ ...rest, strings, compact: false }),
      strings,
      place: placeText(scene),
      sentence: sentenceOf(scene),
      palette: pageColours(this.#desk.element),
      credit: strings.text("take.credit"),
    });
  }

  async #png({ paintDrawing }: Makers, drawing: Drawing): Promise<Blob> {
    const canvas = document.createElement("canvas");
    paintDrawing(canvas, drawing, PICTURE_SCALE);
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!picture) throw new Error(this.#desk.strings().text("take.refused"));
    return picture;
  }

  /** Says it, and shows it on the button and in the card for a while. */
  #show(button: HTMLElement | undefined, text: string): void {
    this.#settle();
    this.#desk.say(text);
    const line = this.#desk.element.renderRoot.querySelector<HTMLElement>(".take .said");
    button?.classList.add("is-done");
    if (line) line.textContent = text;
    this.#undo = () => {
      button?.classList.remove("is-done");
      if (line) line.textContent = "";
    };
    this.#timer = setTimeout(() => this.#settle(), SHOWN_FOR);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#undo?.();
    this.#undo = undefined;
  }
}
