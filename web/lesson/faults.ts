/** A place in a lesson: line and column count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** One fault of a lesson, in one sentence that says what was found and what to do. */
export interface Fault extends Place {
  readonly file: string;
  readonly sentence: string;
}

/** Collects the faults of one file, so that one run names them all. */
export class FaultList {
  readonly #faults: Fault[] = [];
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** Adds a fault; without a place it stands at the head of the file. */
  add(place: Place | undefined, sentence: string): void {
    const { line, column } = place ?? { line: 1, column: 1 };
    const known = this.#faults.some((f) => f.line === line && f.column === column && f.sentence === sentence);
    if (!known) this.#faults.push({ file: this.file, line, column, sentence });
  }

  /** All faults in the order of the file. */
  get all(): readonly Fault[] {
    return [...this.#faults].sort((a, b) => a.line - b.line || a.column - b.column);
  }
}

/** `file:line:column: sentence`, always on one line. */
export function faultLine(fault: Fault): string {
  return `${fault.file}:${fault.line}:${fault.column}: ${fault.sentence.replace(/\s+/gu, " ")}`;
}
