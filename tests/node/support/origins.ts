// An origin checked against the stages, the description and float32 arithmetic, and feeds against all origins.

import type {
  AttendInput,
  CellRef,
  Matrix,
  Origin,
  PartDescription,
  StageDescription,
  Trace,
} from "../../../web/core/types.ts";
import { loom } from "./loom.ts";
import { flatIndex, indices } from "./rows.ts";

export function traced(input: AttendInput): Trace {
  return loom.attend({ ...input, trace: true }).trace;
}

export const name = ({ stage, index }: CellRef) => `${stage}[${index.join(",")}]`;
export const allNames = (trace: Trace) => [...new Set([...trace.inputs, ...trace.stages])];

export function readAll(trace: Trace): Map<string, Matrix> {
  return new Map(allNames(trace).map((stage) => [stage, trace.stage(stage)]));
}

/** What turns: the description of a stage names pairs and partners, the call says which they are. */
type Turning = { readonly pairing: "neighbour" | "half"; readonly width: number };

export function turningOf(input: AttendInput, trace: Trace): Turning | undefined {
  if (input.rotary === undefined) return undefined;
  const width = (trace.stage("cosines").shape[1] as number) * 2;
  return { pairing: input.rotary.pairing, width };
}

function partnerOf({ pairing, width }: Turning, column: number): number {
  if (pairing === "neighbour") return column % 2 === 0 ? column + 1 : column - 1;
  return column < width / 2 ? column + width / 2 : column - width / 2;
}

const pairOf = ({ pairing, width }: Turning, column: number) =>
  pairing === "neighbour" ? Math.floor(column / 2) : column % (width / 2);

export function partOf(description: StageDescription, index: readonly number[]): PartDescription {
  const at = description.axes.indexOf("row");
  const row = at < 0 ? 0 : (index[at] as number);
  const part = description.parts.find(({ rows: [first, end] }) => at < 0 || (first <= row && row < end));
  if (part === undefined) throw new Error(`no part of ${description.name} has row ${row}`);
  return part;
}

/** The cells that a description says take part in a cell: of each term those of its operands. */
function described(description: StageDescription, index: readonly number[], turning: Turning | undefined): CellRef[][] {
  const own = (axis: "batch" | "head" | "row" | "column") => index[description.axes.indexOf(axis)] ?? 0;
  const [batch, head, row, column] = [own("batch"), own("head"), own("row"), own("column")];
  const { headWidth: width, group, shift } = description;
  const part = partOf(description, index);
  const cells = (operands: PartDescription["operands"], term: number) =>
    operands.map(({ stage, axes }) => ({
      stage,
      index: axes.map((axis) => {
        const turn = turning ?? { pairing: "half", width: 2 };
        const along = {
          batch,
          head,
          row,
          rowInPart: row - part.rows[0],
          column,
          term,
          first: 0,
          kvHead: Math.floor(head / group),
          headColumn: head * width + column,
          columnHead: Math.floor(column / width),
          columnInHead: column % width,
          position: row + shift,
          pair: pairOf(turn, column),
          partner: partnerOf(turn, column),
        };
        return along[axis];
      }),
    }));
  const { operation, operands, terms } = part;
  if (operation === "rotate") {
    if (turning === undefined) throw new Error(`${description.name} turns without a rotary option`);
    if (column >= turning.width) return [cells(operands.slice(0, 1), 0)];
    return [cells(operands.slice(0, 2), 0), cells(operands.slice(2), 1)];
  }
  const factors = part.addend ? operands.slice(0, -1) : operands;
  const all = Array.from({ length: terms }, (_, t) => cells(factors, t));
  if (part.addend) all.push(cells(operands.slice(-1), terms));
  if (/^(mean|variance|meanSquare)$/.test(operation) && terms > 0) all.push([]);
  return all;
}

const f = Math.fround;

/** Near enough for what goes through an exponential, a root or a hyperbolic tangent. */
function near(got: number, want: number): boolean {
  return Object.is(got, want) || Math.abs(got - want) <= 2e-6 * (1 + Math.abs(want));
}

