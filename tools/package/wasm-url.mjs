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

/** From here to there the compiler's loader finds, fetches and compiles the wasm itself. */
const ownLoading = ["wasmBinaryFile??=findWasmBinary();", "return exports}"];
/** Before that: what it does where it is handed an instance. */
const handedOver = "if(instantiateWasm){return new Promise(";

/**
 * The loader would load the wasm only if nobody handed it an instance; the facade always does. Without these lines the
 * minifier finds that nobody calls the rest (0.4 kB with gzip), and no second address of the wasm file is left.
 *
 * @param {string} loader the compiler's loader
 */
export function withoutOwnLoading(loader) {
  const [first, last] = ownLoading;
  const begin = loader.indexOf(first);
  const end = loader.indexOf(last, begin);
  if (begin < 0 || end < 0 || !loader.slice(0, begin).endsWith(")}") || !loader.includes(handedOver)) {
    throw new Error("The compiler's loader has changed: where it loads the wasm by itself is not found any more.");
  }
  const rest = loader.slice(0, begin) + loader.slice(end + last.length - 1);
  return rest.replace(handedOver, handedOver.replace("if(instantiateWasm)", ""));
}

/** @param {string} code @returns {string} the minified code with the addresses in the form that ships */
export const withLiteralUrls = (code) => code.replace(anyQuotes, (_all, _quote, file) => literal(file));

/** @param {string} code @returns {number} how many addresses of wasm files the code contains, in whatever form */
export const countUrls = (code) => [...code.matchAll(/new URL\([^)]*\.wasm/g)].length;

/** @param {string} code @param {string} file @returns {number} how many addresses of this file have the form that ships */
export const countLiterals = (code, file) => code.split(literal(file)).length - 1;
