// npm run update:interface: stores the wasm's imports and exports after a change that was wanted; look at the diff.
import { writeFileSync } from "node:fs";
import { readInterface, storedFile } from "./package/wasm-interface.mjs";

writeFileSync(storedFile, `${JSON.stringify(readInterface(), null, 2)}\n`);
