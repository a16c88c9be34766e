// One plain sentence per frame. A stage says why; a row, a cell and a multiply-add say the numbers.

import type { Origin } from "../core/types.ts";
import type { MessageKey, MessageParams, MessagePart } from "../strings/index.ts";
import { shownWord, symbolOf } from "./names.ts";
import { formatAlone, formatFor, formatNumber } from "./number.ts";
import { originOf, partialTexts, type Scene, sceneScale, titleOf } from "./scene.ts";
import { axisKinds, hasAddend, indexIn, isPerKey, stepsOf, usualKinds } from "./shape.ts";
import { sharesOf } from "./shares.ts";
import { countRowStates, isHidden, isShareless, rowStateOf } from "./view.ts";

const MOST_IN_SENTENCE = 8;
/** Stands in a message where other pieces go in, which have roles of their own. */
const PLACE = "\u0000";
/** Stages whose −∞ says that the key is blocked. */
export const hides: ReadonlySet<string> = new Set(["masked", "shifted"]);

/** The sentence of the scene's frame, in pieces. */
export function sentenceOf(scene: Scene): readonly MessagePart[] {
  const { numbers, cursor, strings } = scene;
  const { grid } = numbers.of(cursor.stage);
  const isEmpty = grid.heads * grid.rows * grid.columns === 0;
  if (isEmpty && (scene.tokensQ.length === 0 || scene.tokensKv.length === 0)) return strings.parts("noTokens");
  if (cursor.level === "stage") return stageSentence(scene);
  if (isEmpty) return stageSentence(scene);
  if (isShareless(numbers, cursor.stage, cursor.head, cursor.row)) {
    return strings.parts("row.empty", { row: placeWords(scene).row });
  }
  if (cursor.level === "row") return rowSentence(scene);
  return cursor.level === "term" && stepsOf(numbers.of(cursor.stage).description) > 1
    ? termSentence(scene)
    : cellSentence(scene);
}

/** The same as plain text, as it is read aloud. */
export const sentenceText = (scene: Scene): string =>
  sentenceOf(scene)
    .map(({ text }) => text)
    .join("");

/** The message with the pieces in the place that it names. */
const inserted = (message: readonly MessagePart[], pieces: readonly MessagePart[]): readonly MessagePart[] =>
  message.flatMap((part): readonly MessagePart[] => {
    const [before, ...after] = part.text.split(PLACE);
    if (after.length === 0) return [part];
    return [{ ...part, text: before ?? "" }, ...pieces, { ...part, text: after.join("") }];
  });

function parts(scene: Scene, key: string, params: MessageParams = {}): readonly MessagePart[] {
  const { strings } = scene;
  return strings.has(key) ? strings.parts(key, params) : [{ text: titleOf(scene, scene.cursor.stage) }];
}

/** Why the stage is there; where a bias is added, that as well. */
function stageSentence(scene: Scene): readonly MessagePart[] {
  const why = whySentence(scene);
  const bias = biasSymbol(scene);
  if (bias === "") return why;
  return inserted(scene.strings.parts("why.bias", { why: PLACE, bias }), why);
}

/** The symbol of the bias that the stage adds; empty where it adds none. */
function biasSymbol(scene: Scene): string {
  const { description } = scene.numbers.of(scene.cursor.stage);
  return hasAddend(description) ? symbolOf(description.operands.at(-1)?.stage ?? "", sceneScale(scene)) : "";
}

function whySentence(scene: Scene): readonly MessagePart[] {
  const { stage } = scene.cursor;
  const { trace, mark } = scene.numbers;
  const variant = variantOf(scene);
  const own = `why.${stage}${variant}`;
  if (variant !== "" && scene.strings.has(own)) return parts(scene, own, { n: formatAlone(trace.temperature, mark) });
  if (stage === "scaled") {
    const { width } = sceneScale(scene);
    return width
      ? parts(scene, "why.scaled", { n: String(width) })
      : parts(scene, "why.scaledBy", { n: formatAlone(trace.scale, mark) });
  }
  if (stage === "capped") return parts(scene, "why.capped", { n: constantText(scene) });
  if (stage === "shifted" && trace.temperature !== 1) {
    return parts(scene, tauKey("why", trace.temperature), { n: formatAlone(trace.temperature, mark) });
  }
  if (stage === "weights") {
    const { empty, notFinite } = countRowStates(scene.numbers);
    if (empty + notFinite > 0) return parts(scene, "why.weightsSome");
  }
  return parts(scene, `why.${stage}`);
}

