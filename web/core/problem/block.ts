// What makes a transformer block of attention: norm, residual, feed-forward.

import { wrongOption, wrongShape } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { array, vector } from "../incoming/index.ts";
import { cols, finiteNumber, readSwitch, readWord, rows, subFields, text } from "./check.ts";
import type { Problem } from "./problem.ts";

const NORM: ReadonlySet<string> = new Set(["kind", "first", "epsilon", "gamma", "beta", "gamma2", "beta2"]);
const KINDS = ["layer", "rms"];
/** Each with its option. */
const VECTORS = [
  ["gamma", "gamma"],
  ["beta", "beta"],
  ["gamma2", "gamma_2"],
  ["beta2", "beta_2"],
] as const;
const FFN: ReadonlySet<string> = new Set(["w1", "b1", "w2", "b2", "activation"]);
const ACTIVATIONS = ["gelu", "geluTanh", "relu"];

export function readBlock(problem: Problem, fields: Fields): void {
  const { options, dModel, attended } = problem;
  const residual = "residual" in fields && readSwitch("residual", fields.residual);
  if (residual) options.put("residual", 1);
  if ((residual || "norm" in fields) && attended !== dModel) {
    const name = residual ? "residual" : "norm";
    throw wrongShape(
      name,
      attended,
      `${name} needs attention to return rows as wide as x, ${dModel}, but they are ${attended} wide: give wO with ${dModel} columns.`,
    );
  }
  if ("norm" in fields) readNorm(problem, fields.norm, "ffn" in fields);
  if ("ffn" in fields) readFeedForward(problem, fields.ffn);
}

function readNorm(problem: Problem, value: unknown, twice: boolean): void {
  const { options, dModel } = problem;
  const norm = subFields("norm", value, NORM, "kind");
  const kind = readWord("norm.kind", norm.kind, KINDS);
  options.put("norm", 1 + kind);
  if ("first" in norm) options.put("norm_first", readSwitch("norm.first", norm.first) ? 1 : 0);
  if ("epsilon" in norm) options.put("epsilon", finiteNumber("norm.epsilon", norm.epsilon, 0));
  for (const [name, option] of VECTORS) {
    if (!(name in norm)) continue;
    const place = `norm.${name}`;
    if (kind === 1 && name.startsWith("beta"))
      throw wrongOption(place, norm[name], `${place} does not go with kind "rms".`);
    if (!twice && name.endsWith("2"))
      throw wrongOption(place, norm[name], `${place} is of the norm beside ffn: give ffn.`);
    problem.fill(name, vector(place, norm[name], dModel, "the columns of x"));
    options.put(option, 1);
  }
}

function readFeedForward(problem: Problem, value: unknown): void {
  const { options, attended } = problem;
  const ffn = subFields("ffn", value, FFN, "w1", "w2");
  const w1 = array("ffn.w1", ffn.w1);
  const w2 = array("ffn.w2", ffn.w2);
  const hidden = cols(w1);
  if (rows(w1) !== attended || hidden === 0) {
    throw wrongShape(
      w1.name,
      w1.shape,
      `ffn.w1 is ${text(w1.shape)}, but the rows it takes are ${attended} wide: it needs ${attended} rows and at least 1 column.`,
    );
  }
  if (rows(w2) !== hidden || cols(w2) !== attended) {
    throw wrongShape(
      w2.name,
      w2.shape,
      `ffn.w2 is ${text(w2.shape)}, but ffn.w1 is ${text(w1.shape)}: ffn.w2 needs ${text([hidden, attended])}.`,
    );
  }
  problem.size("d_ff", hidden, "ffn");
  problem.fill("w1", w1);
  problem.fill("w2", w2);
  const bias = (name: "b1" | "b2", option: string, length: number, weights: string) => {
    if (!(name in ffn)) return;
    problem.fill(name, vector(`ffn.${name}`, ffn[name], length, `the columns of ffn.${weights}`));
    options.put(option, 1);
  };
  bias("b1", "bias_1", hidden, "w1");
  bias("b2", "bias_2", attended, "w2");
  if ("activation" in ffn) options.put("activation", readWord("ffn.activation", ffn.activation, ACTIVATIONS));
}
