// Random sequences of actions over the real core: after each the figure shows what the core computed and what is true,
// undoing all of them comes back to the start bit for bit, and a link leads to the same state from anywhere.

import { render } from "@lit-labs/ssr";
import { collectResultSync } from "@lit-labs/ssr/lib/render-result.js";
import { describe, expect, test } from "vitest";
import type { Trace } from "../../web/core/types.ts";
import { CODE_LANGUAGES } from "../../web/draw/code/languages.ts";
import { Numbers } from "../../web/draw/numbers.ts";
import { pictureOf } from "../../web/draw/picture.ts";
import type { Scene } from "../../web/draw/scene.ts";
import { countRowStates } from "../../web/draw/view.ts";
import { workStrip } from "../../web/draw/work.ts";
import { Computation } from "../../web/elements/computation.ts";
import { exampleModel, exampleNames } from "../../web/elements/examples.ts";
import { mathsBand } from "../../web/elements/maths.ts";
import { traceName } from "../../web/elements/place.ts";
import {
  type Action,
  attendInput,
  type InputName,
  initialState,
  isSelf,
  type LoomState,
  type Model,
  readLink,
  reduce,
  settle,
  settleAsked,
  UNDO_LIMIT,
  writeLink,
} from "../../web/elements/state/index.ts";
import { stringsFor } from "../../web/strings/index.ts";
import { anyAction } from "./support/actions.ts";
import { bitDifference } from "./support/compare.ts";
import { boundsOf } from "./support/float-bound.ts";
import { loom } from "./support/loom.ts";
import { type Random, random } from "./support/random.ts";
import { checkShown } from "./support/shown.ts";
import { cases } from "./support/size.ts";

const SEED = Number(process.env.LOOM_SEED ?? 20265);
const SEQUENCES = cases(10, 200);
const ACTIONS = 500;
const LINKS = 20;

const examples = { names: exampleNames, model: exampleModel };
const strings = stringsFor("en");

/** What a sequence has seen, so that a test that sees nothing is noticed. */
interface Seen {
  texts: number;
  edits: number;
  refused: number;
  compared: number;
  /** Computations that left the range of float32, where no bound holds. */
  beyond: number;
  /** Of the compared, those whose bound says something: less than a hundredth of the largest number. */
  tight: number;
}

/** Without questions about cells that are gone. */
const settledIn = (state: LoomState, numbers: Numbers): LoomState => settleAsked(state, (cell) => numbers.isCell(cell));

/** The figure without its page: what the element does with an action. */
class Figure {
  readonly #computation = new Computation();
  readonly #mark: string;
  #state: LoomState;
  #changed: Scene["changed"];

  private constructor(model: Model, mark: string) {
    this.#mark = mark;
    this.#state = initialState(model, { level: "stage", stage: "queries" });
  }

  static async of(model: Model, mark: string): Promise<Figure> {
    const figure = new Figure(model, mark);
    await figure.#computation.load(async () => loom);
    figure.#compute(model);
    return figure;
  }

  get state(): LoomState {
    return this.#state;
  }

  get numbers(): Numbers {
    const { numbers } = this.#computation;
    if (!numbers) throw new Error("no numbers");
    return numbers;
  }

  get trace(): Trace {
    return this.numbers.trace as Trace;
  }

