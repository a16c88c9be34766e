// Every bundler and every browser finds a wasm file through one literal `new URL("./….wasm", import.meta.url)`.
// The sources name the files in the build folder, the compiler's loader has an address of its own, and the
// minifier writes addresses with backticks; bundlers follow none of these.

/** The wasm files that ship; the first is the one that pages load. */
export const wasmFiles = ["loom-core.wasm", "loom-core-relaxed.wasm", "loom-core-scalar.wasm"];

/** An address in any quotes, as the minifier writes it. */
const anyQuotes = /new URL\(\s*(["'`])\.\/(loom-core[\w-]*\.wasm)\1\s*,\s*import\.meta\.url\s*\)/g;

/** The one form that ships. */
const literal = (/** @type {string} */ file) => `new URL("./${file}", import.meta.url)`;

/** @param {string} code of a source file @returns {string} the code with the wasm beside the script, as in dist/ */
export const withWasmBeside = (code) => code.replace(/"\.\.\/\.\.\/build\/wasm\/(loom-core[\w-]*\.wasm)"/g, '"./$1"');

/**
 * The loader's own address is asked only when nobody hands it a module; the facade always does.
 *
 * @param {string} loader the compiler's loader
 */
export function withoutOwnAddress(loader) {
  const file = wasmFiles[0];
  const address = `new URL("${file}",import.meta.url).href`;
  if (!loader.includes(address)) throw new Error(`The compiler's loader does not contain ${address} any more.`);
  return loader.replaceAll(address, `"${file}"`);
}

/** @param {string} code @returns {string} the minified code with the addresses in the form that ships */
export const withLiteralUrls = (code) => code.replace(anyQuotes, (_all, _quote, file) => literal(file));

/** @param {string} code @returns {number} how many addresses of wasm files the code contains, in whatever form */
export const countUrls = (code) => [...code.matchAll(/new URL\([^)]*\.wasm/g)].length;

/** @param {string} code @param {string} file @returns {number} how many addresses of this file have the form that ships */
export const countLiterals = (code, file) => code.split(literal(file)).length - 1;
