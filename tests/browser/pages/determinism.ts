// Runs the corpus in the page and shows its hash.

import { loadLoom } from "../../../web/core/index.ts";
import { corpusBits, sha256 } from "../../node/support/corpus.ts";

const output = document.querySelector("#hash");
try {
  const loom = await loadLoom();
  if (output !== null) output.textContent = await sha256(corpusBits(loom));
} catch (error) {
  if (output !== null) output.textContent = `failed: ${error}`;
}
