// Makes dist/, the folder the npm package ships: the entries with their chunks, the wasm, the types.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { assertOneAddressEach, bundlePackage } from "./package/bundle.mjs";
import { writeMathFont } from "./package/math-font.mjs";
import { writeTypes } from "./package/types.mjs";
import { wasmFiles } from "./package/wasm-url.mjs";
import { inProject } from "./setup/paths.mjs";

const dist = inProject("dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

await writeMathFont();
const chunks = await bundlePackage();
assertOneAddressEach(chunks);
for (const { fileName, code } of chunks) writeFileSync(`${dist}/${fileName}`, code);
for (const file of wasmFiles) cpSync(inProject("build/wasm", file), `${dist}/${file}`);

if (!writeTypes()) process.exit(1);

// What went into which file: read by the supply-chain test, not shipped.
const record = chunks.map(({ fileName, imports, modules }) => ({ fileName, imports, modules }));
mkdirSync(inProject("build"), { recursive: true });
writeFileSync(inProject("build", "package-modules.json"), `${JSON.stringify(record, null, 2)}\n`);
