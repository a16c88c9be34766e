// The type declarations: written by tsc, with imports that resolve for every consumer.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { filesBelow } from "../build/fingerprint.mjs";
import { inProject, projectRoot } from "../setup/paths.mjs";

const relativeImport = /((?:from|import)\s*\(?\s*)"(\.{1,2}\/[^"]*)\.ts"/g;
const jsonImport = /((?:from|import)\s*\(?\s*)"(\.{1,2}\/[^"]*)\.json"/g;
const litImport = /((?:from|import)\s*\(?\s*)"lit"/g;
const bareImport = /(?:^(?:import|export)\b[^;]*?\bfrom\s*|\bimport\()"[^."][^"]*"/m;

/** `.ts` in imports turned into the `.js` that every consumer's setting resolves. @param {string} declarations */
export const withJsImports = (declarations) => declarations.replace(relativeImport, '$1"$2.js"');

/** Lit lies inside the script, so that no consumer installs it; this much of its types is seen from outside. */
const litTypes = `export interface CSSResult {
  readonly cssText: string;
}
export interface TemplateResult {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}
export type PropertyValues = Map<PropertyKey, unknown>;
export declare class LitElement extends HTMLElement {
  /** Settles when what was set last is drawn. */
  readonly updateComplete: Promise<boolean>;
  readonly renderRoot: HTMLElement | DocumentFragment;
  requestUpdate(): void;
}
`;

/** @param {unknown} value of a JSON file @returns {string} its type; texts stay texts of any content */
function typeOf(value) {
  if (Array.isArray(value)) return `readonly (${[...new Set(value.map(typeOf))].join(" | ") || "never"})[]`;
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  return `{ ${Object.entries(value)
    .map(([key, item]) => `readonly ${JSON.stringify(key)}: ${typeOf(item)};`)
    .join(" ")} }`;
}

/**
 * Consumers need no setting for JSON files: their types lie in declarations.
 *
 * @param {string} file a declaration that tsc wrote to dist/types
 * @param {string} text what stands in it
 */
function withoutJson(file, text) {
  return text.replace(jsonImport, (_all, before, /** @type {string} */ name) => {
    const path = join(dirname(file), `${name}.json`);
    const source = path.replace(inProject("dist/types"), inProject("web"));
    const type = typeOf(JSON.parse(readFileSync(source, "utf8")));
    writeFileSync(path.replace(/\.json$/, ".json.d.ts"), `declare const json: ${type};\nexport default json;\n`);
    return `${before}"${name}.json.js"`;
  });
}

/** Writes dist/types. @returns {boolean} whether tsc had nothing to complain about */
export function writeTypes() {
  const tsc = inProject("node_modules/typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], {
    cwd: projectRoot,
    stdio: "inherit",
  });
  const types = inProject("dist/types");
  const lit = `${types}/lit.js`;
  for (const file of filesBelow(types)) {
    const path = relative(dirname(file), lit);
    const text = withoutJson(file, withJsImports(readFileSync(file, "utf8")).replace(litImport, `$1"${path}"`));
    const bare = bareImport.exec(text);
    if (bare) throw new Error(`${relative(types, file)} asks consumers for a package: ${bare[0]}`);
    writeFileSync(file, text);
  }
  writeFileSync(lit.replace(/\.js$/, ".d.ts"), litTypes);
  return status === 0;
}
