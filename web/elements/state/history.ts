// What undo remembers, asked for one thing.

import type { Model } from "./model.ts";
import type { LoomState } from "./reducer.ts";

/** The latest model before this one that had something, else the one from the start. */
export const lastWith = ({ past, start }: LoomState, has: (model: Model) => boolean): Model =>
  [...past].reverse().find(has) ?? start;
