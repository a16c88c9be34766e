// Importing this file registers <loom-attention>.

import { defineLoom } from "./define.ts";

export { defineLoom, VERSION } from "./define.ts";
export { LoomAttention } from "./loom-attention.ts";

defineLoom();
