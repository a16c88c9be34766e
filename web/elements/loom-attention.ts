// <loom-attention>: attention, stage by stage, down to one multiply-add, on numbers that can be edited.

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import type { Loom, Trace } from "../core/types.ts";
import { codeView } from "../draw/code.ts";
import { cornerFigure, type FigureUse } from "../draw/corner.ts";
import { formulaView } from "../draw/formula.ts";
import { icon } from "../draw/icons.ts";
import { stageMap } from "../draw/map.ts";
import { matrixTable, type TableFocus, type TableUse } from "../draw/matrix.ts";
import { message } from "../draw/message.ts";
import { nameOf, shownWord } from "../draw/names.ts";
import { decimalMark, formatAlone } from "../draw/number.ts";
import { Numbers } from "../draw/numbers.ts";
import { inputPicture, type Picture, pictureOf, type Scene, sceneScale } from "../draw/picture.ts";
import { sentenceOf, sentenceText } from "../draw/sentence.ts";
import { axisKinds } from "../draw/shape.ts";
import { workStrip } from "../draw/work.ts";
import { type Strings, stringsFor } from "../strings/index.ts";
import { AttributeError, type Given, modelOf, parseChoice, parseCount, parseNumber, parseWords } from "./attributes.ts";
import { type CheckResult, checksOf } from "./checks.ts";
import { elementCss } from "./element-styles.ts";
import { loadMathFont } from "./math-font.ts";
import { borrowLoom, defaultLoader, type LoomLoader } from "./shared-loom.ts";
import {
  type Action,
  attendInput,
  countFrames,
  frameIndex,
  type InputName,
  initialState,
  isSelf,
  LEVELS,
  type Level,
  type LoomState,
  reduce,
  settle,
  sideOf,
} from "./state/index.ts";

const GIVEN = {
  example: "example",
  tokens: "tokens",
  tokensKv: "tokens-kv",
  x: "x",
  xKv: "x-kv",
  wQ: "w-q",
  wK: "w-k",
  wV: "w-v",
  q: "q",
  k: "k",
  v: "v",
  heads: "heads",
  head: "head",
  causal: "causal",
  scale: "scale",
  temperature: "temperature",
  allow: "allow",
} as const;

const SPEEDS = [0.5, 1, 2, 4];
const PAUSES: Readonly<Record<Level, number>> = { stage: 3200, row: 2000, cell: 1300, term: 900 };
const SAID_FOR = 5000;
/** Loading that takes longer than this is announced. */
const SLOW = 1000;
const PLAY_SAYS_EVERY = 1500;

interface Editing {
  readonly table: string;
  readonly row: number;
  readonly column: number;
  readonly text: string;
  readonly note?: string;
}

/**
 * The stepper. Attributes and properties are data and are checked; a wrong one is a sentence inside the element.
 *
 * @fires loom-ready once the first numbers are there
 * @fires loom-step when the cursor has moved
 * @fires loom-change when words or numbers were edited
 * @fires loom-error with a code, when something given cannot be used or the core cannot be loaded
 */
export class LoomAttention extends LitElement {
  static override styles = css`${unsafeCSS(elementCss)}`;

  static override properties = {
    ...Object.fromEntries(Object.entries(GIVEN).map(([name, attribute]) => [name, { attribute }])),
    level: { attribute: "level" },
    stage: { attribute: "stage" },
    theme: { attribute: "theme", reflect: true },
    lang: { attribute: "lang" },
  };

  /** Name of a built-in example, default "house-4x5". */
  declare example: unknown;
  /** Query words: a JSON list, a list of strings, or words with blanks between them. */
  declare tokens: unknown;
  /** Key words. */
  declare tokensKv: unknown;
  /** [n_q, d_model] as rows of numbers: JSON, nested arrays, or "1 0; 0 1". The other matrices alike. */
  declare x: unknown;
  declare xKv: unknown;
  declare wQ: unknown;
  declare wK: unknown;
  declare wV: unknown;
  declare q: unknown;
  declare k: unknown;
  declare v: unknown;
  /** Count of heads, 1 … 16. */
  declare heads: unknown;
  /** The head on view, counted from 1. */
  declare head: unknown;
  /** "start", "end", or present. */
  declare causal: unknown;
  declare scale: unknown;
  /** τ ≥ 0. */
  declare temperature: unknown;
  /** Rows of 0 and 1, one row per query; 1 = may look. */
  declare allow: unknown;
  /** "stage", "row", "cell" or "term". */
  declare level: unknown;
  /** Name of the stage to begin with. */
  declare stage: unknown;
  /** "auto", "light" or "dark". */
  declare theme: string | null;

  /** Brings the core; default: one core for all elements of the page. Set before the element is connected. */
  loader: LoomLoader = defaultLoader;

