// A figure as text, for pages without scripts: the same templates as in the element, rendered in Node at build time.

import { render } from "@lit-labs/ssr";
import { collectResultSync } from "@lit-labs/ssr/lib/render-result.js";
import { html } from "lit";
import type { Loom } from "../core/types.ts";
import { stringsFor } from "../strings/index.ts";
import { cornerFigure } from "./corner.ts";
import type { Cursor, Level } from "./cursor.ts";
import { message } from "./message.ts";
import { decimalMark } from "./number.ts";
import { Numbers, type TraceView } from "./numbers.ts";
import { pictureOf } from "./picture.ts";
import type { Scene } from "./scene.ts";
import { sentenceOf } from "./sentence.ts";
import { exampleInput, type StillExample } from "./still-example.ts";
import { workStrip } from "./work.ts";

export { figureCss } from "./styles.ts";

/** One frame of a trace as HTML: its tables, and its sentence. */
export function renderScene(scene: Scene): string {
  const picture = pictureOf(scene);
  const still = { still: true } as const;
  const use = { left: still, top: still, through: still, result: still };
  const template = html`<div class="loom-still"><div class="scroll">${cornerFigure(picture, scene.strings, use)}</div>
    ${workStrip(scene)}<p class="sentence">${message(sentenceOf(scene))}</p></div>`;
  // The marks that Lit leaves for a later update are of no use on a page that stays as it is. Text cannot hold one:
  // its "<" is escaped.
  return collectResultSync(render(template)).replace(/<!--.*?-->/gs, "");
}

/**
 * The still figure of an example.
 *
 * @param attributes those of the element it stands in for; `stage` and `level` choose the frame
 * @param lang language of the sentence
 */
export function renderStaticFigure(
  loom: Pick<Loom, "attend">,
  example: StillExample,
  attributes: ReadonlyMap<string, string>,
  lang: string,
): string {
  const { xKv, tokensQ, tokensKv } = example;
  const { trace } = loom.attend({ ...exampleInput(example), trace: true });
  if (!trace) throw new Error("The core returned no trace although trace: true was asked for.");
  const strings = stringsFor(lang);
  const view: TraceView = trace;
  const cursor: Cursor = {
    level: (attributes.get("level") ?? "stage") as Level,
    stage: attributes.get("stage") ?? trace.stages[0] ?? "",
    head: 0,
    row: 0,
    column: 0,
    term: 0,
  };
  const scene = {
    numbers: new Numbers(view, decimalMark(strings.language)),
    cursor,
    tokensQ,
    tokensKv,
    strings,
    self: !xKv,
  };
  const text = renderScene(scene);
  trace.dispose();
  return text;
}
