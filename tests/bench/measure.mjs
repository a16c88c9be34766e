// Interleaved timing: every round runs each contestant once, so that a busy machine slows all alike.

/** Before it counts: until a contestant ran this long and this often, so that the engine has compiled it for good. */
const WARM_MS = 150;
const WARM_CALLS = 3;

/** One that is this many times slower than the fastest leaves after this many rounds, if a single call fills a round. */
const TOO_SLOW = 3;
const ROUNDS_FOR_ALL = 3;

export const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[sorted.length >> 1];
};

/** Milliseconds of one call, over `calls` of them. Waits only for those that answer with a promise. */
async function timeOf(run, calls) {
  const first = performance.now();
  for (let i = 0; i < calls; i++) {
    const answer = run();
    if (answer instanceof Promise) await answer;
  }
  return (performance.now() - first) / calls;
}

async function warmUp(run) {
  const until = performance.now() + WARM_MS;
  let calls = 0;
  for (; calls < WARM_CALLS || performance.now() < until; calls++) {
    const answer = run();
    if (answer instanceof Promise) await answer;
    // Slow ones are compiled after a few calls.
    if (calls + 1 >= WARM_CALLS && performance.now() >= until) break;
  }
}

/**
 * @param {{ name: string, run: () => unknown, stays?: boolean }[]} ready `stays`: however slow it is
 * @param {{ rounds: number, roundMs: number }} options
 * @returns {Promise<Record<string, number[]>>} milliseconds of one call, by name and round
 */
export async function measure(ready, { rounds, roundMs }) {
  const calls = {};
  const times = Object.fromEntries(ready.map(({ name }) => [name, []]));
  for (const { name, run } of ready) {
    await warmUp(run);
    // Counted twice: clocks in browsers are coarse.
    const guess = await timeOf(run, 1);
    const few = Math.max(1, Math.ceil(roundMs / 4 / Math.max(guess, 0.001)));
    calls[name] = Math.max(1, Math.round(roundMs / Math.max(await timeOf(run, few), 1e-5)));
  }
  let running = ready;
  for (let round = 0; round < rounds; round++) {
    if (round === ROUNDS_FOR_ALL) {
      const fastest = Math.min(...running.filter(({ flops }) => !flops).map(({ name }) => Math.min(...times[name])));
      running = running.filter(
        ({ name, stays }) => stays || calls[name] > 1 || Math.min(...times[name]) <= TOO_SLOW * fastest,
      );
    }
    for (const { name, run } of running) times[name].push(await timeOf(run, calls[name]));
  }
  return times;
}