  #state: LoomState | undefined;
  #numbers: Numbers | undefined;
  #trace: Trace | undefined;
  #loom: Loom | undefined;
  #release: (() => void) | undefined;
  #trouble: { code: string; message: string } | undefined;
  #isReady = false;
  #changed: ReadonlyMap<string, ReadonlySet<number>> | undefined;
  #editing: Editing | undefined;
  #isEditing = false;
  #focus = new Map<string, TableFocus>();
  #wantsFocus: string | undefined;
  #hadFocus = "";
  #mapFocus: string | undefined;
  #isPlaying = false;
  #playTimer: ReturnType<typeof setTimeout> | undefined;
  #sayTimer: ReturnType<typeof setTimeout> | undefined;
  #lastSaid = 0;
  #speed = 1;
  #checks: CheckResult | undefined;
  #toSay = "";
  #sizes: ResizeObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.#onVisibility);
    void this.#load();
    loadMathFont();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.#onVisibility);
    this.#stop();
    clearTimeout(this.#sayTimer);
    this.#sizes?.disconnect();
    this.#sizes = undefined;
    // A move takes the element out and puts it in again at once: only what stays outside is let go of.
    queueMicrotask(() => {
      if (!this.isConnected) this.#letGo();
    });
  }

  #letGo(): void {
    this.#trace?.dispose();
    this.#trace = undefined;
    this.#numbers = undefined;
    this.#loom = undefined;
    this.#checks = undefined;
    this.#release?.();
    this.#release = undefined;
  }

  #onVisibility = () => {
    if (document.hidden) this.#pause();
  };

  async #load(): Promise<void> {
    if (this.#loom) {
      this.requestUpdate();
      return;
    }
    if (this.#release) return;
    const { loom, release } = borrowLoom(this.loader);
    this.#release = release;
    const slow = setTimeout(() => this.#announce(this.#strings.text("loading")), SLOW);
    try {
      const loaded = await loom;
      if (this.#release !== release) return;
      this.#loom = loaded;
      this.#begin();
    } catch (error) {
      if (this.#release !== release) return;
      this.#release = undefined;
      release();
      this.#fail("load", this.#strings.text("error.load", { reason: reasonOf(error) }));
    } finally {
      clearTimeout(slow);
    }
    this.requestUpdate();
  }

  get #strings(): Strings {
    let node: Node | null = this;
    while (node) {
      const found: Element | null = node instanceof Element ? node.closest("[lang]") : null;
      if (found) return stringsFor(found.getAttribute("lang") ?? "en");
      const root: Node = node.getRootNode();
      node = root instanceof ShadowRoot ? root.host : null;
    }
    return stringsFor("en");
  }

  #fail(code: string, text: string, more: Record<string, string> = {}): void {
    this.#trouble = { code, message: text };
    this.#tell("loom-error", { code, message: text, ...more });
    this.#announce(text);
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  /** What the attributes say, from the beginning. */
  #begin(): void {
    if (!this.#loom) return;
    const strings = this.#strings;
    this.#trouble = undefined;
    try {
      const given = Object.fromEntries(
        Object.keys(GIVEN).map((name) => [name, (this as unknown as Record<string, unknown>)[name]]),
      ) as Given;
      const kept = this.#state;
      const model = modelOf(strings, given);
      const isSame = kept !== undefined && JSON.stringify(kept.start) === JSON.stringify(model);
      if (this.level !== undefined && this.level !== null) parseChoice(strings, "level", this.level, LEVELS);
      if (this.theme) parseChoice(strings, "theme", this.theme, ["auto", "light", "dark"]);
      // The same attributes as before: a move. What the reader did stays.
      this.#compute(isSame ? kept.model : model);
      const stages = this.#stages;
      const names = stages.map(({ name }) => name);
      const stage =
        this.stage === undefined || this.stage === null ? undefined : parseChoice(strings, "stage", this.stage, names);
      const level = (this.level ?? "stage") as Level;
      const head =
        this.head === undefined || this.head === null
          ? 0
          : parseCount(strings, "head", this.head, model.options.heads ?? 1) - 1;
      const fresh = initialState(model, { level, stage: stage ?? names[0] ?? "", head });
      this.#state = settle(
        isSame
          ? kept
          : kept
            ? { ...fresh, cursor: { ...kept.cursor, ...(stage && { stage }), ...(this.level ? { level } : {}), head } }
            : fresh,
        stages,
        names,
      );
      if (!this.#isReady) {
        this.#isReady = true;
        this.#tell("loom-ready", { stages: names, frames: countFrames(stages, this.#state.cursor.level) });
      }
    } catch (error) {
      if (error instanceof AttributeError) {
        this.#fail(error.code, error.message, { parameter: error.parameter, value: error.value });
      } else this.#fail("core", strings.text("error.core", { reason: reasonOf(error) }));
    }
  }

  /** The numbers of a model. Throws what the core says, and then keeps the old ones. */
  #compute(model: LoomState["model"]): void {
    if (!this.#loom) return;
    const { trace } = this.#loom.attend(attendInput(model));
    if (!trace) throw new Error("The core returned no trace.");
    const before = this.#numbers;
    const numbers = new Numbers(trace, decimalMark(this.#strings.language));
    this.#changed = before && differences(before, numbers);
    this.#trace?.dispose();
    this.#trace = trace;
    this.#numbers = numbers;
    this.#checks = undefined;
  }

  get #stages() {
    return this.#numbers?.stages ?? [];
  }

  /** The state as plain JSON: cursor, words, numbers, what undo remembers. */
  get state(): LoomState | undefined {
    return this.#state;
  }

  /** Does one action of the reducer, as the controls do. Returns false where it was refused. */
  act(action: Action): boolean {
    const state = this.#state;
    if (!state || !this.#numbers) return false;
    const stages = this.#stages;
    const order = stages.map(({ name }) => name);
    let next = reduce(state, action, stages);
    if (next === state) return false;
    const isEdit = next.model !== state.model;
    if (isEdit) {
      try {
        this.#compute(next.model);
      } catch (error) {
        this.#announce(this.#strings.text("edit.failed", { reason: reasonOf(error) }));
        return false;
      }
    } else this.#changed = undefined;
    next = settle(next, this.#stages, order);
    this.#state = next;
    this.#mapFocus = undefined;
    if (isEdit) {
      this.#tell("loom-change", { reason: action.type, model: structuredClone(next.model) });
      this.#announce(this.#editText(action, state));
    }
    if (JSON.stringify(next.cursor) !== JSON.stringify(state.cursor)) this.#stepped(isEdit);
    this.requestUpdate();
    return true;
  }

  #stepped(isEdit: boolean): void {
    const scene = this.#scene();
    const state = this.#state;
    if (!scene || !state) return;
    const frames = countFrames(this.#stages, state.cursor.level);
    const frame = frameIndex(state.cursor, this.#stages);
    const sentence = sentenceText(scene);
    this.#followFocus();
    this.#tell("loom-step", { ...state.cursor, frame, frames, sentence });
    if (isEdit) return;
    if (!this.#isPlaying) this.#announce(frame === frames - 1 ? `${sentence} ${scene.strings.text("end")}` : sentence);
    else if (Date.now() - this.#lastSaid >= PLAY_SAYS_EVERY) this.#announce(this.#placeText(scene));
  }

  /** The cell that Tab reaches in the result is the current one. */
  #followFocus(): void {
    const cursor = this.#state?.cursor;
    if (!cursor) return;
    this.#focus.clear();
    if (cursor.level !== "stage") {
      this.#focus.set("result", { row: cursor.row, column: cursor.level === "row" ? 0 : cursor.column });
    }
  }

  #editText(action: Action, before: LoomState): string {
    const strings = this.#strings;
    const state = this.#state as LoomState;
    switch (action.type) {
      case "undo":
        return strings.text("edit.undone");
      case "redo":
        return strings.text("edit.redone");
      case "reset":
        return strings.text("edit.reset");
      case "word":
        return strings.text("edit.renamed");
      case "words": {
        const known = [...sideOf(before.model, action.side).words];
        const fresh = action.words.filter((word) => {
          const at = known.indexOf(word);
          if (at >= 0) known.splice(at, 1);
          return at < 0;
        });
        return action.words.length === 0
          ? strings.text("noTokens")
          : strings.text("edit.newWords", { n: fresh.length });
      }
      case "edit": {
        const name = nameOf(strings, traceName(action.matrix), isSelf(state.model));
        return strings.text("edit.changed", {
          name,
          row: action.row + 1,
          column: action.column + 1,
          value: formatAlone(action.value, this.#numbers?.mark),
        });
      }
      default:
        return "";
    }
  }

  // Speech: one status region, cleared before it is set, empty again after five seconds.
  #announce(text: string): void {
    if (!text) return;
    this.#toSay = text;
    this.#lastSaid = Date.now();
    this.requestUpdate();
  }

  #speak(): void {
    const region = this.renderRoot.querySelector("[role=status]");
    if (!region || !this.#toSay) return;
    const text = this.#toSay;
    this.#toSay = "";
    region.textContent = "";
    clearTimeout(this.#sayTimer);
    this.#sayTimer = setTimeout(() => {
      region.textContent = text;
      this.#sayTimer = setTimeout(() => {
        region.textContent = "";
      }, SAID_FOR);
    }, 30);
  }

  // Play.
  #play(): void {
    const state = this.#state;
    if (!state || this.#isAtEnd()) return;
    this.#isPlaying = true;
    this.#playTimer = setTimeout(() => {
      this.act({ type: "next" });
      if (this.#isAtEnd()) {
        this.#pause();
        this.#announce(this.#strings.text("end"));
      } else this.#play();
    }, PAUSES[state.cursor.level] / this.#speed);
    this.requestUpdate();
  }

  #stop(): void {
    clearTimeout(this.#playTimer);
    this.#isPlaying = false;
  }

  #pause(): void {
    if (!this.#isPlaying) return;
    this.#stop();
    this.requestUpdate();
  }

  #isAtEnd(): boolean {
    const cursor = this.#state?.cursor;
    return !cursor || frameIndex(cursor, this.#stages) >= countFrames(this.#stages, cursor.level) - 1;
  }

  #scene(): Scene | undefined {
    const state = this.#state;
    if (!state || !this.#numbers) return undefined;
    const { model, cursor } = state;
    return {
      numbers: this.#numbers,
      cursor,
      tokensQ: model.tokensQ,
      tokensKv: model.tokensKv,
      strings: this.#strings,
      self: isSelf(model),
      editable: new Set(Object.keys(model.matrices).map((name) => traceName(name as InputName))),
      ...(this.#changed && { changed: this.#changed }),
    };
  }

  #placeText(scene: Scene): string {
    const { cursor, strings, numbers } = scene;
    const [rowKind, columnKind] = axisKinds(cursor.stage);
    const { description, grid } = numbers.of(cursor.stage);
    const word = (kind: string, i: number) =>
      kind === "f" ? String(i + 1) : shownWord((kind === "q" ? scene.tokensQ : scene.tokensKv)[i] ?? "");
    const parts = [nameOf(strings, cursor.stage)];
    if (grid.heads > 1) parts.push(strings.text("position.head", { n: cursor.head + 1 }));
    const hasCells = grid.heads * grid.rows * grid.columns > 0;
    const row = word(rowKind, cursor.row);
    const isColumn = description.operation === "max" || description.operation === "sum";
    if (cursor.level !== "stage" && hasCells) {
      parts.push(
        cursor.level === "row" || isColumn
          ? strings.text("position.row", { row })
          : strings.text("position.cell", { row, column: word(columnKind, cursor.column) }),
      );
    }
    if (cursor.level === "term" && description.terms > 1 && hasCells) {
      parts.push(strings.text("position.term", { term: cursor.term + 1, terms: description.terms }));
    }
    return parts.join(" · ");
  }

  // Life of an update.
  protected override willUpdate(changed: PropertyValues): void {
    const isGiven = [...changed.keys()].some(
      (name) => name in GIVEN || name === "level" || name === "stage" || name === "theme",
    );
    if (isGiven && this.#loom) this.#begin();
    if (changed.has("lang") && this.#loom && this.#state && !isGiven) this.#begin();
    if (!this.#numbers && this.#loom && this.#state && !this.#trouble) this.#begin();
    const active = this.shadowRoot?.activeElement;
    this.#hadFocus =
      active instanceof HTMLElement
        ? (active.closest("table")?.dataset.slot ?? (active === this.shadowRoot?.activeElement ? "control" : ""))
        : "";
  }

  protected override updated(): void {
    this.#speak();
    const root = this.renderRoot;
    if (this.#editing && !root.querySelector(".entry:focus")) {
      const entry = root.querySelector<HTMLInputElement>(".entry");
      entry?.focus();
      entry?.select();
    }
    const state = this.#state;
    const range = root.querySelector<HTMLInputElement>("input.slider");
    if (range && state) {
      const frames = countFrames(this.#stages, state.cursor.level);
      const frame = frameIndex(state.cursor, this.#stages);
      range.max = String(Math.max(0, frames - 1));
      range.value = String(frame);
      range.style.setProperty("--done", `${frames > 1 ? (100 * frame) / (frames - 1) : 100}%`);
    }
    this.#keepFocus();
    this.#settleScroll();
  }

  /** A frame may take away the cell that had the focus: then the one nearest to it gets it. */
  #keepFocus(): void {
    const root = this.shadowRoot;
    if (!root || this.#editing) return;
    const want =
      this.#wantsFocus ??
      (root.activeElement === null && this.#hadFocus !== "" && this.#hadFocus !== "control"
        ? this.#hadFocus
        : undefined);
    this.#wantsFocus = undefined;
    if (!want) return;
    const [slot, name] = want.split(":");
    const table =
      root.querySelector(name ? `table[data-slot=${slot}][data-name=${name}]` : `table[data-slot=${slot}]`) ??
      root.querySelector("table[data-slot=result]");
    const cell =
      table?.querySelector<HTMLElement>("td[tabindex='0']") ?? root.querySelector<HTMLElement>("button.primary");
    cell?.focus({ preventScroll: true });
  }

  /** Regions that scroll, and the current cell in view. */
  #settleScroll(): void {
    const scroll = this.renderRoot.querySelector<HTMLElement>(".scroll");
    if (!scroll) return;
    const update = () => {
      // What scrolls has to be reachable by keyboard; what does not is no stop.
      for (const region of this.renderRoot.querySelectorAll<HTMLElement>(".scroll, .code, .formula, .inputs .corner")) {
        if (region.scrollWidth > region.clientWidth + 1) region.tabIndex = 0;
        else region.removeAttribute("tabindex");
      }
    };
    if (!this.#sizes && typeof ResizeObserver !== "undefined") {
      this.#sizes = new ResizeObserver(update);
      this.#sizes.observe(scroll);
    }
    update();
    const now = scroll.querySelector<HTMLElement>("td.now, td.now-row");
    if (now && scroll.scrollWidth > scroll.clientWidth + 1) {
      const box = scroll.getBoundingClientRect();
      const cell = now.getBoundingClientRect();
      if (cell.right > box.right - 8) scroll.scrollLeft += cell.right - box.right + 24;
      else if (cell.left < box.left + 8) scroll.scrollLeft -= box.left - cell.left + 24;
    }
  }

  protected override render(): TemplateResult {
    const status = html`<p class="unseen" role="status"></p>`;
    let widget: TemplateResult | undefined;
    try {
      const scene = this.#trouble ? undefined : this.#scene();
      widget = scene && this.#widget(scene);
    } catch (error) {
      // A fault stays in this element: its message instead of the figure.
      this.#stop();
      this.#fail("core", this.#strings.text("error.core", { reason: reasonOf(error) }));
    }
    if (!widget) {
      return html`${this.#trouble ? html`<p class="trouble">${this.#trouble.message}</p>` : nothing}<slot></slot>${status}`;
    }
    return html`${widget}${status}`;
  }

  #widget(scene: Scene): TemplateResult {
    const { strings, cursor, numbers } = scene;
    const picture = pictureOf(scene);
    const isEmpty = scene.tokensQ.length === 0 || scene.tokensKv.length === 0;
    return html`<section class="widget${this.#isEditing ? " editing-on" : ""}" aria-label=${strings.text("title")}
        @click=${this.#onClick} @dblclick=${this.#onDoubleClick} @keydown=${this.#onKey} @focusin=${this.#onFocusIn} @focusout=${this.#onFocusOut}>
      <div class="band map-band">${stageMap(scene, this.#mapFocus ?? cursor.stage)}</div>
      <div class="band picture">
        ${numbers.trace.heads > 1 ? this.#headSwitch(scene) : nothing}
        <div class="scroll" role="group" aria-label=${strings.text("figure.label")}>
          ${isEmpty ? html`<p class="sentence">${strings.text("noTokens")}</p>` : cornerFigure(picture, strings, this.#use(picture))}
        </div>
        ${workStrip(scene)}
      </div>
      <p class="band sentence"><span>${message(sentenceOf(scene))}</span></p>
      ${this.#maths(scene)}
      ${this.#isEditing ? this.#editPanel(scene) : nothing}
      ${this.#bar(scene)}
    </section>`;
  }

  #use(picture: Picture): FigureUse {
    return Object.fromEntries(
      picture.matrices.map(({ slot, cells }) => [slot, this.#useOf(slot, cells.length, cells[0]?.length ?? 0)]),
    );
  }

  #useOf(table: string, rows: number, columns: number): TableUse {
    const focus = this.#focus.get(table) ?? { row: 0, column: 0 };
    const editing = this.#editing?.table === table ? this.#editing : undefined;
    return {
      focus: {
        row: Math.min(focus.row, Math.max(0, rows - 1)),
        column: Math.min(focus.column, Math.max(0, columns - 1)),
      },
      ...(editing && { editing }),
    };
  }

  #headSwitch({ strings, cursor, numbers }: Scene): TemplateResult {
    return html`<div class="heads" role="radiogroup" aria-label=${strings.text("control.head")}><span>${strings.text("control.head")}</span
      ><span class="levels">${Array.from(
        { length: numbers.trace.heads },
        (_, head) => html`<label><input type="radio" name="head" value=${head} .checked=${head === cursor.head}
          @change=${() => this.act({ type: "head", head })} />${head + 1}</label>`,
      )}</span></div>`;
  }

  #maths(scene: Scene): TemplateResult {
    const { strings, cursor, numbers, self } = scene;
    const masked = numbers.has("masked");
    const { width } = sceneScale(scene);
    const { scale, temperature } = numbers.trace;
    const cross = !self;
    return html`<div class="band maths"><div><p class="small-title">${strings.text("formula.label")}</p>
        ${formulaView({ stage: cursor.stage, masked, cross, root: width !== undefined, label: strings.text("formula.label") })}</div>
      <div><div><p class="small-title">${strings.text("code.label")}</p>${codeView({
        stage: cursor.stage,
        masked,
        projects: numbers.trace.stages.includes("queries"),
        cross,
        scale: width === undefined ? { factor: formatAlone(scale) } : { width },
        temperature: formatAlone(temperature),
        label: strings.text("code.label"),
      })}</div></div></div>`;
  }

  #editPanel(scene: Scene): TemplateResult {
    const { strings, self } = scene;
    const state = this.#state as LoomState;
    const words = (side: "q" | "kv", label: string) =>
      html`<label>${label}<input name=${side} type="text" autocomplete="off" spellcheck="false"
        .value=${sideOf(state.model, side)
          .words.map((word) => (/^\S+$/.test(word) ? word : JSON.stringify(word)))
          .join(" ")} /></label>`;
    return html`<div class="band edits"><div class="tools"><h3>${strings.text("edit.title")}</h3>
        ${this.#push("undo", "undo", state.past.length === 0)}${this.#push("redo", "redo", state.future.length === 0)}
        ${this.#push("reset", "reset", false)}</div>
      <p class="hint">${strings.text("edit.hint")}</p>
      <form @submit=${this.#onWords}>${
        self
          ? words("q", strings.text("edit.wordsSelf"))
          : html`${words("q", strings.text("edit.wordsQ"))}${words("kv", strings.text("edit.wordsKv"))}`
      }<button class="push" type="submit">${strings.text("edit.apply")}</button></form>
      <p class="hint">${strings.text("edit.wordsNote")}</p>
      <div class="inputs">${[...(scene.editable ?? [])].map((name) => {
        const matrix = inputPicture(scene, name);
        const nameless = matrix.rowLabels[0]?.kind === "f";
        return html`<div class="corner${nameless ? " nameless" : ""}" dir="ltr">${matrixTable(matrix, this.#useOf(`input:${name}`, matrix.cells.length, matrix.cells[0]?.length ?? 0))}</div>`;
      })}</div></div>`;
  }

  #push(
    action: "undo" | "redo" | "reset" | "first" | "back" | "last",
    name: Parameters<typeof icon>[0],
    isOff: boolean,
  ): TemplateResult {
    const label = this.#strings.text(`control.${action}`);
    return html`<button type="button" class="push square" aria-label=${label} title=${label} aria-disabled=${isOff} data-act=${action}
      tabindex=${action === "first" || action === "last" || action === "back" ? -1 : 0}>${icon(name)}</button>`;
  }

  #bar(scene: Scene): TemplateResult {
    const { strings, cursor } = scene;
    const total = countFrames(this.#stages, cursor.level);
    const frame = frameIndex(cursor, this.#stages);
    const isFirst = frame === 0;
    const isLast = frame >= total - 1;
    const place = this.#placeText(scene);
    const checks = this.#checkResult();
    const n = total === 0 ? 0 : frame + 1;
    const playing = strings.text(this.#isPlaying ? "control.pause" : "control.play");
    return html`<div class="bar" role="group" aria-label=${strings.text("control.label")}>
      <input class="slider" type="range" min="0" step="1" aria-label=${strings.text("control.slider")}
        aria-valuetext=${strings.text("position.slider", { n, total, place })} @input=${this.#onSlide} />
      <div class="controls"><div class="transport">
          ${this.#push("first", "first", isFirst)}${this.#push("back", "back", isFirst)}
          <button type="button" class="push square" data-act="play" aria-label=${playing} title=${playing} aria-disabled=${isLast && !this.#isPlaying}>${icon(this.#isPlaying ? "pause" : "play")}</button>
          <button type="button" class="push primary" data-act="next" aria-disabled=${isLast}>${strings.text("control.next")}${icon("next")}</button>
          ${this.#push("last", "last", isLast)}</div>
        <div class="levels" role="radiogroup" aria-label=${strings.text("level.label")}>${LEVELS.map(
          (level) => html`<label><input type="radio" name="level" value=${level} .checked=${level === cursor.level}
              @change=${() => this.act({ type: "level", level })} />${strings.text(`level.${level}`)}</label>`,
        )}</div>
        <select class="speed" aria-label=${strings.text("control.speed")} title=${strings.text("control.speed")} @change=${this.#onSpeed}>${SPEEDS.map(
          (speed) =>
            html`<option value=${speed} ?selected=${speed === this.#speed}>${strings.text("control.speedOption", { n: speed })}</option>`,
        )}</select>
      </div>
      <div class="where"><span class="place"><b>${place}</b> · ${strings.text("position.frame", { n, total })}</span>
        <button type="button" class="push quiet" data-act="edit" aria-pressed=${this.#isEditing}>${icon("edit")}<span class="label">${strings.text(this.#isEditing ? "control.done" : "control.edit")}</span></button>
        <button type="button" class="push quiet ${checks.isGood ? "good" : "bad"}" data-act="checks" aria-haspopup="dialog">${icon(checks.isGood ? "check" : "alert")}<span class="label">${strings.text(checks.isGood ? "checks.ok" : "checks.bad")}</span></button>
        <button type="button" class="push quiet square" data-act="help" aria-haspopup="dialog" aria-label=${strings.text("control.help")} title=${strings.text("control.help")}>${icon("help")}</button></div>
      ${this.#cards(scene, checks)}</div>`;
  }

  #checkResult(): CheckResult {
    const numbers = this.#numbers as Numbers;
    const model = (this.#state as LoomState).model;
    this.#checks ??= checksOf(numbers, model);
    return this.#checks;
  }

  #cards({ strings }: Scene, checks: CheckResult): TemplateResult {
    const keys: [string, Parameters<Strings["text"]>[0]][] = [
      ["← →", "help.steps"],
      ["Home End", "help.ends"],
      ["+ −", "help.levels"],
      ["← ↑ ↓ →", "help.arrows"],
      ["Enter", "help.enter"],
      ["Esc", "help.escape"],
    ];
    return html`<div class="card" popover="auto" data-card="checks" role="dialog" aria-label=${strings.text("checks.title")}>
        <h3>${strings.text("checks.title")}</h3>
        <ul>${checks.items.map(
          ({ isGood, key, n }) =>
            html`<li class=${isGood ? "" : "bad"}>${icon(isGood ? "check" : "alert")}<span>${strings.text(key, { n: typeof n === "string" ? n : (n ?? 0) })}</span></li>`,
        )}</ul><p>${strings.text("checks.rounded")}</p></div>
      <div class="card" popover="auto" data-card="help" role="dialog" aria-label=${strings.text("help.title")}>
        <h3>${strings.text("help.title")}</h3>
        <dl>${keys.map(([key, text]) => html`<dt>${key}</dt><dd>${strings.text(text)}</dd>`)}</dl>
        <p>${strings.text("help.read")}</p>
        <p>${strings.text("help.float")}</p></div>`;
  }

  // What the reader does.
  #onClick = (event: Event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>("button");
    if (button?.dataset.stage) {
      this.#pause();
      this.act({ type: "jump", stage: button.dataset.stage });
      return;
    }
    if (button?.dataset.act) {
      this.#press(button.dataset.act, button);
      return;
    }
    const cell = target.closest<HTMLElement>("td[data-place]");
    if (cell && !target.closest(".entry")) this.#choose(cell, this.#isEditing);
  };

  #onDoubleClick = (event: Event) => {
    const cell = (event.target as Element).closest<HTMLElement>("td[data-place]");
    if (cell?.closest("table.editable")) this.#choose(cell, true);
  };

  #press(act: string, button: HTMLElement): void {
    if (button.getAttribute("aria-disabled") === "true") return;
    if (act === "play") {
      if (this.#isPlaying) this.#pause();
      else this.#play();
      return;
    }
    if (act === "edit") {
      this.#isEditing = !this.#isEditing;
      this.#editing = undefined;
      this.requestUpdate();
      return;
    }
    if (act === "checks" || act === "help") {
      if (act === "checks") this.#compareWithTwin();
      this.#open(act, button);
      return;
    }
    this.#pause();
    this.act({ type: act as "next" });
  }

  #open(name: string, button: HTMLElement): void {
    const card = this.renderRoot.querySelector<HTMLElement>(`[data-card=${name}]`);
    if (!card) return;
    card.togglePopover();
    const box = button.getBoundingClientRect();
    const size = card.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.right - size.width, document.documentElement.clientWidth - size.width - 8));
    card.style.setProperty("left", `${left}px`);
    const bottom = document.documentElement.clientHeight - box.top + 8;
    const most = document.documentElement.clientHeight - size.height - 8;
    card.style.setProperty("bottom", `${Math.max(8, Math.min(bottom, most))}px`);
  }

  #compareWithTwin(): void {
    const loom = this.#loom;
    const state = this.#state;
    if (!loom || !state || !this.#numbers) return;
    try {
      this.#checks = checksOf(this.#numbers, state.model, loom.reference(attendInput(state.model)));
    } catch (error) {
      this.#fail("core", this.#strings.text("error.core", { reason: reasonOf(error) }));
    }
    this.requestUpdate();
  }

  /** A cell was chosen: a given number is edited, a computed one is gone to. */
  #choose(cell: HTMLElement, canEdit: boolean): void {
    const place = placeOf(cell);
    const table = cell.closest("table");
    if (!table || !place) return;
    const name = table.dataset.name ?? "";
    const slot = table.dataset.slot ?? "";
    const key = slot === "input" ? `input:${name}` : slot;
    this.#focus.set(key, place);
    if (table.classList.contains("editable")) {
      if (canEdit) this.#edit(key, place, cell);
      else this.requestUpdate();
      return;
    }
    const scene = this.#scene();
    if (!scene?.numbers.trace.stages.includes(name)) {
      this.requestUpdate();
      return;
    }
    this.#pause();
    const { description } = scene.numbers.of(name);
    const index = (cell.dataset.index ?? "").split(",").map(Number);
    const [head, row, column] =
      description.shape.length >= 3
        ? index
        : description.operation === "copy"
          ? [0, index[0], index[1]]
          : [index[0], index[1], 0];
    const level = scene.cursor.level === "stage" || scene.cursor.level === "row" ? "cell" : scene.cursor.level;
    this.act({ type: "jump", stage: name, head: head ?? 0, row: row ?? 0, column: column ?? 0, level });
  }

  #edit(table: string, { row, column }: TableFocus, cell: HTMLElement): void {
    const name = cell.closest("table")?.dataset.name ?? "";
    const index = (cell.dataset.index ?? "").split(",").map(Number);
    const value = this.#numbers?.value(name, index) ?? 0;
    this.#pause();
    this.#editing = {
      table,
      row,
      column,
      text: String(Math.fround(value)).length > 9 ? String(Number(value.toPrecision(7))) : String(value),
    };
    this.requestUpdate();
  }

  #commit(entry: HTMLInputElement, back: boolean): void {
    const editing = this.#editing;
    const cell = entry.closest<HTMLElement>("td");
    const table = entry.closest("table");
    if (!editing || !cell || !table) return;
    const value = parseNumber(entry.value);
    if (value === undefined) {
      const note = this.#strings.text("edit.invalid", { text: entry.value });
      if (back) {
        this.#editing = { ...editing, note };
        this.#announce(note);
      } else this.#editing = undefined;
      this.requestUpdate();
      return;
    }
    const name = table.dataset.name ?? "";
    const index = (cell.dataset.index ?? "").split(",").map(Number);
    this.#editing = undefined;
    if (back) this.#wantsFocus = editing.table;
    const matrix = inputName(name);
    const { shape } = this.#numbers?.of(name).description ?? { shape: [] };
    const [row, column] = index.length === 3 ? [index[1], (index[0] ?? 0) * (shape[2] ?? 0) + (index[2] ?? 0)] : index;
    const isOld = entry.defaultValue === entry.value;
    if (!isOld) this.act({ type: "edit", matrix, row: row ?? 0, column: column ?? 0, value });
    this.requestUpdate();
  }

  #onFocusIn = (event: FocusEvent) => {
    const cell = (event.target as Element).closest?.<HTMLElement>("td[data-place]");
    const place = cell && placeOf(cell);
    const table = cell?.closest("table");
    if (!place || !table) return;
    const slot = table.dataset.slot ?? "";
    this.#focus.set(slot === "input" ? `input:${table.dataset.name}` : slot, place);
  };

  #onFocusOut = (event: FocusEvent) => {
    const entry = event.target as Element;
    if (entry instanceof HTMLInputElement && entry.classList.contains("entry") && this.#editing)
      this.#commit(entry, false);
  };

  #onWords = (event: Event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    for (const side of ["q", "kv"] as const) {
      const field = form.elements.namedItem(side);
      if (field instanceof HTMLInputElement)
        this.act({ type: "words", side, words: typedWords(this.#strings, field.value) });
    }
  };

  #onSlide = (event: Event) => {
    this.#pause();
    this.act({ type: "frame", index: Number((event.target as HTMLInputElement).value) });
  };

  #onSpeed = (event: Event) => {
    this.#speed = Number((event.target as HTMLSelectElement).value) || 1;
    if (!this.#isPlaying) return;
    this.#stop();
    this.#play();
  };

  #onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target instanceof HTMLInputElement && target.classList.contains("entry")) {
      if (event.ctrlKey) return;
      if (event.key === "Enter") this.#commit(target, true);
      else if (event.key === "Escape") {
        this.#wantsFocus = this.#editing?.table;
        this.#editing = undefined;
        this.requestUpdate();
      } else return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const cell = target.closest<HTMLElement>("td[data-place]");
    if (cell) this.#onCellKey(event, cell);
    else if (target.closest(".map")) this.#onMapKey(event, target);
    else if (target.closest(".bar") && !target.closest(".card")) this.#onBarKey(event, target);
  };

  #onCellKey(event: KeyboardEvent, cell: HTMLElement): void {
    const table = cell.closest("table");
    const place = placeOf(cell);
    if (!table || !place) return;
    if (event.key === "Enter" && !event.ctrlKey) {
      event.preventDefault();
      this.#choose(cell, true);
      return;
    }
    const rows = table.tBodies[0]?.rows.length ?? 0;
    const columns = (table.tBodies[0]?.rows[0]?.cells.length ?? 1) - 1;
    const to = cellKey(event, place, rows, columns);
    if (!to) return;
    event.preventDefault();
    const next = table.querySelector<HTMLElement>(`td[data-place="${to.row},${to.column}"]`);
    if (!next || next === cell) return;
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    this.requestUpdate();
  }

  #onMapKey(event: KeyboardEvent, target: HTMLElement): void {
    if (event.ctrlKey) return;
    const stops = [...this.renderRoot.querySelectorAll<HTMLElement>(".stop")];
    const here = stops.indexOf(target.closest(".stop") as HTMLElement);
    const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: stops.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = stops[Math.min(Math.max(0, to), stops.length - 1)];
    this.#mapFocus = next?.dataset.stage;
    next?.focus();
    this.requestUpdate();
  }

  #onBarKey(event: KeyboardEvent, target: HTMLElement): void {
    if (event.ctrlKey) return;
    const level = { "+": "finer", "=": "finer", "-": "coarser", "−": "coarser" }[event.key] as "finer" | undefined;
    const own = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === "radio");
    const isMirrored = getComputedStyle(this).direction === "rtl";
    const step = (
      {
        ArrowLeft: isMirrored ? "next" : "back",
        ArrowRight: isMirrored ? "back" : "next",
        Home: "first",
        End: "last",
      } as const
    )[event.key as "Home"];
    const isSlider = target instanceof HTMLInputElement && target.type === "range";
    const action = level ?? (own || isSlider ? undefined : step);
    if (!action) return;
    event.preventDefault();
    this.#pause();
    this.act({ type: action });
  }
}

