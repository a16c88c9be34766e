// Every bundler and every browser finds the wasm through one literal `new URL("./loom-core.wasm", import.meta.url)`.
// The sources name the file in the build folder, the compiler's loader has a second address of its own, and the
// minifier writes addresses with backticks; bundlers follow none of these.

const file = "loom-core.wasm";

/** The address in any quotes, as the minifier writes it. */
const anyQuotes = /new URL\(\s*(["'`])\.\/loom-core\.wasm\1\s*,\s*import\.meta\.url\s*\)/g;

/** The one form that ships. */
export const literal = `new URL("./${file}", import.meta.url)`;

/** @param {string} code of a source file @returns {string} the code with the wasm beside the script, as in dist/ */
export const withWasmBeside = (code) => code.replaceAll(`"../../build/wasm/${file}"`, `"./${file}"`);

/**
 * The loader's own address is asked only when nobody hands it a module; the facade always does.
 *
 * @param {string} loader the compiler's loader
 */
export function withoutOwnAddress(loader) {
  const address = `new URL("${file}",import.meta.url).href`;
  if (!loader.includes(address)) throw new Error(`The compiler's loader does not contain ${address} any more.`);
  return loader.replaceAll(address, `"${file}"`);
}

/** @param {string} code @returns {string} the minified code with the address in the form that ships */
export const withLiteralUrl = (code) => code.replace(anyQuotes, literal);

/** @param {string} code @returns {number} how many addresses of a wasm file the code contains, in whatever form */
export const countUrls = (code) => [...code.matchAll(/new URL\([^)]*\.wasm/g)].length;

/** @param {string} code @returns {number} how many of them have the form that ships */
export const countLiterals = (code) => code.split(literal).length - 1;
