// Interleaved timing: every round runs each contestant once, so that a busy machine slows all alike.

/** Before it counts, each runs this long and this often, so that the engine has compiled it for good … */
const WARM_MS = 150;
const WARM_CALLS = 3;
/** … but no more calls than fit into this. */
const WARM_MOST_MS = 1000;

/** One that is this many times slower than the fastest leaves after `slowRounds`, if one call takes as many rounds' time. */
const TOO_SLOW = 5;

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
  const first = performance.now();
  for (let calls = 1; ; calls++) {
    await timeOf(run, 1);
    const gone = performance.now() - first;
    if ((calls >= WARM_CALLS && gone >= WARM_MS) || gone >= WARM_MOST_MS) return;
  }
}

/** How many calls fill a round: twice as many until they last long enough for a clock that is coarse, as in browsers. */
async function callsPerRound(run, roundMs) {
  for (let calls = 1; ; calls *= 2) {
    const ms = await timeOf(run, calls);
    if (ms * calls >= roundMs / 4) return Math.max(1, Math.round(roundMs / ms));
  }
}

/**
 * @param {{ name: string, run: () => unknown, known?: number, stays?: boolean, limit?: boolean }[]} ready `known`:
 *   milliseconds of an earlier call; `stays`: however slow it is; `limit`: no contestant, but a limit of the machine
 * @param {{ rounds: number, slowRounds: number, roundMs: number }} options
 * @returns {Promise<Record<string, number[]>>} milliseconds of one call, by name and round
 */
export async function measure(ready, { rounds, slowRounds, roundMs }) {
  const calls = {};
  const times = Object.fromEntries(ready.map(({ name }) => [name, []]));
  for (const { name, run, known } of ready) {
    // One that takes this long is warm after the call that checked it.
    const slow = known !== undefined && known >= WARM_MOST_MS;
    if (!slow) await warmUp(run);
    calls[name] = slow ? 1 : await callsPerRound(run, roundMs);
  }
  let running = ready;
  for (let round = 0; round < rounds; round++) {
    if (round === slowRounds) {
      const least = ({ name }) => Math.min(...times[name]);
      const fastest = Math.min(...ready.filter(({ limit }) => !limit).map(least));
      const longest = TOO_SLOW * Math.max(fastest, roundMs);
      running = ready.filter((each) => each.stays || least(each) <= longest);
    }
    for (const { name, run } of running) times[name].push(await timeOf(run, calls[name]));
  }
  return times;
}
