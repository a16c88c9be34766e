// One core for all elements of a page. The last element to leave lets go of it.

import { loadLoom } from "../core/index.ts";
import type { Loom } from "../core/types.ts";

/** Brings the core. */
export type LoomLoader = () => Promise<Loom>;

interface Shared {
  readonly loom: Promise<Loom>;
  users: number;
}

const shared = new Map<LoomLoader, Shared>();

/** The default loader. */
export const defaultLoader: LoomLoader = () => loadLoom();

/** The shared core of a loader, and a function to let go of it (calling that again does nothing). */
export function borrowLoom(loader: LoomLoader = defaultLoader): { loom: Promise<Loom>; release(): void } {
  let entry = shared.get(loader);
  if (!entry) {
    entry = { loom: loader(), users: 0 };
    shared.set(loader, entry);
    // A core that failed to load is asked for again by the next element.
    entry.loom.catch(() => shared.delete(loader));
  }
  const mine = entry;
  mine.users++;
  let held = true;
  return {
    loom: mine.loom,
    release() {
      if (!held) return;
      held = false;
      mine.users--;
      if (mine.users > 0) return;
      if (shared.get(loader) === mine) shared.delete(loader);
      mine.loom.then(
        (loom) => loom.dispose(),
        () => undefined,
      );
    },
  };
}