/** What the keys of a stage end with where a step of the softmax is taken out. */
function variantOf({ numbers, cursor: { stage } }: Scene): string {
  const { along, shift } = sharesOf(numbers);
  if (stage === "output") return along === "rows" ? "" : "NoShares";
  if (along === "none") return stage === "weights" ? "None" : "";
  // Without the shift it is the exponential that is not what it was.
  if (!shift && (stage === "exp" || stage === "shifted")) return "Unshifted";
  return along === "columns" ? "Columns" : "";
}

const tauKey = (level: string, temperature: number) => `${level}.shifted${temperature === 0 ? "Zero" : "Tau"}`;

/** What the row and the column of the cell are called. */
function placeWords({ cursor, numbers, strings, tokensQ, tokensKv }: Scene): {
  row: string;
  key: string;
  column: string;
} {
  const [row, column] = axisKinds(numbers.of(cursor.stage).description);
  const word = (kind: string, i: number) => {
    const list = kind === "q" ? tokensQ : tokensKv;
    if (kind === "f") return String(i + 1);
    const shown = shownWord(list[i] ?? String(i + 1));
    // A word of signs alone would look like the sentence's own.
    return /^[\p{L}\p{N}]/u.test(shown) ? shown : strings.text("word.quoted", { word: shown });
  };
  return { row: word(row, cursor.row), key: word(column, cursor.column), column: String(cursor.column + 1) };
}

const isProjection = (stage: string) => stage === "queries" || stage === "keys" || stage === "values";

const projectKey = (level: string, stage: string) => `${level}.project${usualKinds(stage)[0] === "q" ? "Q" : "Kv"}`;

function rowSentence(scene: Scene): readonly MessagePart[] {
  const { numbers, cursor, strings } = scene;
  const { stage, head, row } = cursor;
  const { grid, description, format } = numbers.of(stage);
  const values = Array.from({ length: Math.min(grid.columns, MOST_IN_SENTENCE) }, (_, column) => {
    const value = numbers.value(stage, indexIn(description, head, row, column));
    const isBlocked = hides.has(stage) && isHidden(numbers, head, row, column);
    return isBlocked ? strings.text("blocked") : formatNumber(value, format);
  });
  if (grid.columns > MOST_IN_SENTENCE) values.push(strings.text("more"));
  const params: MessageParams = {
    row: placeWords(scene).row,
    stage: titleOf(scene, stage),
    matrix: symbolOf(description.operands[1]?.stage ?? "", sceneScale(scene)),
    bias: biasSymbol(scene),
    count: String(grid.columns),
    values: values.join(", "),
    n: constantText(scene),
  };
  return parts(scene, rowKey(scene), params);
}

function rowKey(scene: Scene): string {
  const { numbers, strings, cursor } = scene;
  const { stage, head, row } = cursor;
  const { temperature } = numbers.trace;
  const bias = hasAddend(numbers.of(stage).description) ? "Bias" : "";
  if (isProjection(stage)) return projectKey("row", stage) + bias;
  if (stage === "projected") return `row.projected${bias}`;
  if (stage === "weights" && rowStateOf(numbers, head, row) === "notFinite") return "row.weightsNotFinite";
  const key = stage === "shifted" && temperature !== 1 ? tauKey("row", temperature) : `row.${stage}`;
  const own = key.replace(stage, stage + variantOf(scene));
  return strings.has(own) ? own : key;
}

/** The constant of the stage: the temperature of `shifted`, the cap of `capped`, else the factor. */
function constantText({ numbers, cursor, softCap = 0 }: Scene): string {
  const { temperature, scale } = numbers.trace;
  return formatAlone(
    cursor.stage === "shifted" ? temperature : cursor.stage === "capped" ? softCap : scale,
    numbers.mark,
  );
}

function operandText(scene: Scene, origin: Origin, which: number): string {
  const operand = origin.terms[0]?.operands[which];
  return operand ? scene.numbers.text(operand.stage, operand.index) : "";
}

function cellSentence(scene: Scene): readonly MessagePart[] {
  const { numbers, cursor, strings } = scene;
  const { stage } = cursor;
  const origin = originOf(scene);
  const { format } = numbers.of(stage);
  const { temperature } = numbers.trace;
  const place = placeWords(scene);
  const params: Record<string, string> = {
    ...place,
    stage: titleOf(scene, stage),
    value: formatNumber(origin.value, format),
    operand: operandText(scene, origin, 0),
    other: operandText(scene, origin, 1),
    n: constantText(scene),
    width: String(sceneScale(scene).width ?? ""),
    sum: sumText(scene, origin),
    verdict: "",
    ...(stage === "concat" && headWords(origin)),
  };
  if (stage === "scores") {
    const verdict = origin.value > 0 ? "verdict.positive" : origin.value < 0 ? "verdict.negative" : "verdict.zero";
    if (!Number.isNaN(origin.value)) params.verdict = strings.text(verdict);
  }
  const isBlocked = hides.has(stage) && isHidden(numbers, cursor.head, cursor.row, cursor.column);
  const key = isBlocked ? "cell.maskedBlocked" : cellKey(stage, origin, temperature, sceneScale(scene).width);
  const variant = variantOf(scene);
  const own = `cell.${stage}${variant}`;
  if (origin.operation === "unmask" && isHidden(numbers, cursor.head, cursor.row, cursor.column))
    return parts(scene, "cell.weightsNoneBlocked", params);
  return parts(scene, !isBlocked && variant !== "" && strings.has(own) ? own : key, params);
}

