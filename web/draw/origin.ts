// Where a number comes from and what it feeds, as plain data: every number and operand is what the core's trace says.

import type { CellRef, Operation, Origin, OriginTerm } from "../core/types.ts";
import type { MessageKey, MessageParams, MessagePart } from "../strings/index.ts";
import { axisWord, type CellWords, cellWords } from "./cell-words.ts";
import { nameOf, parameterSymbol } from "./names.ts";
import { formatAlone } from "./number.ts";
import type { Numbers } from "./numbers.ts";
import { partialTexts, type Scene, sceneScale } from "./scene.ts";
import { productText } from "./sentence.ts";
import { cellIn, flatIndex, usualKinds } from "./shape.ts";
import { sharesOf } from "./shares.ts";
import { type Role, roleOf } from "./tokens.ts";
import { isHidden, isShareless } from "./view.ts";

/** One product, summand or candidate. */
export interface TermPicture {
  /** Counted from 0. */
  readonly term: number;
  /** What the term is called: the word of a key, or the number of a feature. */
  readonly label: string;
  readonly operands: readonly CellWords[];
  /** What it contributes. */
  readonly value: string;
  /** The running result after it. */
  readonly partial: string;
  /** The key is blocked: it changes nothing. */
  readonly leftOut: boolean;
  /** It is the largest, which a maximum takes. */
  readonly decides: boolean;
}

/** A column of operands: the stage or input, and the part of the place that is the same in all of them. */
export interface OperandColumn {
  readonly stage: string;
  readonly role: Role;
  readonly name: string;
  readonly place: string;
}

/** Where a number comes from. */
export interface OriginPicture {
  readonly about: "origin";
  readonly cell: CellWords;
  readonly operation: Operation;
  /** The operation in words. */
  readonly how: readonly MessagePart[];
  readonly columns: readonly OperandColumn[];
  /** The terms that are shown: all, or of a long list the first, the last, and the one that decides. */
  readonly terms: readonly TermPicture[];
  /** How many there are. */
  readonly count: number;
  /** Each term adds something else than its operand. */
  readonly hasProducts: boolean;
  /**
   * Where there is one term and no sum: what is written between its operands; a number stands for the operand of that
   * place. Then `terms` holds this one.
   */
  readonly expression?: readonly (string | number)[];
}

/** The cells of one stage that a number goes into. */
export interface FeedGroup {
  readonly stage: string;
  readonly role: Role;
  readonly name: string;
  /** Those that are shown: all, or the first of a long list. */
  readonly cells: readonly CellWords[];
  readonly count: number;
}

/** What a number feeds. */
export interface FeedsPicture {
  readonly about: "feeds";
  readonly cell: CellWords;
  readonly how: readonly MessagePart[];
  readonly groups: readonly FeedGroup[];
}

/** Longer lists of terms are cut, unless all are asked for. */
export const MOST_TERMS = 8;
/** The same for the cells of one stage that a number feeds. */
export const MOST_FED = 12;

/** What a reader asks about a cell. */
export interface Question extends CellRef {
  readonly about: "origin" | "feeds";
  readonly whole?: boolean;
}

/** Operations whose terms are a list with a running result. */
const lists: ReadonlySet<Operation> = new Set(["dot", "max", "sum", "mean", "variance", "meanSquare", "rotate"]);

/** The answer as plain data. The cell has to be one of the scene's numbers. */
export const answerTo = (scene: Scene, question: Question): OriginPicture | FeedsPicture =>
  question.about === "origin" ? originPicture(scene, question) : feedsPicture(scene, question);

/** The answer as one plain sentence. */
export function answerText({ strings }: Scene, { cell, how }: OriginPicture | FeedsPicture): string {
  return strings.text("asked.said", { cell: cell.spoken, how: how.map((part) => part.text).join("") });
}

function originPicture(scene: Scene, question: Question): OriginPicture {
  const origin = scene.numbers.trace.origin(question.stage, question.index);
  const { operation, terms } = origin;
  const isList = lists.has(operation);
  const shown = shownTerms(origin, question.whole ?? false);
  const partials = isList ? partialTexts(scene, origin) : [];
  const decisive = decisiveTerm(origin);
  const label = labeller(scene, question.stage);
  return {
    about: "origin",
    cell: cellWords(scene, question),
    operation,
    how: howParts(scene, origin),
    columns: isList ? columnsOf(scene, origin) : [],
    count: terms.length,
    hasProducts: operation !== "max" && operation !== "sum",
    ...(!isList && terms.length > 0 && { expression: expressionOf(scene, origin) }),
    terms: shown.map((term) => {
      const { operands, value, leftOut } = terms[term] as OriginTerm;
      return {
        term,
        label: label(term, operands),
        operands: operands.map((operand) => cellWords(scene, operand)),
        value: isList ? productText(scene, origin, value) : "",
        partial: partials[term] ?? "",
        leftOut,
        decides: term === decisive,
      };
    }),
  };
}

