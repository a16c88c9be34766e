import { LoomTypeError, show } from "../errors.ts";

/** Numbers that have been looked at but not yet copied: shape first, so that nothing is reserved for a refused call. */
export interface Incoming {
  readonly name: string;
  /** One to four sizes, last axis fastest. */
  readonly shape: readonly number[];
  readonly cells: number;
  /** Rows that are nested say nothing about their columns where there are none. */
  readonly widthKnown: boolean;
  /**
   * Copies `count` numbers, from the `from`-th on, to `heap` from element `at` on: these and no others, whatever the data
   * have become since. Throws at the first that is not a number.
   */
  write(heap: Float32Array, at: number, from: number, count: number): void;
  /** The number as it was given, and its place as the caller would write it. */
  find(flat: number): Found;
}

export interface Found {
  readonly value: unknown;
  readonly place: string;
}

/** How one number is taken over: what may stand there, and as which number it reaches the core. */
export interface Kind {
  readonly wanted: string;
  /** undefined where the value is not of this kind. */
  readonly convert: (value: unknown) => number | undefined;
  /** Float32 numbers are taken over as they are. */
  readonly asFloat32: boolean;
}

export const NUMBER: Kind = {
  wanted: "a number",
  convert: (value) => (typeof value === "number" ? value : undefined),
  asFloat32: true,
};

/** −∞ blocks; a finite number that only float32 takes for −∞ must not, so it arrives as what the core refuses. */
export const ADDEND: Kind = {
  wanted: "a number",
  convert(value) {
    if (typeof value !== "number") return undefined;
    return value !== Number.NEGATIVE_INFINITY && Math.fround(value) === Number.NEGATIVE_INFINITY ? Number.NaN : value;
  },
  asFloat32: true,
};

export const YES_NO: Kind = {
  wanted: "true, false, 1 or 0",
  convert: (value) => (value === true || value === 1 ? 1 : value === false || value === 0 ? 0 : undefined),
  asFloat32: false,
};

/** The error for a value that is not of its kind. */
export function wrongKind(place: string, wanted: string, value: unknown): LoomTypeError {
  return new LoomTypeError(`${place} must be ${wanted}, not ${show(value)}.`, {
    code: "type",
    parameter: place,
    value,
  });
}

export function isArrayLike(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** `name[1][0]` */
export function placeOf(name: string, index: readonly number[]): string {
  return name + index.map((i) => `[${i}]`).join("");
}

/** The index of the `flat`-th cell of a shape, last axis fastest. */
export function indexOf(shape: readonly number[], flat: number): number[] {
  const index: number[] = [];
  let rest = flat;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] as number;
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}
