// One core at work. It holds one computation at a time; whoever needs an earlier one puts its numbers back.

import { LoomCoreError, LoomError, LoomRangeError } from "./errors.ts";
import { type Names, readNames } from "./names.ts";
import { type Plan, readPlan } from "./plan.ts";
import type { Problem } from "./problem.ts";
import type { RawCore, RawOptions } from "./raw.ts";
import type { SoftmaxProblem } from "./softmax.ts";

const FLOAT_BYTES = 4;

/** What each size is called in a message about a limit. */
const LIMITED: { readonly [param: string]: string } = {
  queries: "queries",
  keys: "keys",
  heads: "heads",
  modelWidth: "columns of the tokens",
  q: "columns of queries and keys per head",
  wQ: "columns of queries and keys per head",
  v: "columns of values per head",
  wV: "columns of values per head",
};

export class Workbench {
  readonly names: Names;
  readonly #restart: () => RawCore;
  /** Null where it has stopped, until it is needed again. */
  #core: RawCore | null;
  #disposed = false;
  #options: RawOptions | null = null;
  #plan: Plan | null = null;
  /** Whose numbers are in the workspace: a trace that has been put back, or nobody's. */
  #owner: object | null = null;
  #busy = false;
  #reading = false;

  /** `restart` makes a fresh core of the same build, at once. */
  constructor(core: RawCore, restart: () => RawCore) {
    this.#core = core;
    this.#restart = restart;
    this.names = readNames(core);
  }

