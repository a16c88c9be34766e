// Names that both sides use are written once, in C++, and read from there.

import type { RawCore } from "./raw.ts";
import type { OperandAxis, Operation } from "./types.ts";

/** Kinds of text, as in cpp/bindings/texts.h. */
const KIND = { stage: 0, operation: 1, axis: 2, error: 3, param: 4, option: 5, build: 6 } as const;

function read(core: RawCore, kind: number, id: number): string {
  const heap = core.HEAPU8;
  let text = "";
  for (let at = core.text(kind, id); heap[at] !== 0; at++) text += String.fromCharCode(heap[at] as number);
  return text;
}

function list(core: RawCore, kind: number): readonly string[] {
  const names: string[] = [];
  for (let id = 0; ; id++) {
    const name = read(core, kind, id);
    if (name === "") return names;
    names.push(name);
  }
}

/** All names of one core, by their number. */
export interface Names {
  readonly stages: readonly string[];
  readonly operations: readonly Operation[];
  readonly axes: readonly OperandAxis[];
  readonly errors: readonly string[];
  readonly params: readonly string[];
  readonly options: readonly string[];
  readonly build: readonly string[];
}

export function readNames(core: RawCore): Names {
  return {
    stages: list(core, KIND.stage),
    operations: list(core, KIND.operation) as Operation[],
    axes: list(core, KIND.axis) as OperandAxis[],
    errors: list(core, KIND.error),
    params: list(core, KIND.param),
    options: list(core, KIND.option),
    build: list(core, KIND.build),
  };
}
