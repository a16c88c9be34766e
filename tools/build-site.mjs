// node tools/build-site.mjs [--content folder] [--out folder]: lessons, pages, scripts, styles and fonts → build/site/, static files with hashed names.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { build } from "vite";
import { writeMathFont } from "./package/math-font.mjs";
import { inProject, projectRoot } from "./setup/paths.mjs";
import { main } from "./setup/stage.mjs";
import { buildFonts } from "./site/fonts.mjs";

// Vite would take the development build of a dependency where the caller's environment says so.
process.env.NODE_ENV = "production";

/** Bundles the page builder, so that plain Node can run it, and loads it. */
async function loadBuilder() {
  const bundle = await rolldown({
    input: inProject("web/site/build.ts"),
    platform: "node",
    // Packages stay outside; so does the core's glue, which is made by the compiler.
    external: (id) => !/^[./]|^[A-Za-z]:[\\/]/u.test(id) || id.endsWith("loom-core.mjs"),
    logLevel: "warn",
  });
  const file = inProject("build/tools/site.mjs");
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  return /** @type {typeof import("../web/site/build.ts")} */ (await import(pathToFileURL(file).href));
}

/** Writes a file under a name that changes with its content; returns that name. */
function writeHashed(/** @type {string} */ folder, /** @type {string} */ name, /** @type {string | Buffer} */ content) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 8);
  const hashed = name.replace(/(\.\w+)$/u, `-${hash}$1`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, hashed), content);
  return hashed;
}

/** Scripts, styles, fonts and wasm, through Vite. */
async function bundleAssets(/** @type {string} */ source, /** @type {string} */ out) {
  await build({
    configFile: false,
    root: projectRoot,
    base: "./",
    publicDir: false,
    logLevel: "warn",
    build: {
      outDir: out,
      emptyOutDir: true,
      target: "es2022",
      cssTarget: "esnext",
      assetsInlineLimit: 0,
      manifest: "manifest.json",
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: {
          main: inProject("web/site/main.ts"),
          figures: inProject("web/site/figures.ts"),
          style: join(source, "style.css"),
        },
      },
    },
  });
  const manifest = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"));
  rmSync(join(out, "manifest.json"));
  return /** @type {Record<string, { file: string, name?: string, src?: string, imports?: string[] }>} */ (manifest);
}

/** gzip and brotli beside every file that shrinks, for hosts that serve such files. */
function compress(/** @type {string} */ folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(?:html|js|css|svg|wasm|json)$/u.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: quality }));
  }
}

/** Faults of lessons are listed; then nothing is written and the exit code is 1. */
async function buildSite() {
  const { values: options } = parseArgs({ options: { content: { type: "string" }, out: { type: "string" } } });
  const final = options.out ? resolve(options.out) : inProject("build/site");
  const { readSite } = await loadBuilder();
  const site = await readSite(resolve(options.content ?? inProject("content")), options.content ?? "content");
  if (site.faults.length > 0) {
    for (const line of site.faults) console.error(line);
    process.exitCode = 1;
    return;
  }

  const source = inProject("build/site-source");
  const out = `${final}.new`;
  rmSync(source, { recursive: true, force: true });
  const draft = site.pages.map((page) => page.render(noAssets)).join("");
  const catalogues = ["web/strings", "web/site/strings"]
    .flatMap((folder) =>
      existsSync(inProject(folder)) ? readdirSync(inProject(folder)).map((name) => inProject(folder, name)) : [],
    )
    .filter((file) => file.endsWith(".json"))
    .map((file) => readFileSync(file, "utf8"));
  const fonts = await buildFonts(draft + catalogues.join(""), join(source, "fonts"), inProject("build/cache/fonts"));
  writeFileSync(
    join(source, "style.css"),
    [fonts.css, site.css, readFileSync(inProject("web/site/site.css"), "utf8")].join("\n"),
  );

  await writeMathFont();
  const manifest = await bundleAssets(source, out);
  const chunks = Object.values(manifest);
  const fileOf = (/** @type {string} */ end) => {
    const found = Object.entries(manifest).find(([name]) => name.endsWith(end))?.[1];
    if (!found) throw new Error(`The bundler made no ${end}.`);
    return found;
  };
  const figures = fileOf("web/site/figures.ts");
  /** @type {Set<string>} */
  const modules = new Set();
  const follow = (/** @type {string[] | undefined} */ names) => {
    for (const name of names ?? []) {
      const chunk = manifest[name];
      if (!chunk || modules.has(chunk.file)) continue;
      modules.add(chunk.file);
      follow(chunk.imports);
    }
  };
  follow(figures.imports);
  const assets = {
    css: fileOf("style.css").file,
    early: `assets/${writeHashed(join(out, "assets"), "theme.js", readFileSync(inProject("web/site/theme-early.js")))}`,
    icon: `assets/${writeHashed(join(out, "assets"), "icon.svg", readFileSync(inProject("web/site/icon.svg")))}`,
    main: fileOf("web/site/main.ts").file,
    figures: figures.file,
    modules: [...modules],
    wasm: fileOf("build/wasm/loom-core.wasm").file,
    fonts: fonts.preload.map((name) => chunks.find((chunk) => chunk.src?.endsWith(`/${name}`))?.file ?? ""),
  };
  for (const page of site.pages) {
    const html = page.render(assets);
    const stray = /<[^>]+\sstyle=|<style|<script(?![^>]*\ssrc=)/u.exec(html);
    if (stray) throw new Error(`${page.path} holds what a strict policy forbids: ${stray[0].slice(0, 80)}`);
    mkdirSync(dirname(join(out, page.path)), { recursive: true });
    writeFileSync(join(out, page.path), html);
  }
  for (const { from, path } of site.pictures) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    copyFileSync(from, join(out, path));
  }
  compress(out);
  rmSync(final, { recursive: true, force: true });
  renameSync(out, final);
}

const noAssets = { css: "", early: "", icon: "", main: "", figures: "", modules: [], wasm: "", fonts: [] };

await main(buildSite);