function erf(x: number): number {
  // Σ of the Taylor series, enough for |x| ≤ 5 in double precision.
  if (Math.abs(x) > 5) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** Checks one origin. */
export function checkOrigin(
  trace: Trace,
  stages: Map<string, Matrix>,
  origin: Origin,
  cell: CellRef,
  turning?: Turning,
): void {
  const here = name(cell);
  const value = (ref: CellRef) => {
    const matrix = stages.get(ref.stage);
    if (matrix === undefined) throw new Error(`${here} names ${ref.stage}, which is no stage and no input`);
    return matrix.data[flatIndex(matrix.shape, ref.index)] as number;
  };
  const same = (got: number | undefined, want: number, what: string) => {
    if (!Object.is(got, want)) throw new Error(`${here}: ${what} is ${got}, expected ${want}`);
  };
  const close = (got: number, want: number, what: string) => {
    if (!near(got, want)) throw new Error(`${here}: ${what} is ${got}, expected about ${want}`);
  };
  const description = trace.describe(cell.stage);
  const part = partOf(description, cell.index);
  same(origin.value, value(cell), "value");
  if (name(origin) !== here) throw new Error(`${here}: the origin says it is ${name(origin)}`);
  const wanted = described(description, cell.index, turning);
  const still = part.operation === "rotate" && wanted.length === 1;
  if (origin.operation !== (still ? "copy" : part.operation)) throw new Error(`${here}: operation ${origin.operation}`);
  same(origin.terms.length, wanted.length, "number of terms");
  if (origin.operation === "zero") same(origin.value, 0, "value");
  let sum = 0;
  let most = -Infinity;
  for (const [t, term] of origin.terms.entries()) {
    const want = (wanted[t] as CellRef[]).map(name);
    if (term.operands.map(name).join(" ") !== want.join(" ")) {
      throw new Error(`${here}, term ${t}: operands ${term.operands.map(name)}, described as ${want}`);
    }
    for (const operand of term.operands) same(operand.value, value(operand), `operand ${name(operand)}`);
    const numbers = term.operands.map((operand) => operand.value);
    const [first, second, third] = numbers as [number, number, number];
    const add = (summand: number, what: string) => {
      if (!term.leftOut) {
        same(term.value, summand, `${what} ${t}`);
        sum = f(sum + summand);
      }
      same(term.partial, sum, `partial sum ${t}`);
    };
    const divisor = part.terms === t;
    switch (origin.operation) {
      case "dot":
        add(numbers.length === 1 ? first : f(first * second), "product");
        break;
      case "sum":
        add(first, "summand");
        break;
      case "mean":
      case "variance":
      case "meanSquare":
        if (divisor) {
          same(term.value, part.terms, "divisor");
          sum = f(sum / part.terms);
          same(term.partial, sum, "mean");
        } else if (origin.operation === "mean") add(first, "summand");
        else {
          const apart = origin.operation === "variance" ? f(first - second) : first;
          add(f(apart * apart), "square");
        }
        break;
      case "max":
        if (!term.leftOut) most = Math.max(most, first);
        if (term.partial !== most) throw new Error(`${here}: maximum after ${t} is ${term.partial}, expected ${most}`);
        break;
      case "rotate": {
        const column = cell.index.at(-1) as number;
        const isFirst = turning !== undefined && partnerOf(turning, column) > column;
        const product = f(first * second);
        if (t === 0) sum = product;
        else sum = f(sum + (isFirst ? -product : product));
        same(term.partial, sum, `turn after ${t}`);
        break;
      }
      case "scale":
        same(origin.constant, trace.scale, "constant");
        same(origin.value, f(first * trace.scale), "scaled");
        break;
      case "shift":
        same(origin.constant, trace.temperature, "constant");
        if (first !== -Infinity && trace.temperature > 0) {
          same(origin.value, f(f(first - (second ?? 0)) / trace.temperature), "shifted");
        }
        break;
      case "divide":
        same(origin.value, first === 0 || second === 0 ? 0 : f(first / second), "weight");
        break;
      case "unmask":
        same(origin.value, first === -Infinity ? 0 : first, "weight");
        break;
      case "copy":
        same(origin.value, first, "copy");
        break;
      case "add":
        same(origin.value, f(first + second), "sum");
        break;
      case "multiply":
        same(origin.value, f(first * second), "product");
        break;
      case "mask": {
        const addends = numbers.slice(1).filter((_, i) => term.operands[i + 1]?.stage !== "allow");
        if (origin.value !== -Infinity)
          same(
            origin.value,
            addends.reduce((all, x) => f(all + x), first),
            "masked",
          );
        break;
      }
      case "cap":
        close(origin.value, (origin.constant as number) * Math.tanh(first / (origin.constant as number)), "capped");
        break;
      case "relu":
        same(origin.value, Math.max(first, 0) + 0, "relu");
        break;
      case "gelu":
        close(origin.value, (first / 2) * (1 + erf(first / Math.SQRT2)), "gelu");
        break;
      case "geluTanh":
        close(
          origin.value,
          (first / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (first + 0.044715 * first ** 3))),
          "gelu",
        );
        break;
      case "layerNorm":
      case "rmsNorm": {
        const layer = origin.operation === "layerNorm";
        const root = Math.sqrt((layer ? third : second) + (origin.constant as number));
        const of = (stage: RegExp, otherwise: number) =>
          term.operands.find((operand) => stage.test(operand.stage))?.value ?? otherwise;
        const evened = (layer ? first - second : first) / root;
        close(origin.value, evened * of(/^gamma/, 1) + of(/^beta/, 0), "normed");
        break;
      }
      case "exp":
        close(origin.value, f(Math.exp(first)), "exp");
        break;
      default:
        if (term.operands.length > 1) throw new Error(`${here}: nothing is known of ${origin.operation}`);
    }
  }
  if (origin.terms.length > 0) same(origin.terms.at(-1)?.partial, origin.value, "last partial");
  const blocked = origin.operation === "mask" && origin.value === -Infinity;
  if (blocked !== (origin.blockedBy !== undefined && origin.blockedBy.length > 0)) {
    throw new Error(`${here} is ${origin.value}, blocked by ${origin.blockedBy}`);
  }
}

/** operand → all cells whose origin names it. */
function inverse(trace: Trace): Map<string, string[]> {
  const feeds = new Map<string, Set<string>>();
  for (const stage of allNames(trace)) {
    for (const index of indices(trace.describe(stage).shape)) {
      for (const term of trace.origin(stage, index).terms) {
        for (const operand of term.operands) {
          const key = name(operand);
          if (!feeds.has(key)) feeds.set(key, new Set());
          feeds.get(key)?.add(name({ stage, index }));
        }
      }
    }
  }
  return new Map([...feeds].map(([cell, fed]) => [cell, [...fed].sort()]));
}

/** Throws unless feeds is the exact inverse of origin, for every cell. */
export function checkFeeds(trace: Trace): void {
  const want = inverse(trace);
  for (const stage of allNames(trace)) {
    for (const index of indices(trace.describe(stage).shape)) {
      const got = trace.feeds(stage, index).map(name).sort();
      const expected = want.get(name({ stage, index })) ?? [];
      if (got.join(" ") !== expected.join(" ")) {
        throw new Error(
          `${name({ stage, index })} feeds ${got.join(" ") || "nothing"}, by origins ${expected.join(" ") || "nothing"}`,
        );
      }
    }
  }
}
