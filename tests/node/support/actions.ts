// Random actions: one maker for each type there is. An action without one does not compile.

import { CODE_LANGUAGES } from "../../../web/draw/code/languages.ts";
import { exampleModel, exampleNames } from "../../../web/elements/examples.ts";
import {
  type Action,
  type InputName,
  LEVELS,
  type Model,
  type ModelOptions,
  type StageShape,
  type Table,
} from "../../../web/elements/state/index.ts";
import type { Random } from "./random.ts";

type Type = Action["type"];
type Made<T extends Type> = Action & { readonly type: T };
/** How often a type is drawn, and how an action of it is made. */
type Maker<T extends Type> = readonly [
  weight: number,
  make: (r: Random, model: Model, stages: readonly StageShape[]) => Omit<Made<T>, "type">,
];

const INPUTS: readonly InputName[] = ["x", "xKv", "wQ", "wK", "wV", "wO", "bQ", "bK", "bV", "bO", "q", "k", "v"];
const WORDS = ["la", "the", "red", "bank", "a b", "", "~", "=", "&#", "100%", "1,2", "é", "日本", "🙂", "__proto__"];

/** Most of what a reader types, and a little of what nobody should. */
function number(r: Random): number {
  const kind = r.uniform();
  if (kind < 0.4) return r.whole(-3, 3);
  if (kind < 0.75) return Math.fround(r.normal());
  if (kind < 0.9) return r.whole(-99, 99) / 10;
  if (kind < 0.95) return r.normal() * 30;
  return r.pick([-0, 1e-6, 1e-42, -12345.678, 1e20, 1e39, Number.NaN, Number.POSITIVE_INFINITY]);
}

const finite = (r: Random): number => {
  const value = Math.fround(number(r));
  return Number.isFinite(value) ? value : 1;
};

const words = (r: Random, most = 6) => Array.from({ length: r.whole(0, most) }, () => r.pick(WORDS));

function table(r: Random, rows: number, columns: number): Table {
  return { rows, columns, data: Array.from({ length: rows * columns }, () => finite(r)) };
}

/** Shapes that fit most of the time. */
function anyTable(r: Random, model: Model, name: InputName): Table | undefined {
  if (r.chance(0.2)) return undefined;
  const like = model.matrices[name] ?? model.matrices.x ?? model.matrices.q;
  const { rows, columns } = like ?? { rows: 2, columns: 2 };
  const { wV, v } = model.matrices;
  if (name === "wO") return table(r, (wV ?? v)?.columns ?? 1, r.whole(1, 3));
  if (/^b[QKVO]$/.test(name)) {
    const weights = model.matrices[name.replace("b", "w") as InputName];
    return table(r, 1, r.chance(0.9) ? (weights?.columns ?? 2) : r.whole(0, 3));
  }
  return r.chance(0.8) ? table(r, rows, columns) : table(r, r.whole(0, 3), r.whole(0, 3));
}

function mask(r: Random, rows: number, columns: number): Table {
  return { rows, columns, data: Array.from({ length: rows * columns }, () => Number(r.chance(0.7))) };
}

function option(r: Random, model: Model): ModelOptions | Record<keyof ModelOptions, undefined> {
  const name = r.pick(["heads", "scale", "causal", "temperature", "softCap", "softmax", "shift", "allow"] as const);
  const [rows, columns] = [model.tokensQ.length, model.tokensKv.length];
  const values = {
    heads: r.whole(1, 3),
    scale: r.pick([0, 1, -0.3, 0.5, number(r)]),
    causal: r.pick([true, "start", "end"] as const),
    temperature: r.pick([0, 0.5, 2.5, 0.1, -1]),
    softCap: r.pick([2, 0.3, 30, 0, -1]),
    softmax: r.pick(["rows", "columns", "none"] as const),
    shift: r.chance(0.3),
    allow: r.chance(0.8) ? mask(r, rows, columns) : mask(r, 2, 2),
  };
  return { [name]: r.chance(0.3) ? undefined : values[name] } as ModelOptions;
}

