// The set-up as a list of stages. Each brings what is missing and nothing twice.
import { bringPackages, needs } from "./apt.mjs";
import { bringCompiler } from "./compiler.mjs";
import { bringNpmPackages } from "./npm.mjs";
import { stage } from "./stage.mjs";
import { writeToolchainFiles } from "./toolchain-files.mjs";

/**
 * @param {{ native?: boolean, test?: boolean }} [extras] `native` brings what native builds and checks need as well,
 *   `test` what the test suite needs (a browser, NumPy)
 */
export async function setUp({ native = false, test = false } = {}) {
  await stage("npm packages", async (say) => ({ note: await bringNpmPackages(say) }));
  const wanted = [...needs.wasm, ...(native || test ? needs.native : []), ...(test ? needs.test : [])];
  await stage("system packages", async (say) => ({ note: await bringPackages(wanted, say) }));
  const compiler = await stage("compiler", async (say) => {
    const value = await bringCompiler(say);
    return { note: `emcc ${value.version} (${value.kind})`, value };
  });
  await stage("toolchain files", () => ({ note: writeToolchainFiles(/** @type {any} */ (compiler)) }));
}
