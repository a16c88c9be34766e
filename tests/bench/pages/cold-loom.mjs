// As a page would use the core: one import, one call.

import { loadLoom } from "/loom/index.js";
import { done, first } from "./first.mjs";

const { heads, tokens, d, rows } = first;
const shape = [tokens, heads * d];
const loom = await loadLoom();
const { output } = loom.attend({
  q: { data: rows.q, shape },
  k: { data: rows.k, shape },
  v: { data: rows.v, shape },
  heads,
});
done(output.data);
