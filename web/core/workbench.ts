// One core at work. It holds one computation at a time; whoever needs an earlier one puts its numbers back.

import { LoomCoreError, LoomError, LoomRangeError } from "./errors.ts";
import type { Fields } from "./fields.ts";
import type { Found, Incoming } from "./incoming/index.ts";
import { type Names, readNames } from "./names.ts";
import { Options } from "./options.ts";
import { Plan, Reader } from "./plan.ts";
import { Again } from "./problem/again.ts";
import { readProblem } from "./problem/index.ts";
import { Problem } from "./problem/problem.ts";
import type { RawCore } from "./raw.ts";

const FLOAT_BYTES = 4;
const DOUBLE_BYTES = 8;

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
  wO: "columns of wO",
  batch: "entries of the batch",
  kvHeads: "heads of keys and values",
  blocks: "tokens in each of the blocks",
  random: "random keys",
  rotary: "rotary positions before the first query",
  ffn: "columns of ffn.w1",
};

export class Workbench {
  readonly names: Names;
  readonly #restart: () => RawCore;
  /** Null where it has stopped, until it is needed again. */
  #core: RawCore | null;
  #disposed = false;
  #plan: Plan | null = null;
  readonly #problem: Problem;
  readonly #again = new Again();
  /** First element of the workspace while it is reserved, else 0; whether that took none of the heap; the row states. */
  #base = 0;
  #isSmall = false;
  #rowStates = 0;
  /** Whose numbers are in the workspace: a trace that has been put back, or nobody's. */
  #owner: object | null = null;
  #busy = false;
  #reading = false;