/** A computation of any form: tokens that look at themselves or at others, or queries, keys and values. */
function anyModel(r: Random): Model {
  if (r.chance(0.3)) return exampleModel(r.pick(exampleNames)) as Model;
  const form = r.pick(["self", "cross", "given"] as const);
  const tokensQ = Array.from({ length: r.whole(r.chance(0.1) ? 0 : 1, 6) }, () => r.pick(WORDS));
  const tokensKv = form === "self" ? tokensQ : Array.from({ length: r.whole(1, 6) }, () => r.pick(WORDS));
  const [heads, keyWidth, valueWidth, width] = [r.whole(1, 3), r.whole(1, 3), r.whole(1, 3), r.whole(1, 4)];
  const [nQ, nKv, qk, vo] = [tokensQ.length, tokensKv.length, heads * keyWidth, heads * valueWidth];
  const made =
    form === "given"
      ? { q: table(r, nQ, qk), k: table(r, nKv, qk), v: table(r, nKv, vo) }
      : {
          x: table(r, nQ, width),
          ...(form === "cross" && { xKv: table(r, nKv, width) }),
          wQ: table(r, width, qk),
          wK: table(r, width, qk),
          wV: table(r, width, vo),
        };
  return {
    tokensQ,
    tokensKv,
    matrices: {
      ...made,
      ...(r.chance(0.3) && { wO: table(r, vo, 2), ...(r.chance(0.5) && { bO: table(r, 1, 2) }) }),
      ...(form !== "given" && r.chance(0.3) && { bQ: table(r, 1, qk), bV: table(r, 1, vo) }),
    },
    options: {
      ...((heads > 1 || r.chance(0.2)) && { heads }),
      ...(r.chance(0.3) && { softCap: 2 }),
      ...(r.chance(0.3) && { temperature: Math.fround(0.7) }),
      ...(r.chance(0.1) && { softmax: r.pick(["columns", "none"] as const) }),
      ...(r.chance(0.1) && { shift: false }),
      ...(r.chance(0.3) && { causal: "end" as const }),
      ...(r.chance(0.3) && { allow: mask(r, nQ, nKv) }),
    },
  };
}

const nothing = () => ({});
/** A place that is mostly there. */
const place = (r: Random) => r.whole(-1, 6);

const MAKERS: { readonly [T in Type]: Maker<T> } = {
  next: [6, nothing],
  back: [6, nothing],
  first: [1, nothing],
  last: [1, nothing],
  finer: [3, nothing],
  coarser: [2, nothing],
  undo: [4, nothing],
  redo: [3, nothing],
  reset: [1, nothing],
  level: [3, (r) => ({ level: r.pick(LEVELS) })],
  head: [2, (r) => ({ head: r.whole(-1, 3) })],
  frame: [3, (r) => ({ index: r.pick([-1, 0, r.whole(0, 50), r.whole(0, 500), 1e9, Number.NaN]) })],
  jump: [
    8,
    (r, _, stages) => ({
      stage: r.chance(0.95) ? (r.pick(stages)?.name ?? "") : r.pick(["masked", "nowhere", "__proto__"]),
      ...(r.chance(0.5) && { head: r.whole(0, 2) }),
      ...(r.chance(0.8) && { row: place(r), column: place(r) }),
      ...(r.chance(0.5) && { term: place(r) }),
      ...(r.chance(0.5) && { level: r.pick(LEVELS) }),
    }),
  ],
  edit: [
    16,
    (r, { matrices }) => ({
      matrix: r.chance(0.9) ? r.pick(INPUTS.filter((name) => matrices[name])) : r.pick(INPUTS),
      row: place(r),
      column: r.whole(0, 3),
      value: number(r),
    }),
  ],
  word: [3, (r) => ({ side: r.pick(["q", "kv"] as const), position: place(r), word: r.pick(WORDS) })],
  words: [3, (r) => ({ side: r.pick(["q", "kv"] as const), words: words(r) })],
  bothWords: [2, (r) => ({ q: words(r, r.chance(0.05) ? 90 : 6), kv: words(r) })],
  option: [7, (r, model) => ({ change: option(r, model) })],
  matrices: [
    5,
    (r, model) => {
      const names = r.chance(0.8) ? [r.pick(INPUTS)] : [r.pick(INPUTS), r.pick(INPUTS)];
      return { change: Object.fromEntries(names.map((name) => [name, anyTable(r, model, name)])) };
    },
  ],
  compare: [1, nothing],
  code: [1, (r) => ({ language: r.pick(CODE_LANGUAGES) })],
  ask: [
    4,
    (r, _, stages) => {
      const { name, shape } = r.pick(stages) ?? { name: "nowhere", shape: [] };
      const index = shape.map((size) => r.whole(0, r.chance(0.95) ? Math.max(0, size - 1) : size));
      const about = r.pick(["origin", "feeds"] as const);
      return { stage: name, index, about, follow: r.chance(0.6), whole: r.chance(0.2) };
    },
  ],
  askBack: [1, (r) => (r.chance(0.5) ? {} : { to: r.whole(-1, 5) })],
  askClose: [1, nothing],
  mask: [
    5,
    (r, { tokensQ, tokensKv }) => {
      const [row, column] = [() => r.whole(0, tokensQ.length), () => r.whole(0, tokensKv.length)];
      return { area: { rows: [row(), row()], columns: [column(), column()] }, isOpen: r.chance(0.5) };
    },
  ],
  model: [2, (r) => ({ model: anyModel(r) })],
};

const types = (Object.keys(MAKERS) as Type[]).flatMap((type) => new Array<Type>(MAKERS[type][0]).fill(type));

/** A random action; `stages` are those on view. */
export function anyAction(r: Random, model: Model, stages: readonly StageShape[]): Action {
  const type = r.pick(types);
  return { type, ...MAKERS[type][1](r, model, stages) } as Action;
}
