// <loom-attention>: attention, stage by stage, down to one multiply-add, on numbers that can be edited.

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import type { StageDescription } from "../core/types.ts";
import { CODE_LANGUAGES } from "../draw/code/languages.ts";
import { cornerFigure, type FigureUse } from "../draw/corner.ts";
import { stageMap } from "../draw/map.ts";
import type { TableUse } from "../draw/matrix.ts";
import { message } from "../draw/message.ts";
import { decimalMark } from "../draw/number.ts";
import type { Span } from "../draw/pages.ts";
import { type Picture, pictureOf } from "../draw/picture.ts";
import type { Scene } from "../draw/scene.ts";
import { sentenceOf, sentenceText } from "../draw/sentence.ts";
import { workStrip } from "../draw/work.ts";
import type { Strings } from "../strings/index.ts";
import { Asking } from "./asking.ts";
import { GIVEN } from "./attributes.ts";
import { stateOf } from "./beginning.ts";
import { CellEditor } from "./cell-editor.ts";
import { type Changes, Computation } from "./computation.ts";
import { controlBar, pushButton, settleSlider } from "./controls.ts";
import { type Desk, reasonOf } from "./desk.ts";
import { editPanel } from "./edit-panel.ts";
import { elementCss } from "./element-styles.ts";
import { exampleModel, exampleNames } from "./examples.ts";
import { GridFocus } from "./grid-focus.ts";
import { headSwitch } from "./head-switch.ts";
import { type GivenHighlight, highlightIn } from "./highlight.ts";
import { stringsAround } from "./language.ts";
import { Linked } from "./linked.ts";
import { MaskPanel } from "./mask-panel.ts";
import { loadMathFont } from "./math-font.ts";
import { mathsBand } from "./maths.ts";
import { Overview } from "./overview.ts";
import { PageLink } from "./page-link.ts";
import { Paging, pagedSides } from "./paging.ts";
import { AttributeError } from "./parse.ts";
import { editText, placeText, traceName } from "./place.ts";
import { Player } from "./player.ts";
import { Reader } from "./reader.ts";
import { Room } from "./room.ts";
import { Roving } from "./roving.ts";
import { ScrollRegions } from "./scroll-regions.ts";
import { defaultLoader, type LoomLoader } from "./shared-loom.ts";
import { SinceStart } from "./since-start.ts";
import { Speech } from "./speech.ts";
import {
  type Action,
  allowOf,
  type Cursor,
  countFrames,
  countNewWords,
  frameIndex,
  type InputName,
  isSelf,
  type LoomState,
  readLink,
  reduce,
  settle,
  settleAsked,
  writeLink,
} from "./state/index.ts";
import { TakeAway } from "./take-away.ts";

const EXAMPLES = { names: exampleNames, model: exampleModel };

const sameWords = (a: LoomState["model"], b: LoomState["model"]) =>
  JSON.stringify([a.tokensQ, a.tokensKv]) === JSON.stringify([b.tokensQ, b.tokensKv]);