  /** The core; a fresh one where the last one has stopped. Throws where it has been disposed of. */
  get core(): RawCore {
    if (this.#core !== null) return this.#core;
    if (!this.#disposed) {
      this.#core = this.#restart();
      return this.#core;
    }
    throw new LoomCoreError("This core has been disposed of: load another one with loadLoom().", {
      code: "disposed",
      parameter: "loom",
      value: null,
    });
  }

  /** Throws where the core has been disposed of. */
  checkAlive(): void {
    void this.core;
  }

  /**
   * Calls the core, one call at a time. Should it stop in the middle (a trap, or the stack at its end), its own stack is in
   * an unknown state: it is not used again, and the next call gets a fresh one. Traces hold copies, so they work on with that.
   */
  guard<T>(call: (core: RawCore) => T): T {
    const core = this.core;
    if (this.#busy) {
      throw new LoomCoreError(
        "The core was called while it was reading the numbers of another call (from a getter?).",
        {
          code: "option",
          parameter: "input",
          value: null,
        },
      );
    }
    this.#busy = true;
    this.#reading = false;
    try {
      return call(core);
    } catch (cause) {
      // While numbers are read, whatever a caller's getter throws is the caller's.
      if (cause instanceof LoomError || this.#reading) throw cause;
      this.#drop();
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new LoomCoreError(
        `The core stopped in the middle of a call (${why}). That call is lost; the next one gets a fresh core.`,
        { code: "trap", parameter: "loom", value: why },
        { cause },
      );
    } finally {
      this.#busy = false;
      this.#reading = false;
    }
  }

  /** Plans a problem, or finds that the last call had the same options. */
  plan({ options, asked }: Pick<Problem, "options" | "asked">): Plan {
    const core = this.core;
    if (this.#plan !== null && this.#options !== null && sameOptions(this.#options, options)) return this.#plan;
    this.#options = null;
    this.#plan = null;
    this.#owner = null;
    if (core.configure(options) !== 0) throw this.lastError({ asked });
    this.#plan = readPlan(core, this.names);
    this.#options = options;
    return this.#plan;
  }

  /** First element of the workspace of the plan. Throws where memory is refused. */
  reserve(): number {
    const address = this.core.reserve();
    if (address === 0) throw this.lastError();
    return address / FLOAT_BYTES;
  }

  /** Writes the inputs and runs. Returns the first element of the workspace; `settle` must follow the copying. */
  run(problem: Problem, plan: Plan): number {
    const core = this.core;
    this.#owner = null;
    const base = this.reserve();
    this.#reading = true;
    for (const { stage, matrix } of problem.inputs) {
      matrix.write(core.HEAPF32, base + (plan.stages.get(stage)?.offset ?? 0));
    }
    this.#reading = false;
    if (core.run() !== 0) throw this.lastError(problem);
    return base;
  }

  /** Gives back what a large computation reserved; a small one reserved nothing. */
  settle(): void {
    if (this.#core !== null && this.#core.liveBuffers() > 0) {
      this.#core.release();
      this.#owner = null;
    }
  }

  /** Makes sure that `numbers`, a copy of a whole workspace, are in place again. */
  restore(owner: object, options: RawOptions, numbers: Float32Array): RawCore {
    const core = this.core;
    if (this.#owner === owner) return core;
    this.settle();
    this.plan({ options, asked: {} });
    core.HEAPF32.set(numbers, this.reserve());
    this.#owner = owner;
    return core;
  }

  /** Forgets `owner`, and gives back what restoring it reserved. */
  forget(owner: object): void {
    if (this.#owner !== owner) return;
    this.#owner = null;
    this.settle();
  }

  /** The shares, or their logarithms: a fresh array. */
  softmax({ data, sizes, log }: SoftmaxProblem): Float32Array {
    const core = this.core;
    if (data.length === 0) return data;
    this.#owner = null;
    const address = core.reserveData(data.length);
    if (address === 0) throw this.lastError();
    try {
      const at = address / FLOAT_BYTES;
      core.HEAPF32.set(data, at);
      if (core.softmax(...sizes, log) !== 0) throw this.lastError();
      return core.HEAPF32.slice(at, at + data.length);
    } finally {
      core.release();
    }
  }

  dispose(): void {
    const core = this.#core;
    this.#disposed = true;
    this.#drop();
    try {
      core?.release();
    } catch {
      // It had stopped before, at the end of the stack, where there was no room left to notice.
    }
  }

  /** Lets go of the core as it is. */
  #drop(): void {
    this.#core = null;
    this.#plan = null;
    this.#options = null;
    this.#owner = null;
  }

  /** The core's last error, in words. */
  lastError(problem?: Partial<Problem>): Error {
    return coreError(this.core, this.names, problem);
  }
}

// Field by field: a loop over names took a sixth of a small call (measured).
function sameOptions(a: RawOptions, b: RawOptions): boolean {
  return (
    a.project === b.project &&
    a.crossed === b.crossed &&
    a.nQ === b.nQ &&
    a.nK === b.nK &&
    a.heads === b.heads &&
    a.dK === b.dK &&
    a.dV === b.dV &&
    a.dModel === b.dModel &&
    a.dKv === b.dKv &&
    a.allowHeads === b.allowHeads &&
    a.addHeads === b.addHeads &&
    a.causal === b.causal &&
    a.causalOffset === b.causalOffset &&
    a.defaultScale === b.defaultScale &&
    a.scale === b.scale &&
    a.temperature === b.temperature &&
    a.trace === b.trace
  );
}

/** The last error of the core, in words that name the parameter and the value. */
function coreError(core: RawCore, names: Names, problem?: Partial<Problem>): Error {
  const { code, param, value, bound } = core.lastError();
  const kind = names.errors[code];
  const parameter = names.params[param] ?? "none";
  switch (kind) {
    case "noMemory":
      return new LoomCoreError(
        `The core was refused ${value} bytes of memory. Nothing was computed; a smaller call still works.`,
        { code: "memory", parameter, value },
      );
    case "tooLarge": {
      if (parameter === "totalBytes") {
        return new LoomRangeError(
          `The numbers (input, output and trace) would take ${value} bytes; the limit is ${bound} (192 MB). Ask for fewer tokens, fewer heads, or no trace.`,
          { code: "limit", parameter, value },
        );
      }
      const found = problem?.asked?.[parameter] ?? value;
      return new LoomRangeError(`${found} ${LIMITED[parameter] ?? parameter} are too many: the limit is ${bound}.`, {
        code: "limit",
        parameter,
        value: found,
      });
    }
    case "notFinite": {
      const matrix = problem?.inputs?.find((input) => input.matrix.name === parameter)?.matrix;
      const found = matrix?.find(value) ?? { value, place: parameter };
      const allowance = parameter === "add" ? " (−∞ is allowed: it blocks)" : "";
      return new LoomRangeError(
        `${found.place} must be a finite number in the range of float32${allowance}, not ${String(found.value)}.`,
        { code: "notFinite", parameter: found.place, value: found.value },
      );
    }
    default:
      return new LoomRangeError(`${parameter}: the core refused ${value} (${kind}; bound ${bound}).`, {
        code: "range",
        parameter,
        value,
      });
  }
}