/** The first of the largest that a maximum takes; −1 where there is none. */
function decisiveTerm({ operation, terms, value }: Origin): number {
  return operation === "max" ? terms.findIndex((term) => !term.leftOut && term.value === value) : -1;
}

/** A list that is one longer than the limit is not cut: a line would stand for the line that it saves. */
function shownTerms(origin: Origin, isWhole: boolean): number[] {
  const count = origin.terms.length;
  const all = Array.from({ length: count }, (_, term) => term);
  if (isWhole || count <= MOST_TERMS + 1) return all;
  const decisive = decisiveTerm(origin);
  return all.filter((term) => term < MOST_TERMS - 2 || term === count - 1 || term === decisive);
}

/** How the terms of a stage are called. A term beyond the list, such as a bias, has the name of its operand. */
function labeller(scene: Scene, stage: string): (term: number, operands: readonly CellRef[]) => string {
  const { description } = scene.numbers.of(stage);
  const first = description.operands[0];
  const axes = first?.axes ?? [];
  const axis = axes.indexOf("term") === axes.length - 1 ? "column" : "row";
  const [row, column] = usualKinds(first?.stage ?? "");
  const isWord = axes.includes("term") && (axis === "row" ? row : column) !== "f";
  return (term, operands) => {
    if (term >= description.terms) return operands[0] ? nameOf(scene.strings, operands[0].stage, scene.self) : "÷";
    return isWord ? axisWord(scene, first?.stage ?? "", axis, term) : String(term + 1);
  };
}

function columnsOf(scene: Scene, { stage, terms }: Origin): OperandColumn[] {
  const { description } = scene.numbers.of(stage);
  const listed = terms.slice(0, description.terms);
  return (listed[0]?.operands ?? []).map((operand, which) => {
    const { name, role } = cellWords(scene, operand);
    const places = listed.flatMap((term) => {
      const cell = term.operands[which];
      return cell ? [cellIn(scene.numbers.of(cell.stage).description, cell.index)] : [];
    });
    const [first] = places;
    const fixed = (["row", "column"] as const).filter(
      (axis) =>
        operand.index.length > 1 &&
        scene.numbers.of(operand.stage).description.shape.length > (axis === "row" ? 0 : 1) &&
        places.every((place) => place[axis] === first?.[axis]),
    );
    return {
      stage: operand.stage,
      role,
      name,
      place: fixed.map((axis) => axisWord(scene, operand.stage, axis, first?.[axis] ?? 0)).join(", "),
    };
  });
}

/** What stands between the operands of a single term. */
function expressionOf(scene: Scene, origin: Origin): (string | number)[] {
  const { mark } = scene.numbers;
  const [first, second] = origin.terms[0]?.operands ?? [];
  const constant = origin.constant === undefined ? "" : formatAlone(origin.constant, mark);
  const all = (origin.terms[0]?.operands ?? []).map((_, which) => which);
  switch (origin.operation) {
    case "scale":
      return [0, `· ${constant}`];
    case "cap":
      return [`${constant} · tanh(`, 0, `÷ ${constant})`];
    case "shift":
      if (second === undefined) return [0, `÷ ${constant}`];
      if (origin.constant === 0) return [0, first?.value === second?.value ? "=" : "≠", 1];
      return origin.constant === 1 ? [0, "−", 1] : ["(", 0, "−", 1, `) ÷ ${constant}`];
    case "exp":
      return ["exp(", 0, ")"];
    case "divide":
      return [0, "÷", 1];
    case "multiply":
      return [0, "·", 1];
    case "add":
      return [0, "+", 1];
    case "mask":
      // What may be looked at is no summand.
      return all.flatMap((which) =>
        which === 0 ? [0] : [origin.terms[0]?.operands[which]?.stage === "allow" ? "," : "+", which],
      );
    default:
      return all.flatMap((which) => (which === 0 ? [0] : [",", which]));
  }
}