/** Which number of which head it is. */
function headWords({ terms }: Origin): Record<string, string> {
  const [head = 0, , column = 0] = terms[0]?.operands[0]?.index ?? [];
  return { operandHead: String(head + 1), operandColumn: String(column + 1) };
}

function cellKey(stage: string, origin: Origin, temperature: number, width: number | undefined): string {
  if (isProjection(stage)) return projectKey("cell", stage);
  if (stage === "scaled" && width) return "cell.scaledRoot";
  if (stage === "shifted" && temperature !== 1) return tauKey("cell", temperature);
  if (stage !== "masked") return `cell.${stage}`;
  return Object.is(origin.terms[0]?.operands[0]?.value, origin.value) ? "cell.maskedOpen" : "cell.maskedAdd";
}

/** A number behind a sign of arithmetic: a negative one stands in brackets. */
export const afterSign = (text: string) => (text.startsWith("−") ? `(${text})` : text);

/** "−1·1 + 0·2 + 2·(−1)", with the operands as they are written in their matrices. */
function sumText(scene: Scene, origin: Origin): string {
  const { strings } = scene;
  if (origin.operation !== "dot") return "";
  const terms = origin.terms.filter(({ leftOut }) => !leftOut);
  if (terms.length === 0) return strings.text("emptySum");
  const texts = terms.slice(0, MOST_IN_SENTENCE).map(({ operands }, term) =>
    operands
      .map(({ stage, index }, i) => {
        const text = scene.numbers.text(stage, index);
        return term + i > 0 ? afterSign(text) : text;
      })
      .join("·"),
  );
  if (terms.length > MOST_IN_SENTENCE) texts.push(strings.text("more"));
  return texts.join(" + ");
}

function leftOutKey({ operation, terms }: Origin, at: number): "leftOut" | "leftOutMax" | "leftOutMaxFirst" {
  if (operation !== "max") return "leftOut";
  return terms.slice(0, at).every(({ leftOut }) => leftOut) ? "leftOutMaxFirst" : "leftOutMax";
}

/** A product with as many decimals as the running sum beside it. */
export function productText({ numbers }: Scene, origin: Origin, product: number): string {
  const sums = formatFor(
    origin.terms.map(({ partial }) => partial),
    numbers.mark,
  );
  const decimals = Math.max(numbers.of(origin.stage).format.decimals, sums.decimals);
  return formatNumber(product, { decimals, mark: numbers.mark });
}

function termSentence(scene: Scene): readonly MessagePart[] {
  const { numbers, cursor, strings } = scene;
  const origin = originOf(scene);
  const term = origin.terms[cursor.term];
  if (!term) return cellSentence(scene);
  const { description } = numbers.of(cursor.stage);
  const perKey = isPerKey(description);
  const [rowKind, columnKind] = axisKinds(description);
  const place = placeWords(scene);
  const isRow = origin.operation === "max" || origin.operation === "sum";
  const placeKey: MessageKey =
    rowKind === "q" && columnKind === "kv" && !isRow
      ? "term.placeScores"
      : isRow
        ? perKey
          ? "term.placeColumn"
          : "term.placeRow"
        : rowKind === "q"
          ? "term.placeFeatureQ"
          : "term.placeFeatureKv";
  const [left, top] = term.operands.map(({ stage, index }) => numbers.text(stage, index));
  const isBias = origin.operation === "dot" && cursor.term === description.terms;
  const key = term.leftOut
    ? `term.${leftOutKey(origin, cursor.term)}${perKey ? "Columns" : ""}`
    : isBias
      ? "term.bias"
      : `term.${origin.operation}`;
  const said = parts(scene, key, {
    place: PLACE,
    term: String(cursor.term + 1),
    terms: String(origin.terms.length),
    left: left ?? "",
    top: afterSign(top ?? ""),
    product: isRow ? (left ?? "") : productText(scene, origin, term.value),
    partial: partialTexts(scene, origin)[cursor.term] ?? "",
  });
  return inserted(said, strings.parts(placeKey, place));
}
