import { wrongShape } from "../errors.ts";
import { wrongKind } from "../incoming/incoming.ts";

/** Where the result is to be written. */
export function readInto(value: unknown): Float32Array {
  if (value instanceof Float32Array) return value;
  throw wrongKind("into", "a Float32Array", value);
}

/** Asked before anything is computed, and again before the copy: a buffer can be detached or shrink meanwhile. */
export function checkInto(into: Float32Array, shape: readonly number[], cells: number): void {
  if (into.length === cells) return;
  throw wrongShape(
    "into",
    into.length,
    `into has ${into.length} numbers, but the output is [${shape.join(", ")}] and needs ${cells}. A buffer that was transferred or has shrunk has 0.`,
  );
}
