import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../../tools/setup/paths.mjs";
import { run } from "./command.ts";

/** A fresh folder whose name has a space, an umlaut and a number sign. */
export const awkwardFolder = (): string => mkdtempSync(join(tmpdir(), "loom ü #1 "));

/** Packs the project as `npm publish` would. Returns the tarball's path. */
export async function pack(into: string): Promise<string> {
  await run("npm", ["pack", "--pack-destination", into], projectRoot);
  const file = readdirSync(into).find((name) => name.endsWith(".tgz"));
  if (!file) throw new Error(`npm pack wrote no tarball into ${into}`);
  return join(into, file);
}

export interface Installed {
  /** The temporary folder around it all, for the caller to remove. */
  readonly place: string;
  /** The folder of the consumer, with `node_modules` in it. */
  readonly consumer: string;
  /** The installed package. */
  readonly folder: string;
  /** The path of each file in the package, relative to it. */
  readonly files: readonly string[];
}

/** Packs the project and installs the tarball, without network, in an otherwise empty folder. */
export async function installPacked(): Promise<Installed> {
  const place = awkwardFolder();
  const tarball = await pack(place);
  const consumer = join(place, "consumer");
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), `{ "name": "consumer", "private": true, "type": "module" }\n`);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], consumer);
  const folder = join(consumer, "node_modules", "attention-loom");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return { place, consumer, folder, files };
}
