// The core as it ships, loaded once for each test file.

import { loadLoom } from "../../../web/core/node.ts";

export const loom = await loadLoom();
