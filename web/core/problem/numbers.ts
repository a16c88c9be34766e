import { wrongOption } from "../errors.ts";
import type { Fields } from "../fields.ts";
import { finiteNumber, readSwitch, readWord, wrongRange } from "./check.ts";
import type { Problem } from "./problem.ts";

const SOFTMAX = ["rows", "columns", "none"];

/** From scores to weights: factors, and which steps are there. */
export function readNumbers({ options }: Problem, fields: Fields): void {
  if ("scale" in fields) {
    options.put("scale", finiteNumber("scale", fields.scale));
    options.put("default_scale", 0);
  }
  const temperature = "temperature" in fields ? finiteNumber("temperature", fields.temperature, 0) : 1;
  if ("temperature" in fields) options.put("temperature", temperature);
  if ("softCap" in fields) options.put("cap", finiteNumber("softCap", fields.softCap, 0, "above"));
  const softmax = "softmax" in fields ? readWord("softmax", fields.softmax, SOFTMAX) : 0;
  if ("softmax" in fields) options.put("softmax", softmax);
  const shift = !("shift" in fields) || readSwitch("shift", fields.shift);
  if ("shift" in fields) options.put("shift", shift ? 1 : 0);
  if (softmax === 2 && !shift) throw absent("shift", fields.shift);
  if (softmax === 2 && temperature !== 1) throw absent("temperature", temperature);
  if (!shift && Math.fround(temperature) === 0) {
    throw wrongRange("temperature", "above 0 without shift: at 0 the largest score decides", temperature);
  }
}

function absent(name: string, value: unknown): Error {
  return wrongOption(name, value, `${name} does not go with softmax: "none", as it is a part of the softmax.`);
}