const traceNames: Readonly<Partial<Record<InputName, string>>> = { q: "queries", k: "keys", v: "values" };
const traceName = (name: InputName): string => traceNames[name] ?? name;
const inputName = (name: string): InputName =>
  ((({ queries: "q", keys: "k", values: "v" }) as Record<string, InputName>)[name] ?? name) as InputName;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function placeOf(cell: HTMLElement): TableFocus | undefined {
  const [row, column] = (cell.dataset.place ?? "").split(",").map(Number);
  return row === undefined || column === undefined ? undefined : { row, column };
}

/** Words as typed: blanks separate, a JSON string in quotes is one word with its blanks. */
function typedWords(strings: Strings, text: string): string[] {
  if (text.trim().startsWith("[")) {
    try {
      return parseWords(strings, "tokens", text);
    } catch {
      // Not a list after all: read as words.
    }
  }
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g)].map(([word]) => {
    if (!word.startsWith('"')) return word;
    try {
      return String(JSON.parse(word));
    } catch {
      return word;
    }
  });
}

/** Where a key leads inside a matrix; nothing for other keys. The edges do not wrap. */
function cellKey(
  event: KeyboardEvent,
  { row, column }: TableFocus,
  rows: number,
  columns: number,
): TableFocus | undefined {
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  if (event.ctrlKey) {
    if (event.key === "Home") return { row: 0, column: 0 };
    return event.key === "End" ? { row: lastRow, column: lastColumn } : undefined;
  }
  switch (event.key) {
    case "ArrowLeft":
      return { row, column: Math.max(0, column - 1) };
    case "ArrowRight":
      return { row, column: Math.min(lastColumn, column + 1) };
    case "ArrowUp":
      return { row: Math.max(0, row - 1), column };
    case "ArrowDown":
      return { row: Math.min(lastRow, row + 1), column };
    case "Home":
      return { row, column: 0 };
    case "End":
      return { row, column: lastColumn };
    case "PageUp":
      return { row: Math.max(0, row - 8), column };
    case "PageDown":
      return { row: Math.min(lastRow, row + 8), column };
    default:
      return undefined;
  }
}

/** Cells that differ between two computations, by stage. Stages of another shape are left out. */
function differences(before: Numbers, after: Numbers): ReadonlyMap<string, ReadonlySet<number>> {
  const changed = new Map<string, ReadonlySet<number>>();
  for (const name of [...after.trace.inputs, ...after.trace.stages]) {
    if (!before.has(name)) continue;
    const old = before.of(name);
    const fresh = after.of(name);
    if (old.description.shape.join() !== fresh.description.shape.join()) continue;
    const cells = new Set<number>();
    fresh.data.forEach((value, i) => {
      if (!Object.is(value, old.data[i])) cells.add(i);
    });
    if (cells.size > 0) changed.set(name, cells);
  }
  return changed;
}
