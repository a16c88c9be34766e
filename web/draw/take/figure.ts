// A frame as a drawing: its tables in the layout of the page, the place above, the sentence below.

import type { Slot } from "../picture.ts";
import { cornerLayout } from "./corner-layout.ts";
import { type FigureScene, type Layout, LINE, MARGIN, MOST_LABEL, runsOf } from "./layout.ts";
import { textWidth, wrapped } from "./measure.ts";
import { plainText } from "./runs.ts";
import type { Drawing, Run, Shape } from "./shapes.ts";
import { tableShapes } from "./table-shapes.ts";
import { throughLayout } from "./through-layout.ts";

const LEAST_WIDTH = 420;
const SENTENCE_SIZE = 18;
const TITLE_SIZE = 15;
const CREDIT_SIZE = 12;

/** The drawing of a frame. */
export function figureDrawing(scene: FigureScene): Drawing {
  const { picture, palette, place, sentence, credit } = scene;
  const by = (slot: Slot) => picture.matrices.find((matrix) => matrix.slot === slot);
  const top0 = MARGIN + TITLE_SIZE + 18;
  const isEmpty = picture.matrices.some(({ cells }) => cells.length === 0 || cells[0]?.length === 0);
  const layout: Layout = isEmpty
    ? { tables: [], extras: [], right: 0, bottom: top0 }
    : picture.layout === "corner" && by("left")
      ? cornerLayout(scene, by, top0)
      : throughLayout(scene, by, top0);
  const width = Math.ceil(Math.max(LEAST_WIDTH, layout.right + MARGIN, textWidth(credit, CREDIT_SIZE) + 2 * MARGIN));
  const parts = layout.tables.map(({ matrix, place: at }) =>
    tableShapes(matrix, at, palette, picture.level, MOST_LABEL),
  );

  const text = (
    y: number,
    size: number,
    runs: readonly Run[],
    more: Partial<Extract<Shape, { kind: "text" }>>,
  ): Shape => ({
    kind: "text",
    x: width / 2,
    y,
    size,
    family: "ui",
    weight: 400,
    fill: palette.ink,
    anchor: "middle",
    runs,
    ...more,
  });
  const lines = wrapped(runsOf(sentence, palette), SENTENCE_SIZE, width - 2 * MARGIN);
  const sentenceY = layout.bottom + 34;
  const foot = sentenceY + (lines.length - 1) * SENTENCE_SIZE * LINE;
  const height = Math.ceil(foot + 44 + MARGIN / 2);
  const title = { x: MARGIN, anchor: "start", weight: 600 } as const;
  return {
    width,
    height,
    title: plainText(place),
    description: `${plainText(sentence.map((part) => part.text).join(""))} ${credit}`,
    shapes: [
      { kind: "rect", x: 0, y: 0, width, height, radius: 0, fill: palette.card },
      text(MARGIN + TITLE_SIZE - 2, TITLE_SIZE, [{ text: plainText(place) }], title),
      ...parts.flatMap(({ threads }) => threads),
      ...layout.extras,
      ...parts.flatMap(({ shapes }) => shapes),
      ...lines.map((runs, i) => text(sentenceY + i * SENTENCE_SIZE * LINE, SENTENCE_SIZE, runs, { family: "prose" })),
      text(height - MARGIN / 2, CREDIT_SIZE, [{ text: credit }], { x: MARGIN, anchor: "start", fill: palette.soft }),
    ],
  };
}
