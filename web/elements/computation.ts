// The core on loan, and the numbers of one model.

import type { Loom, Trace } from "../core/types.ts";
import { Numbers } from "../draw/numbers.ts";
import { type CheckResult, checksOf } from "./checks.ts";
import { borrowLoom, type LoomLoader } from "./shared-loom.ts";
import { attendInput, type Model } from "./state/index.ts";

/** Has a cell of a stage, at this place in the flat data, become another number? */
export type Changes = (stage: string, flat: number) => boolean;

/** Borrows the core, computes, and gives everything back. */
export class Computation {
  #loom: Loom | undefined;
  #release: (() => void) | undefined;
  #trace: Trace | undefined;
  #numbers: Numbers | undefined;
  #model: Model | undefined;
  #checks: CheckResult | undefined;
  #start: { readonly model: Model; readonly trace: Trace; readonly numbers: Numbers } | undefined;

  get isLoaded(): boolean {
    return this.#loom !== undefined;
  }

  get isLoading(): boolean {
    return this.#release !== undefined && !this.isLoaded;
  }

  get numbers(): Numbers | undefined {
    return this.#numbers;
  }

  /**
   * Brings the core. False where it was let go of in the meantime, and then there is nothing to do.
   *
   * @throws whatever the loader throws
   */
  async load(loader: LoomLoader): Promise<boolean> {
    const { loom, release } = borrowLoom(loader);
    this.#release = release;
    try {
      const loaded = await loom;
      if (this.#release !== release) return false;
      this.#loom = loaded;
      return true;
    } catch (error) {
      if (this.#release !== release) return false;
      this.#release = undefined;
      release();
      throw error;
    }
  }

  /**
   * The numbers of the model that all began with: computed once, and kept beside those on view.
   *
   * @throws what the core says
   */
  startNumbers(model: Model, mark: string): Numbers | undefined {
    if (this.#start?.model !== model || this.#start.numbers.mark !== mark) {
      this.#dropStart();
      const trace = this.#loom?.attend(attendInput(model)).trace;
      this.#start = trace && { model, trace, numbers: new Numbers(trace, mark) };
    }
    return this.#start?.numbers;
  }

  #dropStart(): void {
    this.#start?.trace.dispose();
    this.#start = undefined;
  }

  letGo(): void {
    this.#dropStart();
    this.#trace?.dispose();
    this.#trace = undefined;
    this.#numbers = undefined;
    this.#model = undefined;
    this.#checks = undefined;
    this.#loom = undefined;
    this.#release?.();
    this.#release = undefined;
  }

  /**
   * The numbers of a model, and which of them differ from those before.
   *
   * @param mark the decimal mark
   * @throws what the core says; the old numbers then stay
   */
  compute(model: Model, mark: string): Changes | undefined {
    if (!this.#loom) return undefined;
    const { trace } = this.#loom.attend(attendInput(model));
    if (!trace) throw new Error("The core returned no trace although a trace was asked for.");
    const before = this.#numbers;
    const numbers = new Numbers(trace, mark);
    const changes = before && differences(before, numbers);
    this.#trace?.dispose();
    this.#trace = trace;
    this.#numbers = numbers;
    this.#model = model;
    this.#checks = undefined;
    return changes;
  }

  /** What can be checked without a second computation, or the last comparison with the twin. */
  checks(): CheckResult | undefined {
    if (this.#numbers && this.#model) this.#checks ??= checksOf(this.#numbers, this.#model);
    return this.#checks;
  }

  /** All checks, with the double-precision twin. Throws what the core says. */
  compareWithTwin(): void {
    if (!this.#loom || !this.#numbers || !this.#model) return;
    this.#checks = checksOf(this.#numbers, this.#model, this.#loom.reference(attendInput(this.#model)));
  }
}

/** Which cells differ between two computations. Stages of another shape are left out. */
function differences(before: Numbers, after: Numbers): Changes {
  const shape = (numbers: Numbers, name: string) => numbers.of(name).description.shape.join();
  const names = [...after.trace.inputs, ...after.trace.stages].filter((name) => before.has(name));
  // The trace of the numbers before is about to go: what is compared is read now.
  const old = new Map(
    names
      .filter((name) => shape(before, name) === shape(after, name))
      .map((name) => [name, before.of(name).data] as const),
  );
  return (name, flat) => {
    const data = old.get(name);
    return data !== undefined && !Object.is(data[flat], after.of(name).data[flat]);
  };
}
