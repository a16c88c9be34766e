// One line per stage with the time it took, and one sentence when a stage cannot be done.

/** A set-up step that cannot go on. The message is one sentence that says what to do; it is printed without a stack. */
export class SetupError extends Error {
  /** @param {string} sentence what was wanted, what was found and what to do */
  constructor(sentence) {
    super(sentence);
    this.name = "SetupError";
  }
}

/** @param {number} milliseconds */
export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Runs one stage and prints `✓ name  what it found  time`.
 * A stage that is going to take long calls `say` with a sentence first, so that nobody waits in the dark.
 *
 * @template T
 * @param {string} name
 * @param {(say: (sentence: string) => void) => Promise<{ note: string, value?: T }> | { note: string, value?: T }} work
 * @returns {Promise<T | undefined>}
 */
export async function stage(name, work) {
  const start = performance.now();
  const { note, value } = await work((sentence) => console.log(`… ${name.padEnd(16)} ${sentence}`));
  console.log(`✓ ${name.padEnd(16)} ${note}  ${seconds(performance.now() - start)}`);
  return value;
}

/**
 * Runs a command-line program; a failure ends it with its sentence and exit code 1. LOOM_DEBUG=1 shows the stack too.
 *
 * @param {() => Promise<void>} program
 */
export async function main(program) {
  try {
    await program();
  } catch (error) {
    const { message, stack } = /** @type {Error} */ (error);
    console.error(`✗ ${process.env.LOOM_DEBUG ? stack : message}`);
    process.exitCode = 1;
  }
}