  #compute(model: Model): void {
    this.#changed = this.#computation.compute(model, this.#mark);
  }

  /** "edit", "move", "refused" or "same". */
  act(action: Action): string {
    const { stages } = this.numbers;
    const order = stages.map(({ name }) => name);
    if (action.type === "ask" && !this.numbers.isCell(action)) return "same";
    const next = reduce(this.#state, action, stages);
    if (next === this.#state) return "same";
    if (next.model === this.#state.model) {
      this.#changed = undefined;
      this.#state = settledIn(settle(next, stages, order), this.numbers);
      return "move";
    }
    try {
      this.#compute(next.model);
    } catch {
      return "refused";
    }
    this.#state = settledIn(settle(next, this.numbers.stages, order), this.numbers);
    return "edit";
  }

  scene(compact: boolean): Scene {
    return sceneOf(this.#state, this.numbers, compact, this.#changed);
  }
}

function sceneOf({ model, cursor }: LoomState, numbers: Numbers, compact: boolean, changed?: Scene["changed"]): Scene {
  return {
    numbers,
    cursor,
    tokensQ: model.tokensQ,
    tokensKv: model.tokensKv,
    strings,
    self: isSelf(model),
    softCap: model.options.softCap,
    editable: new Set(Object.keys(model.matrices).map((name) => traceName(name as InputName))),
    compact,
    ...(changed && { changed }),
  };
}

/** Every stage against the double-precision twin; from where a number leaves the range on there is no bound. */
function compareWithTwin(model: Model, trace: Trace, seen: Seen): void {
  const twin = loom.reference(attendInput(model));
  const bounds = boundsOf(model, trace, twin);
  expect([...trace.stages]).toEqual([...twin.stages]);
  let isTight = true;
  for (const stage of trace.stages) {
    const { data } = trace.stage(stage);
    const want = twin.stage(stage).data;
    const { absolute, relative } = bounds.get(stage) ?? { absolute: Number.NaN, relative: 0 };
    // At temperature 0 the least difference between two scores decides.
    if (stage === "shifted" && trace.temperature === 0 && data.some((value, i) => value !== want[i])) break;
    for (let i = 0; i < want.length; i++) {
      const [got, wanted] = [data[i] as number, want[i] as number];
      if (Object.is(got, wanted) || got === wanted) continue;
      // Without the shift a whole row may also fall to 0. The core says so.
      const isBelow = model.options.shift === false && countRowStates(new Numbers(trace)).notFinite > 0;
      if (!Number.isFinite(got) || !Number.isFinite(wanted) || isBelow) {
        seen.beyond++;
        return;
      }
      if (!(Math.abs(got - wanted) <= absolute + relative * Math.abs(wanted)))
        throw new Error(
          `${stage}: number ${i} is ${got}, the twin has ${wanted}, bound ${absolute} and ${relative} of it`,
        );
    }
    isTight &&= absolute <= 0.01 * data.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  }
  seen.compared++;
  if (isTight) seen.tight++;
}

/** All stages and inputs, bit for bit. */
function expectSameTrace(got: Trace, want: Trace): void {
  expect([...got.stages]).toEqual([...want.stages]);
  for (const name of [...want.inputs, ...want.stages]) {
    const found = bitDifference(got.stage(name).data, want.stage(name).data);
    if (found !== undefined) throw new Error(`${name}: ${found}`);
  }
}

function traceOf(model: Model): Trace {
  const { trace } = loom.attend(attendInput(model));
  if (!trace) throw new Error("no trace");
  return trace;
}

const withoutHistory = ({ isComparing, ...state }: LoomState): LoomState => ({
  ...state,
  ...(isComparing && { isComparing }),
  past: [],
  future: [],
});

/** The link of this state leads to it, and to the same picture. */
function checkLink(figure: Figure, compact: boolean): void {
  const { state } = figure;
  const link = writeLink(state, examples);
  expect(link).toMatch(/^[\w.~=:,%'()!*+-]*$/);
  const { state: back, unknown } = readLink(link, examples);
  expect(unknown).toEqual([]);
  const trace = traceOf(back.model);
  const numbers = new Numbers(trace, figure.numbers.mark);
  const settled = settledIn(settle(back, numbers.stages), numbers);
  expect(settled).toEqual(withoutHistory(state));
  expectSameTrace(trace, figure.trace);
  const picture = pictureOf(sceneOf(settled, numbers, compact));
  expect(picture).toEqual(pictureOf(sceneOf(state, figure.numbers, compact)));
  // What is not in the picture is drawn, too.
  for (const part of [
    workStrip(figure.scene(compact)),
    ...CODE_LANGUAGES.map((language) => mathsBand(figure.scene(compact), language)),
  ])
    expect(collectResultSync(render(part))).not.toMatch(/undefined|\[object/);
}

/** Undoes everything, then does it again: every bit of the start, every bit of the end. */
function checkUndo(figure: Figure, start: Model): void {
  const end = figure.state;
  const [first, last] = [traceOf(start), traceOf(end.model)];
  expect(end.past.length).toBeLessThanOrEqual(UNDO_LIMIT);
  for (let i = end.past.length; i > 0; i--) expect(figure.act({ type: "undo" })).toBe("edit");
  expect(figure.act({ type: "undo" })).toBe("same");
  expect(figure.state.model).toEqual(start);
  expectSameTrace(figure.trace, first);
  for (let i = end.past.length; i > 0; i--) expect(figure.act({ type: "redo" })).toBe("edit");
  expect(figure.state.model).toEqual(end.model);
  expectSameTrace(figure.trace, last);
}

async function run(r: Random, seen: Seen): Promise<void> {
  const start = exampleModel(r.pick(exampleNames)) as Model;
  const figure = await Figure.of(start, r.pick([".", ","]));
  const points = new Set(Array.from({ length: LINKS }, () => r.whole(1, ACTIONS)));
  const latest: string[] = [];
  for (let i = 1; i <= ACTIONS; i++) {
    const action = anyAction(r, figure.state.model, figure.numbers.stages);
    const compact = r.chance(0.2);
    latest.push(JSON.stringify(action));
    try {
      const done = figure.act(action);
      if (done === "refused") seen.refused++;
      if (done === "edit") {
        seen.edits++;
        compareWithTwin(figure.state.model, figure.trace, seen);
      }
      // Sides that are too long for one page, at places that nobody has asked for.
      const pages = new Map(["q", "kv", "f:term"].filter(() => r.chance(0.3)).map((key) => [key, r.whole(0, 600)]));
      seen.texts += checkShown({ ...figure.scene(compact), pages }, figure.state.model, figure.trace);
      if (points.has(i)) checkLink(figure, compact);
    } catch (error) {
      const { model, cursor } = figure.state;
      const last = latest.slice(-3).join("\n");
      throw new Error(`action ${i} of seed ${r.seed}\n${last}\n${JSON.stringify({ cursor, model })}`, { cause: error });
    }
  }
  checkUndo(figure, start);
}

describe(`sequences of ${ACTIONS} actions`, () => {
  const total: Seen = { texts: 0, edits: 0, refused: 0, compared: 0, beyond: 0, tight: 0 };

  test.each(Array.from({ length: SEQUENCES }, (_, i) => SEED + i))("seed %i: what is shown is so", async (seed) => {
    const seen: Seen = { texts: 0, edits: 0, refused: 0, compared: 0, beyond: 0, tight: 0 };
    await run(random(seed), seen);
    for (const name of Object.keys(seen) as (keyof Seen)[]) total[name] += seen[name];
  });

  test("there was something to see", () => {
    console.log(`${SEQUENCES} sequences from seed ${SEED}: ${JSON.stringify(total)}`);
    expect(total.texts).toBeGreaterThan(SEQUENCES * ACTIONS * 10);
    expect(total.edits).toBeGreaterThan(SEQUENCES * 100);
    expect(total.refused).toBeGreaterThan(0);
    expect(total.tight).toBeGreaterThan(total.edits / 2);
    expect(total.beyond).toBeLessThan(total.edits / 4);
  });
});