  /** `restart` makes a fresh core of the same build, at once. */
  constructor(core: RawCore, restart: () => RawCore) {
    this.#core = core;
    this.#restart = restart;
    this.names = readNames(core);
    const { options } = this.names;
    const at = core.options() / DOUBLE_BYTES;
    this.#problem = new Problem(new Options(options, core.HEAPF64.slice(at, at + options.length)));
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
  guard<T, A = undefined>(call: (core: RawCore, argument: A) => T, argument?: A): T {
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
      return call(core, argument as A);
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

  /** Reads what a call brings: what a getter throws meanwhile is the caller's. `forgetInput` must follow. */
  read(input: unknown, traced = false): Problem {
    const problem = this.#problem;
    this.#reading = true;
    if (traced || !this.#again.fits(problem, input)) {
      this.#again.forget();
      readProblem(problem, input);
      if (traced) problem.options.put("trace", 1);
      else if (this.#plan !== null && problem.options.same(this.#plan.said))
        this.#again.remember(problem, input as Fields);
    }
    this.#reading = false;
    return problem;
  }

  /** Plans what has been read, or finds that the last call had the same options. */
  plan(): Plan {
    const { options, asked } = this.#problem;
    if (this.#plan !== null && options.same(this.#plan.said)) return this.#plan;
    const numbers = options.numbers();
    this.#configure(numbers, asked);
    const core = this.core;
    const address = core.describePlan();
    if (address === 0) throw this.lastError();
    this.#plan = new Plan(core, address / DOUBLE_BYTES, this.names, numbers, options.said());
    core.dropAnswer();
    return this.#plan;
  }

  #configure(numbers: Float64Array, asked: Problem["asked"]): void {
    const core = this.core;
    this.#plan = null;
    this.#base = 0;
    this.#owner = null;
    core.HEAPF64.set(numbers, core.options() / DOUBLE_BYTES);
    if (core.configure() !== 0) throw this.lastError(asked);
  }

  /** First element of the workspace of the plan. Throws where memory is refused. */
  #reserve(): number {
    if (this.#base !== 0) return this.#base;
    const core = this.core;
    const address = core.reserve();
    if (address === 0) throw this.lastError();
    this.#base = address / FLOAT_BYTES;
    this.#rowStates = core.rowStates();
    this.#isSmall = core.liveBuffers() === 0;
    return this.#base;
  }

  /** Writes the inputs and runs. Returns the first element of the workspace; `settle` must follow the copying. */
  run(plan: Plan): number {
    const core = this.core;
    const { count, matrices, stages, rows } = this.#problem;
    this.#owner = null;
    const base = this.#reserve();
    const heap = core.HEAPF32;
    this.#reading = true;
    for (let i = 0; i < count; i++) {
      const matrix = matrices[i] as Incoming;
      const { at, pieces, stride } = plan.site(i, stages[i] as string, rows[i] as number);
      if (pieces === 1) {
        matrix.write(heap, base + at, 0, matrix.cells);
        continue;
      }
      const size = matrix.cells / pieces;
      for (let p = 0; p < pieces; p++) matrix.write(heap, base + at + p * stride, p * size, size);
    }
    this.#reading = false;
    if (core.run() !== 0) throw this.#inputError(plan);
    return base;
  }

  /** Where the states of the rows lie, a byte each: [B, h, n_q]. After `run`. */
  get rowStates(): number {
    return this.#rowStates;
  }

  /** Gives back what a large computation reserved; a small one reserved nothing. */
  settle(): void {
    if (this.#base === 0 || this.#isSmall) return;
    this.#base = 0;
    this.#owner = null;
    this.#core?.release();
  }

  /** Lets go of what the call brought. */
  forgetInput(): void {
    this.#problem.forget();
    this.#again.empty();
  }

  /** Makes sure that `numbers`, a copy of a whole workspace, are in place again. */
  restore(owner: object, plan: Plan, numbers: Float32Array): RawCore {
    const core = this.core;
    if (this.#owner === owner) return core;
    this.settle();
    if (this.#plan !== plan) {
      this.#configure(plan.options, null);
      this.#plan = plan;
    }
    const base = this.#reserve();
    core.HEAPF32.set(numbers, base);
    this.#owner = owner;
    return core;
  }

  /** Forgets `owner`, and gives back what restoring it reserved. */
  forget(owner: object): void {
    if (this.#owner !== owner) return;
    this.#owner = null;
    this.settle();
  }

  /** Works on numbers of their own: reserves room for `count`, lets `work` fill and read it, and gives it back. */
  compute<T>(count: number, work: (core: RawCore, heap: Float32Array, at: number) => T): T {
    return this.guard((core) => {
      this.#owner = null;
      this.#base = 0;
      const address = core.reserveData(count);
      if (address === 0) throw this.lastError();
      try {
        return work(core, core.HEAPF32, address / FLOAT_BYTES);
      } finally {
        core.release();
      }
    });
  }

  /** Frees everything, also what a failure in between left. */
  release(): void {
    this.#base = 0;
    this.#owner = null;
    this.core.release();
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
    this.#base = 0;
    this.#owner = null;
  }

  /** The core's last error, in words. `asked`: sizes beyond 32 bits. */
  lastError(asked: Problem["asked"] = null): Error {
    return coreError(readError(this.core, this.names), asked);
  }

  /** The same after a run, where it is about a number that arrived. */
  #inputError(plan: Plan): Error {
    const error = readError(this.core, this.names);
    const { count, matrices, stages, rows } = this.#problem;
    if (error.kind !== "notFinite" || error.parameter !== "stage") return coreError(error);
    const stage = plan.stages.get(this.names.stages[error.bound] as string);
    for (let i = 0; i < count; i++) {
      if (stage === undefined || stages[i] !== stage.name) continue;
      const matrix = matrices[i] as Incoming;
      const { at, pieces, stride } = plan.site(i, stage.name, rows[i] as number);
      const size = matrix.cells / pieces;
      const place = error.value + stage.offset - at;
      const piece = stride === 0 ? 0 : Math.floor(place / stride);
      const inside = place - piece * stride;
      if (place < 0 || piece >= pieces || inside >= size) continue;
      return notFinite(matrix.find(piece * size + inside), stage.name === "add");
    }
    return coreError(error);
  }
}

interface CoreError {
  readonly kind: string;
  readonly parameter: string;
  readonly value: number;
  readonly bound: number;
}

function readError(core: RawCore, names: Names): CoreError {
  const [code, param, value, bound] = new Reader(core.HEAPF64, core.lastError() / DOUBLE_BYTES).list(4) as [
    number,
    number,
    number,
    number,
  ];
  return { kind: names.errors[code] as string, parameter: names.params[param] as string, value, bound };
}

export function notFinite({ value, place }: Found, blocks: boolean): Error {
  return new LoomRangeError(
    `${place} must be a finite number in the range of float32${blocks ? " (or −∞, which blocks)" : ""}, not ${String(value)}.`,
    { code: "notFinite", parameter: place, value },
  );
}

/** In words that name the parameter and the value. */
function coreError({ kind, parameter, value, bound }: CoreError, asked: Problem["asked"] = null): Error {
  if (kind === "noMemory") {
    return new LoomCoreError(
      `The core was refused ${value} bytes of memory. Nothing was computed; a smaller call still works.`,
      { code: "memory", parameter, value },
    );
  }
  if (kind !== "tooLarge") {
    return new LoomRangeError(`${parameter}: the core refused ${value} (${kind}; bound ${bound}).`, {
      code: "range",
      parameter,
      value,
    });
  }
  const found = asked?.get(parameter) ?? value;
  const message =
    parameter === "totalBytes"
      ? `The numbers (input, output and trace) would take ${value} bytes; the limit is ${bound} (192 MB). Ask for fewer tokens, fewer heads, or no trace.`
      : `${found} ${LIMITED[parameter] ?? parameter} are too many: the limit is ${bound}.`;
  return new LoomRangeError(message, { code: "limit", parameter, value: found });
}
