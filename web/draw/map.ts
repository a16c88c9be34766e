// The map of all stages with their true shapes as dots, filled as far as the reader has come.

import { html, type TemplateResult } from "lit";
import type { StageDescription } from "../core/types.ts";
import { symbolText } from "./message.ts";
import { symbolOf } from "./names.ts";
import { type Scene, sceneScale, titleOf } from "./scene.ts";
import { gridOf } from "./shape.ts";
import { roleOf } from "./tokens.ts";

/** Larger matrices are drawn with this many dots along a side. */
const MOST_DOTS = 7;
const STEP = 4;
const SIDE = 3;

function dots(description: StageDescription, done: (row: number, column: number) => boolean): TemplateResult {
  const { rows, columns } = gridOf(description);
  const down = Math.min(rows, MOST_DOTS);
  const across = Math.min(columns, MOST_DOTS);
  let filled = "";
  let open = "";
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const isDone = done(Math.floor((row * rows) / down), Math.floor((column * columns) / across));
      if (isDone) filled += `M${column * STEP} ${row * STEP}h${SIDE}v${SIDE}h-${SIDE}z`;
      else open += `M${column * STEP + 0.5} ${row * STEP + 0.5}h${SIDE - 1}v${SIDE - 1}h-${SIDE - 1}z`;
    }
  }
  const width = Math.max(SIDE, across * STEP - 1);
  const height = Math.max(SIDE, down * STEP - 1);
  return html`<svg class="dots" width=${width} height=${height} viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false"
      ><path class="filled" d=${filled}></path><path class="open" d=${open}></path></svg>`;
}

/** The map. `focused` is the stage that the Tab key reaches. */
export function stageMap(scene: Scene, focused = scene.cursor.stage): TemplateResult {
  const { numbers, cursor, strings, highlight } = scene;
  const stages = numbers.stages;
  const here = stages.findIndex(({ name }) => name === cursor.stage);
  const scale = sceneScale(scene);
  const isDone = (position: number, head: number, row: number, column: number): boolean => {
    if (position !== here || cursor.level === "stage") return position <= here;
    if (head !== cursor.head) return head < cursor.head;
    if (row !== cursor.row) return row < cursor.row;
    return cursor.level === "row" || column <= cursor.column;
  };
  return html`<div class="map" role="toolbar" aria-label=${strings.text("map.label")} dir="ltr">${stages.map(
    (description, position) => {
      const { name } = description;
      const grid = gridOf(description);
      const shape =
        grid.heads > 1
          ? strings.text("map.shapeHeads", { heads: grid.heads, rows: grid.rows, columns: grid.columns })
          : strings.text("map.shape", { rows: grid.rows, columns: grid.columns });
      const title = titleOf(scene, name);
      const symbol = symbolOf(name, scale);
      return html`<button type="button" class="stop role-${roleOf(name)}${position === here ? " here" : ""}${highlight?.stage === name ? " lit" : ""}" data-stage=${name}
          tabindex=${name === focused ? "0" : "-1"} aria-current=${position === here ? "step" : "false"}
          aria-label=${strings.text("map.stage", { name: title, symbol: symbol.replace("_", ""), shape })}
          ><span class="ground">${dots(description, (row, column) => isDone(position, cursor.head, row, column))}</span>
          <span class="name">${title}</span> <span class="symbol">${symbolText(symbol)}</span></button>`;
    },
  )}</div>`;
}
