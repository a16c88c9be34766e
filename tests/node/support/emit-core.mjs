// Writes web/core as plain JavaScript with the built wasm beside it, in the same folders, so that bare Node can import
// it:  node tests/node/support/emit-core.mjs <folder>   →   <folder>/web/core/node.js

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";

const files = ["loom-core.mjs", "loom-core.wasm", "loom-core-relaxed.wasm", "loom-core-scalar.wasm"];
const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * @param {string} folder where to write; made if it is missing
 * @returns {string} path of the Node entry
 */
export function emitCore(folder) {
  const wasm = join(root, "build", "wasm");
  for (const file of files) {
    if (!existsSync(join(wasm, file))) throw new Error(`build/wasm/${file} is missing: build the wasm core first`);
  }
  const target = join(folder, "web", "core");
  mkdirSync(target, { recursive: true });
  mkdirSync(join(folder, "build", "wasm"), { recursive: true });
  for (const file of files) cpSync(join(wasm, file), join(folder, "build", "wasm", file));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const name of readdirSync(join(root, "web", "core"), { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts") || name.endsWith(".d.ts")) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    const { outputText } = ts.transpileModule(readFileSync(join(root, "web", "core", name), "utf8"), {
      fileName: name,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    writeFileSync(join(target, name.replace(/\.ts$/, ".js")), outputText);
  }
  return join(target, "node.js");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("expected a folder to write to");
  console.log(emitCore(folder));
}
