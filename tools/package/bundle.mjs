// Bundles the package's entries with rolldown; what they share lies in chunks beside them.
import { relative } from "node:path";
import { rolldown } from "rolldown";
import { inProject, projectRoot } from "../setup/paths.mjs";
import { mathFontFile } from "./math-font.mjs";
import {
  countLiterals,
  countUrls,
  wasmFiles,
  withLiteralUrls,
  withoutOwnLoading,
  withWasmBeside,
} from "./wasm-url.mjs";

const register = inProject("web/elements/register.ts");

/** Everything but the element for Node. The font is an entry so that both kinds of element load one file. */
const entries = {
  index: inProject("web/core/index.ts"),
  node: inProject("web/core/node.ts"),
  element: register,
  "math-font": mathFontFile,
};

/** The element's core and font, in the files that are there already. */
const beside = new Map([
  [inProject("web/core/index.ts"), "./node.js"],
  [mathFontFile, "./math-font.js"],
]);

/** @type {import("rolldown").Plugin} */
const filesBeside = {
  name: "files-beside",
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    const file = found && beside.get(found.id);
    return file ? { id: file, external: true } : found;
  },
};

/** @type {import("rolldown").Plugin} */
const oneAddressEach = {
  name: "one-address-for-each-wasm",
  transform(code, id) {
    if (id.endsWith("/build/wasm/loom-core.mjs")) return { code: withoutOwnLoading(code), map: null };
    if (code.includes("build/wasm/loom-core.wasm")) return { code: withWasmBeside(code), map: null };
    return undefined;
  },
};

/** The minifier writes `import(…)` with backticks, which not every tool that reads imports takes for a plain name. */
const withPlainImports = (/** @type {string} */ code) => code.replace(/\bimport\(`(\.\/[\w.-]+)`\)/g, 'import("$1")');

/** @typedef {{ fileName: string, code: string, isEntry: boolean, imports: string[], modules: string[] }} Chunk */

/**
 * @param {Record<string, string>} input names and files of the entries
 * @param {"browser" | "node"} platform which of the builds that a dependency offers is taken
 * @param {import("rolldown").Plugin[]} plugins
 * @returns {Promise<Chunk[]>}
 */
async function bundle(input, platform, plugins) {
  const build = await rolldown({
    input,
    cwd: projectRoot,
    platform,
    external: /^node:/,
    transform: { target: "es2022" },
    plugins,
  });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name].js",
    // Chunks lie beside the wasm, so that the address `./…` holds in each of them.
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
  return output.map((chunk) => {
    if (chunk.type !== "chunk") throw new Error(`The bundle contains ${chunk.fileName}, which is no script.`);
    const modules = chunk.moduleIds.map((id) => relative(projectRoot, id.replace(/^\0/, "")));
    const code = withPlainImports(withLiteralUrls(chunk.code));
    return {
      fileName: chunk.fileName,
      code,
      isEntry: chunk.isEntry,
      imports: [...chunk.imports, ...chunk.dynamicImports],
      modules,
    };
  });
}

/**
 * `./element` has a second file for Node: Lit's own build for it does not ask for a document when it is imported.
 *
 * @returns {Promise<Chunk[]>} the chunks, with the modules of each as paths relative to the project
 */
export async function bundlePackage() {
  return [
    ...(await bundle(entries, "browser", [oneAddressEach])),
    ...(await bundle({ "element-node": register }, "node", [filesBeside])),
  ];
}

/**
 * @param {Chunk[]} chunks
 * @param {string} entry file name of an entry
 * @returns {Chunk[]} the entry and everything it loads, now or later
 */
export function reachable(chunks, entry) {
  const names = new Set([entry]);
  for (const name of names) {
    for (const next of chunks.find((chunk) => chunk.fileName === name)?.imports ?? []) names.add(next);
  }
  return chunks.filter((chunk) => names.has(chunk.fileName));
}

/** Fails unless browsers and bundlers find exactly one address of each wasm file, in the form they all follow. */
export function assertOneAddressEach(/** @type {Chunk[]} */ chunks) {
  const browser = new Set([...reachable(chunks, "index.js"), ...reachable(chunks, "element.js")]);
  const found = [...browser].filter((chunk) => countUrls(chunk.code) > 0);
  const all = found.reduce((sum, chunk) => sum + countUrls(chunk.code), 0);
  const literals = wasmFiles.map((file) => found.reduce((sum, chunk) => sum + countLiterals(chunk.code, file), 0));
  if (all === wasmFiles.length && literals.every((count) => count === 1)) return;
  const where = found.map((chunk) => `${chunk.fileName}: ${countUrls(chunk.code)}`).join(", ") || "none";
  throw new Error(
    `Expected one literal address each of ${wasmFiles.join(", ")} in the browser's files, found ${literals.join(", ")} (all: ${where}).`,
  );
}