/** The key of the sentence, where it depends on more than the operation. */
function howKey(scene: Scene, origin: Origin): string {
  const { numbers } = scene;
  const { stage, index, operation, terms } = origin;
  const columns = sharesOf(numbers).along === "columns" ? "Columns" : "";
  const [head = 0, row = 0] = index;
  if (stage !== "output" && isShareless(numbers, stage, head, row)) return "nothing";
  switch (operation) {
    case "input":
      return scene.editable?.has(stage) ? "inputEditable" : "input";
    case "dot":
      return terms.length > numbers.of(stage).description.terms ? "dotAdd" : "dot";
    case "scale":
      return sceneScale(scene).width === undefined ? "scale" : "scaleRoot";
    case "shift":
      if ((terms[0]?.operands.length ?? 0) < 2) return "unshifted";
      return (origin.constant === 1 ? "shift" : origin.constant === 0 ? "shiftZero" : "shiftTau") + columns;
    case "max":
    case "sum":
    case "divide":
      return operation + columns;
    case "unmask":
      return isHidden(numbers, head, row, index[2] ?? 0) ? "unmaskBlocked" : "unmask";
    case "mask":
      if ((origin.blockedBy ?? []).length > 0) return "maskBlocked";
      return Object.is(terms[0]?.operands[0]?.value, origin.value) ? "maskOpen" : "maskAdd";
    default:
      return operation;
  }
}

function howParts(scene: Scene, origin: Origin): readonly MessagePart[] {
  const { numbers, strings } = scene;
  const { stage, terms, blockedBy = [] } = origin;
  const { description } = numbers.of(stage);
  const named = (operands: readonly CellRef[] | undefined, which: number) => {
    const operand = operands?.[which];
    return operand ? writtenName(scene, operand.stage) : "";
  };
  const params: MessageParams = {
    n: Math.min(terms.length, description.terms),
    first: named(terms[0]?.operands, 0),
    second: named(terms[0]?.operands, 1),
    last: named(terms.at(-1)?.operands, 0),
    constant: origin.constant === undefined ? "" : formatAlone(origin.constant, numbers.mark),
    width: String(sceneScale(scene).width ?? ""),
    reasons: blockedBy.map((why) => strings.text(`blockedBy.${why}`)).join(", "),
  };
  const key = `origin.${howKey(scene, origin)}`;
  return strings.has(key) ? strings.parts(key, params) : [{ text: origin.operation }];
}

const writtenName = (scene: Scene, stage: string): string =>
  parameterSymbol(stage) ?? nameOf(scene.strings, stage, scene.self);

/** The cells that a number goes into, by stage, in the order of the computation. */
function fedBy(numbers: Numbers, { stage, index }: CellRef): Map<string, CellRef[]> {
  const fed = numbers.trace.feeds(stage, index);
  const names = numbers.trace.stages.filter((name) => fed.some((cell) => cell.stage === name));
  return new Map(names.map((name) => [name, fed.filter((cell) => cell.stage === name)]));
}

function feedsPicture(scene: Scene, question: Question): FeedsPicture {
  const { strings, numbers } = scene;
  const fed = fedBy(numbers, question);
  const groups = [...fed].map(([stage, cells]): FeedGroup => {
    const isWhole = question.whole || cells.length <= MOST_FED + 1;
    return {
      stage,
      role: roleOf(stage),
      name: nameOf(strings, stage, scene.self),
      cells: (isWhole ? cells : cells.slice(0, MOST_FED)).map((cell) => cellWords(scene, cell)),
      count: cells.length,
    };
  });
  const n = groups.reduce((sum, { count }) => sum + count, 0);
  const list = groups.map(({ name, count }) => strings.text("asked.fed", { name, n: count })).join(", ");
  const key: MessageKey = n === 0 ? "feeds.none" : "feeds.some";
  return { about: "feeds", cell: cellWords(scene, question), groups, how: strings.parts(key, { n, list }) };
}

/** The cell that is asked about and the cells of the answer, as places in the flat data, for the figure to light. */
export function askedCells(numbers: Numbers, question: Question): NonNullable<Scene["asked"]> {
  const { stage, index, about } = question;
  const cells: readonly CellRef[] =
    about === "feeds"
      ? numbers.trace.feeds(stage, index)
      : numbers.trace.origin(stage, index).terms.flatMap(({ operands }) => operands);
  const others = new Map<string, Set<number>>();
  for (const cell of cells) {
    const places = others.get(cell.stage) ?? new Set();
    others.set(cell.stage, places.add(flatIndex(numbers.of(cell.stage).description.shape, cell.index)));
  }
  return { stage, at: flatIndex(numbers.of(stage).description.shape, index), others };
}

/** How a cell looks that has to do with what is asked. */
export function askedLook(asked: Scene["asked"], name: string, flat: number): "ask-here" | "ask-other" | undefined {
  if (asked?.stage === name && asked.at === flat) return "ask-here";
  return asked?.others.get(name)?.has(flat) ? "ask-other" : undefined;
}
