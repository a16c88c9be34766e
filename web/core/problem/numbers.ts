import type { Fields } from "../fields.ts";
import { finiteNumber } from "./check.ts";
import type { Problem } from "./problem.ts";

/** Factors on the scores. */
export function readNumbers({ options }: Problem, fields: Fields): void {
  if ("scale" in fields) {
    options.put("scale", finiteNumber("scale", fields.scale));
    options.put("default_scale", 0);
  }
  if ("temperature" in fields) options.put("temperature", finiteNumber("temperature", fields.temperature, 0));
  if ("softCap" in fields) options.put("cap", finiteNumber("softCap", fields.softCap, 0, "above"));
}