/** Loading that takes longer than this, in milliseconds, is announced. */
const SLOW = 1000;
/** While it plays the place is said at most this often, in milliseconds. */
const PLAY_SAYS_EVERY = 1500;

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
    highlight: { attribute: false },
    stateLink: { attribute: "state-link" },
    hash: { attribute: "hash" },
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
  /** [heads · d_v, d_model]. */
  declare wO: unknown;
  /** One row of numbers: added behind W_Q. The other biases alike; "b-o" needs W_O. */
  declare bQ: unknown;
  declare bK: unknown;
  declare bV: unknown;
  declare bO: unknown;
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
  /** c > 0: scores become c · tanh(score / c). */
  declare softCap: unknown;
  /** "rows", "columns" or "none": whose weights sum to 1. */
  declare softmax: unknown;
  /** "on" or "off": whether the largest score is taken away before the exponential. */
  declare shift: unknown;
  /** Rows of 0 and 1, one row per query; 1 = may look. */
  declare allow: unknown;
  /** "stage", "row", "cell" or "term". Setting it goes to that level; the reader's own steps do not change it. */
  declare level: unknown;
  /** Name of the stage to begin with. Setting it goes to the beginning of that stage. */
  declare stage: unknown;
  /** "auto", "light" or "dark". */
  declare theme: string | null;
  /** Points at a stage on the map and, where it is on view, at a row, a column or a cell of it; null for nothing. */
  declare highlight: GivenHighlight | null | undefined;

  /** A whole state to begin with, as `link` gives it. What cannot be read is said, and the figure begins without it. */
  declare stateLink: string | null | undefined;
  /** A name under which the state stands in the page's address, #name=…; without it the address is left alone. */
  declare hash: string | null | undefined;

  /** Brings the core; default: one core for all elements of the page. Set before the element is connected. */
  loader: LoomLoader = defaultLoader;

  #state: LoomState | undefined;
  /** What the attributes and properties said last; the state may have gone far from it. */
  #given: LoomState["model"] | undefined;
  #changes: Changes | undefined;
  /** The message that stands instead of the figure; `canPass` where the next action may try to draw again. */
  #trouble: { readonly text: string; readonly canPass: boolean } | undefined;
  /** What a link had that could not be used. */
  #notice = "";
  #isReady = false;
  /** Names of properties that were set and not looked at yet. */
  #unread = new Set<PropertyKey>();

  readonly #desk: Desk = {
    element: this,
    state: () => this.#state,
    numbers: () => this.#computation.numbers,
    stages: () => this.#stages,
    strings: () => this.#strings,
    scene: () => this.#scene(),
    act: (action) => this.#actOfReader(action),
    pause: () => this.#player.pause(),
    say: (text) => this.#speech.say(text),
    fail: (code, text, more) => this.#fail(code, text, more, true),
  };
  readonly #computation = new Computation();
  readonly #player = new Player(this.#desk);
  readonly #speech = new Speech(this);
  readonly #paging = new Paging(this.#desk);
  readonly #focus = new GridFocus(this.#desk, this.#paging);
  readonly #editor = new CellEditor(this.#desk, this.#focus);
  // Changes classes, so before the room is measured.
  readonly #linked = new Linked(this.#desk);
  readonly #room = new Room(this.#desk);
  readonly #mask = new MaskPanel(this.#desk, this.#paging);
  readonly #pageLink = new PageLink(this.#desk, {
    name: () => (/^[\w-]+$/.test(this.hash ?? "") ? (this.hash as string) : ""),
    link: () => (this.#state ? writeLink(this.#state, EXAMPLES) : undefined),
    follow: (link) => this.#onPageLink(link),
  });
  readonly #roving = new Roving(this);
  readonly #asking = new Asking(this.#desk, this.#focus, this.#roving);
  readonly #overview = new Overview(this.#desk, this.#paging);
  readonly #since = new SinceStart(this.#desk, this.#computation);
  readonly #reader = new Reader(this.#desk, {
    computation: this.#computation,
    player: this.#player,
    focus: this.#focus,
    editor: this.#editor,
    pageLink: this.#pageLink,
    take: new TakeAway(this.#desk),
    roving: this.#roving,
    asking: this.#asking,
    linked: this.#linked,
  });

  constructor() {
    super();
    this.addController(new ScrollRegions(this));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
    loadMathFont();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // A move takes the element out and puts it in again at once: only what stays outside is let go of.
    queueMicrotask(() => {
      if (!this.isConnected) this.#computation.letGo();
    });
  }

  async #load(): Promise<void> {
    if (this.#computation.isLoading) return;
    if (!this.#computation.isLoaded) {
      const slow = setTimeout(() => this.#speech.say(this.#strings.text("loading")), SLOW);
      try {
        if (!(await this.#computation.load(this.loader))) return;
        this.#begin();
      } catch (error) {
        this.#fail("load", this.#strings.text("error.load", { reason: reasonOf(error) }));
      } finally {
        clearTimeout(slow);
      }
    }
    this.requestUpdate();
  }

  get #strings(): Strings {
    return stringsAround(this);
  }

  get #stages() {
    return this.#computation.numbers?.stages ?? [];
  }

  #fail(code: string, text: string, more: Record<string, string> = {}, canPass = false): void {
    this.#player.stop();
    this.#trouble = { text, canPass };
    this.#tell("loom-error", { code, message: text, ...more });
    this.#speech.say(text);
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  /** What the attributes say. Those that are new move the cursor; what the reader did to the others stays. */
  #begin(): void {
    if (!this.#computation.isLoaded) return;
    const changed = this.#unread;
    this.#unread = new Set();
    const strings = this.#strings;
    const before = this.#state;
    this.#trouble = undefined;
    try {
      const given = this.#given;
      const { state, model } = stateOf(strings, this, before && given && { state: before, given }, changed, (model) =>
        this.#compute(model),
      );
      this.#state = state;
      this.#given = model;
      const fromPage = !before || changed.has("hash") ? this.#pageLink.given : undefined;
      const link = (!before || changed.has("stateLink") ? this.stateLink : undefined) ?? fromPage;
      const notice = link ? this.#followLink(link, "link.refused") : "";
      if (before) this.#tellStep(before.cursor);
      if (notice) this.#speech.say(notice);
      if (!this.#isReady) {
        this.#isReady = true;
        const frames = countFrames(this.#stages, this.#state.cursor.level);
        this.#tell("loom-ready", { stages: this.#stages.map(({ name }) => name), frames });
      }
    } catch (error) {
      if (error instanceof AttributeError) {
        this.#fail(error.code, error.message, { parameter: error.parameter, value: error.value });
      } else this.#fail("core", strings.text("error.core", { reason: reasonOf(error) }));
    }
  }

  /** The numbers of a model. Throws what the core says, and then keeps the old ones. */
  #compute(model: LoomState["model"]): readonly StageDescription[] {
    this.#changes = this.#computation.compute(model, decimalMark(this.#strings.language));
    return this.#stages;
  }

  /** Without questions about cells that are gone. */
  #settled(state: LoomState): LoomState {
    return settleAsked(state, (cell) => this.#computation.numbers?.isCell(cell) ?? false);
  }

  /** Goes to the state of a link, and returns what has to be said of it. Where it cannot be used, the state stays. */
  #followLink(link: string, refusal: "link.refused" | "link.notFollowed"): string {
    const strings = this.#strings;
    const kept = this.#state;
    this.#notice = "";
    try {
      const { state, unknown } = readLink(link, EXAMPLES);
      this.#compute(state.model);
      this.#state = this.#settled(settle(state, this.#stages));
      const { stage } = state.cursor;
      const isKnown = stage === "" || this.#stages.some(({ name }) => name === stage);
      const names = isKnown ? unknown : [stage, ...unknown];
      if (names.length > 0) this.#notice = strings.text("link.unknown", { names: names.join(", ") });
    } catch (error) {
      if (kept) this.#compute(kept.model);
      this.#notice = strings.text(refusal, { reason: reasonOf(error) });
    }
    // Nothing was edited here: no cell is marked as changed.
    this.#changes = undefined;
    return this.#notice;
  }

  /** The page's address says another state than the one on view. */
  #onPageLink(link: string): void {
    const before = this.#state;
    if (!before || !this.#computation.numbers) return;
    this.#player.stop();
    this.#trouble = undefined;
    const notice = this.#followLink(link, "link.notFollowed");
    const { model } = this.#state ?? before;
    if (JSON.stringify(model) !== JSON.stringify(before.model))
      this.#tell("loom-change", { reason: "link", model: structuredClone(model) });
    this.#tellStep(before.cursor);
    if (notice) this.#speech.say(notice);
    this.requestUpdate();
  }

  /** The state as a short text, for `state-link` or an address; nothing before there is one, or where it is too large. */
  get link(): string | undefined {
    if (!this.#state) return undefined;
    try {
      return writeLink(this.#state, EXAMPLES);
    } catch {
      return undefined;
    }
  }

  /** The state as plain JSON: cursor, words, numbers, what undo remembers. */
  get state(): LoomState | undefined {
    return this.#state;
  }

  /** Does one action of the reducer, as the controls do. Returns false where it was refused or changes nothing. */
  act(action: Action): boolean {
    const state = this.#state;
    if (!state || !this.#computation.numbers) return false;
    if (action.type === "ask" && !this.#computation.numbers.isCell(action)) return false;
    if (this.#trouble?.canPass) {
      this.#trouble = undefined;
      this.requestUpdate();
    }
    const order = this.#stages.map(({ name }) => name);
    const next = reduce(state, action, this.#stages);
    if (next === state) return false;
    const isEdit = next.model !== state.model;
    if (isEdit) {
      try {
        this.#compute(next.model);
      } catch (error) {
        this.#speech.say(this.#strings.text("edit.failed", { reason: reasonOf(error) }));
        return false;
      }
    } else this.#changes = undefined;
    const settled = settle(next, this.#stages, order);
    this.#state = this.#settled(settled);
    if (isEdit) {
      this.#tell("loom-change", { reason: action.type, model: structuredClone(next.model) });
      this.#speech.say(this.#editText(action, state.model));
    }
    this.#tellStep(state.cursor, isEdit);
    this.#pageLink.changed();
    if (!isEdit && this.#state.asked !== state.asked) this.#asking.tell();
    this.requestUpdate();
    return true;
  }

  /** What the reader does: where it moves the cursor, the cell that is made now comes into view. */
  #actOfReader(action: Action): boolean {
    const before = this.#state;
    const isDone = this.act(action);
    const isMove = isDone && this.#state?.model === before?.model && this.#state?.cursor !== before?.cursor;
    if (isMove && !this.#player.isPlaying) this.#room.showCurrent();
    return isDone;
  }

  #editText(action: Action, before: LoomState["model"]): string {
    const strings = this.#strings;
    if (action.type === "mask" || (action.type === "model" && sameWords(action.model, before))) {
      const { data } = allowOf(this.#state?.model ?? before);
      return strings.text("edit.mask", { n: data.filter((open) => open === 0).length });
    }
    if (action.type !== "bothWords") return editText(strings, action, before, this.#computation.numbers?.mark);
    const { q, kv } = action;
    if (q.length === 0 || kv.length === 0) return strings.text("noTokens");
    const n = countNewWords(before, "q", q) + (isSelf(before) ? 0 : countNewWords(before, "kv", kv));
    return strings.text("edit.newWords", { n });
  }

  /** Tells that the cursor has moved, if it has; after an edit the edit is what is said. */
  #tellStep(from: Cursor, isEdit = false): void {
    const scene = this.#scene();
    if (!scene || JSON.stringify(scene.cursor) === JSON.stringify(from)) return;
    const { cursor, strings } = scene;
    const frames = countFrames(this.#stages, cursor.level);
    const frame = frameIndex(cursor, this.#stages);
    const sentence = sentenceText(scene);
    this.#focus.follow(cursor);
    this.#paging.follow(scene.numbers, cursor);
    this.#tell("loom-step", { ...cursor, frame, frames, sentence });
    if (isEdit) return;
    if (!this.#player.isPlaying)
      this.#speech.say(frame === frames - 1 ? `${sentence} ${strings.text("end")}` : sentence);
    else if (this.#speech.silence >= PLAY_SAYS_EVERY) this.#speech.say(placeText(scene));
  }

  #scene(): Scene | undefined {
    const state = this.#state;
    const { numbers } = this.#computation;
    if (!state || !numbers) return undefined;
    const { model, cursor } = state;
    const highlight = highlightIn(this.highlight, numbers, model);
    const asked = this.#asking.lit(numbers);
    return {
      numbers,
      cursor,
      tokensQ: model.tokensQ,
      tokensKv: model.tokensKv,
      strings: this.#strings,
      self: isSelf(model),
      softCap: model.options.softCap,
      was: this.#since.was(state, numbers.mark),
      editable: new Set(Object.keys(model.matrices).map((name) => traceName(name as InputName))),
      compact: this.#room.isNarrow,
      pages: this.#paging.pages,
      ...(this.#changes && { changed: this.#changes }),
      ...(highlight && { highlight }),
      ...(asked && { asked }),
    };
  }

  protected override willUpdate(changed: PropertyValues): void {
    for (const name of changed.keys()) if (name !== "highlight") this.#unread.add(name);
    const areNumbersGone = this.#state !== undefined && !this.#computation.numbers && this.#trouble === undefined;
    if (this.#unread.size > 0 || areNumbersGone) this.#begin();
  }

  protected override update(changed: PropertyValues): void {
    super.update(changed);
    // Before the controllers measure: what is changed after that is laid out a second time.
    settleSlider(this.renderRoot, this.#desk);
  }

  protected override render(): TemplateResult {
    let widget: TemplateResult | undefined;
    try {
      const scene = this.#trouble === undefined ? this.#scene() : undefined;
      widget = scene && this.#widget(scene);
    } catch (error) {
      // A fault stays in this element: its message instead of the figure.
      this.#fail("core", this.#strings.text("error.core", { reason: reasonOf(error) }), {}, true);
    }
    if (widget) return html`${widget}${this.#speech.region}`;
    const trouble = this.#trouble === undefined ? nothing : html`<p class="trouble">${this.#trouble.text}</p>`;
    return html`${trouble}${this.#trouble?.canPass ? this.#wayOut() : nothing}<slot></slot>${this.#speech.region}`;
  }

  /** Beside a message that an action may take away: undo and reset, and with them the coarsest level. */
  #wayOut(): TemplateResult {
    const strings = this.#strings;
    const onClick = (event: Event) => {
      const button = (event.target as Element).closest<HTMLElement>("button");
      if (!button || button.getAttribute("aria-disabled") === "true") return;
      if (button.dataset.act === "reset") this.act({ type: "level", level: "stage" });
      this.act({ type: button.dataset.act as "undo" | "reset" });
    };
    return html`<div class="recover" @click=${onClick}>${pushButton(strings, "undo", !this.#state?.past.length)}
      ${pushButton(strings, "reset", false)}</div>`;
  }

  #widget(scene: Scene): TemplateResult | undefined {
    const { strings, cursor } = scene;
    const picture = pictureOf(scene);
    const checks = this.#computation.checks();
    const { isEditing } = this.#reader;
    const isEmpty = scene.tokensQ.length === 0 || scene.tokensKv.length === 0;
    const isSaidTwice = isEmpty && sentenceText(scene) === strings.text("noTokens");
    const { isOpen } = this.#asking;
    return html`<section class="widget${isEditing ? " editing-on" : ""}${isOpen ? " asking-on" : ""}" aria-label=${strings.text("title")}
        @click=${this.#reader.onClick} @dblclick=${this.#reader.onDoubleClick} @keydown=${this.#reader.onKey}
        @focusin=${this.#focus.onFocusIn} @focusout=${this.#editor.onFocusOut}>
      ${this.#notice ? html`<p class="band notice">${this.#notice}</p>` : nothing}
      <div class="band map-band">${stageMap(scene, this.#focus.mapStop ?? cursor.stage)}</div>
      <div class="band picture">
        ${headSwitch(this.#desk, scene)}
        ${this.#paging.controls(pagedSides(picture.matrices))}
        <div class="scroll" role="group" aria-label=${strings.text("figure.label")}>
          ${isEmpty ? html`<p class="sentence">${strings.text("noTokens")}</p>` : cornerFigure(picture, strings, this.#figureUse(picture))}
        </div>
        ${this.#overview.render(scene, picture.matrices.at(-1))}
        ${workStrip(scene)}
        ${this.#since.legend(scene.was)}
      </div>
      ${this.#asking.panel(scene)}
      <p class="band sentence"><span>${isSaidTwice ? nothing : message(sentenceOf(scene))}</span></p>
      ${mathsBand(scene, this.#state?.code ?? CODE_LANGUAGES[0])}
      ${isEditing ? editPanel(this.#desk, this.#mask, this.#paging, this.#tableUse) : nothing}
      ${checks ? controlBar(this.#desk, this.#player, checks, { isEditing, hasLink: this.#pageLink.isOn }, this.#asking) : nothing}
      <div class="ruler" aria-hidden="true"></div>
    </section>`;
  }

  #figureUse(picture: Picture): FigureUse {
    return Object.fromEntries(
      picture.matrices.map(({ slot, down, across }) => [slot, this.#tableUse(slot, down, across)]),
    );
  }

  readonly #tableUse = (table: string, down: Span, across: Span): TableUse => ({
    focus: this.#focus.of(table, down, across),
    editing: this.#editor.of(table),
  });
}
