/** What kind of fault it is. Stable; texts may change. */
export type LoomErrorCode =
  | "type" // a value of the wrong type
  | "range" // a number out of its range
  | "shape" // two shapes that do not fit
  | "notFinite" // NaN or an infinity where none is allowed
  | "option" // an unknown option, or options that contradict each other
  | "limit" // beyond what the core takes on
  | "memory" // an allocation was refused
  | "cell" // a stage, or a cell of it, that does not exist
  | "disposed" // used after dispose()
  | "load" // the wasm file did not arrive whole, or is not one
  | "trap"; // the core stopped in the middle of a call

/** Where and what. */
export interface LoomErrorDetail {
  readonly code: LoomErrorCode;
  /** The parameter by its public name, with its place: `heads`, `q[1][0]`. */
  readonly parameter: string;
  /** What was found there. */
  readonly value: unknown;
}

const brand = Symbol.for("attention-loom.error");

/**
 * Every error of this package is `instanceof LoomError`, and a TypeError, a RangeError or a plain Error besides, as the
 * language has it. Not to be constructed.
 */
export abstract class LoomError extends Error implements LoomErrorDetail {
  declare readonly code: LoomErrorCode;
  declare readonly parameter: string;
  declare readonly value: unknown;

  static override [Symbol.hasInstance](thing: unknown): boolean {
    return typeof thing === "object" && thing !== null && brand in thing;
  }
}

function mark(error: Error, name: string, detail: LoomErrorDetail): void {
  Object.defineProperty(error, brand, { value: true });
  Object.assign(error, detail);
  error.name = name;
}

/** A value of the wrong type or form. */
export class LoomTypeError extends TypeError implements LoomErrorDetail {
  declare readonly code: LoomErrorCode;
  declare readonly parameter: string;
  declare readonly value: unknown;

  constructor(message: string, detail: LoomErrorDetail) {
    super(message);
    mark(this, "LoomTypeError", detail);
  }
}

/** A value of the right type that is out of range, or does not fit another one. */
export class LoomRangeError extends RangeError implements LoomErrorDetail {
  declare readonly code: LoomErrorCode;
  declare readonly parameter: string;
  declare readonly value: unknown;

  constructor(message: string, detail: LoomErrorDetail) {
    super(message);
    mark(this, "LoomRangeError", detail);
  }
}

/** The core itself could not do it: it did not load, was refused memory, was disposed of, or stopped. */
export class LoomCoreError extends Error implements LoomErrorDetail {
  declare readonly code: LoomErrorCode;
  declare readonly parameter: string;
  declare readonly value: unknown;

  constructor(message: string, detail: LoomErrorDetail, options?: ErrorOptions) {
    super(message, options);
    mark(this, "LoomCoreError", detail);
  }
}

/** A value as an error message shows it: short, and never markup or a secret kilobyte. Throws for nothing. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  try {
    if (Array.isArray(value)) return `an array of length ${value.length}`;
    return ArrayBuffer.isView(value) ? "a view of a buffer" : "an object";
  } catch {
    return "an object"; // a revoked proxy
  }
}

/** Shapes that do not fit. */
export function wrongShape(parameter: string, value: unknown, message: string): LoomRangeError {
  return new LoomRangeError(message, { code: "shape", parameter, value });
}

/** Options that do not go together, or one that is missing. */
export function wrongOption(parameter: string, value: unknown, message: string): LoomTypeError {
  return new LoomTypeError(message, { code: "option", parameter, value });
}
