// The heat map on a canvas, with a bar for each row and column, and a frame around the part that the tables show.

import { COVERED, type Heat, heatOf, OUT_OF_RANGE } from "./heat.ts";
import type { Span } from "./pages.ts";
import { channels, type Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";
import { roleOf } from "./tokens.ts";

/** Largest and smallest side of the map and of one cell, in CSS pixels. */
const MOST_SIDE = 256;
const LEAST_SIDE = 24;
const MOST_CELL = 12;
/** Length of the longest bar, and its distance from the map. */
const BAR = 28;
const AWAY = 4;

/** Where everything lies, in CSS pixels: the map at the top left, bars to its right and below it. */
export interface HeatLayout {
  readonly across: number;
  readonly down: number;
  readonly width: number;
  readonly height: number;
}

const sideOf = (cells: number) => Math.max(LEAST_SIDE, Math.min(MOST_SIDE, cells * MOST_CELL));

/** The layout for a matrix of so many rows and columns. */
export function heatLayout(rows: number, columns: number): HeatLayout {
  const [across, down] = [sideOf(columns), sideOf(rows)];
  return { across, down, width: across + AWAY + BAR, height: down + AWAY + BAR };
}

/** The cell under a place of the canvas, in shares of its width and height; nothing beside the map. */
export function cellAt(
  rows: number,
  columns: number,
  x: number,
  y: number,
): { readonly row: number; readonly column: number } | undefined {
  const { across, down, width, height } = heatLayout(rows, columns);
  const column = Math.floor(((x * width) / across) * columns);
  const row = Math.floor(((y * height) / down) * rows);
  return row >= 0 && column >= 0 && row < rows && column < columns ? { row, column } : undefined;
}

type Colour = readonly [number, number, number];
const colourOf = (text: string): Colour => channels(text) ?? [0, 0, 0];

/** The map itself, each spot as many pixels as it has room for. Stripes say a negative number, hatching a covered one. */
function mapImage(heat: Heat, width: number, height: number, palette: Palette, fill: Colour): ImageData {
  const image = new ImageData(width, height);
  const [card, line, bad] = [colourOf(palette.card), colourOf(palette.line), colourOf(palette.bad)];
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * heat.height) / height) * heat.width;
    for (let x = 0; x < width; x++) {
      const strength = heat.spots[row + Math.floor((x * heat.width) / width)] ?? COVERED;
      const isStripe = ((x + y) & 3) < 2;
      let colour = fill;
      let share = Math.abs(strength);
      if (Number.isNaN(strength)) [colour, share] = [line, ((x - y) & 3) === 0 ? 1 : 0.25];
      else if (strength === OUT_OF_RANGE) [colour, share] = [bad, 1];
      else if (strength < 0 && isStripe) share *= 0.2;
      const at = 4 * (y * width + x);
      for (let i = 0; i < 3; i++)
        image.data[at + i] = (colour[i] as number) * share + (card[i] as number) * (1 - share);
      image.data[at + 3] = 255;
    }
  }
  return image;
}

/** Everything but the frame, which moves with every step. */
function background(scene: Scene, palette: Palette, density: number): HTMLCanvasElement | undefined {
  const { rows, columns } = scene.numbers.of(scene.cursor.stage).grid;
  const { across, down, width, height } = heatLayout(rows, columns);
  const pixels = (length: number) => Math.round(length * density);
  const canvas = document.createElement("canvas");
  canvas.width = pixels(width);
  canvas.height = pixels(height);
  const context = canvas.getContext("2d");
  if (!context) return undefined;
  const heat = heatOf(scene, pixels(across), pixels(down));
  const fill = palette[`${roleOf(scene.cursor.stage)}-fill`];
  context.putImageData(mapImage(heat, pixels(across), pixels(down), palette, colourOf(fill)), 0, 0);
  context.scale(density, density);
  context.fillStyle = fill;
  const bars = (sizes: Float32Array, length: number, draw: (from: number, thick: number, size: number) => void) => {
    sizes.forEach((size, i) => {
      draw((i * length) / sizes.length, Math.max(1 / density, length / sizes.length), size * BAR);
    });
  };
  if (columns > 1) bars(heat.rowSizes, down, (from, thick, size) => context.fillRect(across + AWAY, from, size, thick));
  if (rows > 1) bars(heat.columnSizes, across, (from, thick, size) => context.fillRect(from, down + AWAY, thick, size));
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.strokeRect(0.5, 0.5, across - 1, down - 1);
  return canvas;
}

/** Draws on one canvas, again and again. The map is made anew only where its numbers or colours are others. */
export class HeatCanvas {
  #key: readonly unknown[] = [];
  #background: HTMLCanvasElement | undefined;

  /**
   * @param down the rows that the tables show, and `across` the columns
   * @param density pixels of the screen in a CSS pixel
   */
  draw(
    canvas: HTMLCanvasElement,
    scene: Scene,
    spans: { down: Span; across: Span },
    palette: Palette,
    density: number,
  ) {
    const { numbers, cursor } = scene;
    const key = [numbers, cursor.stage, cursor.head, density, palette];
    if (key.some((part, i) => part !== this.#key[i])) {
      this.#key = key;
      this.#background = background(scene, palette, density);
    }
    const ground = this.#background;
    if (!ground) return;
    if (canvas.width !== ground.width || canvas.height !== ground.height) {
      canvas.width = ground.width;
      canvas.height = ground.height;
    }
    const context = canvas.getContext("2d");
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(ground, 0, 0);
    context.scale(density, density);
    drawVeil(context, scene, palette);
    drawFrame(context, spans, palette);
  }
}

/** Over the cells that are not made yet. */
function drawVeil(context: CanvasRenderingContext2D, { numbers, cursor }: Scene, palette: Palette): void {
  const { level, stage, row, column } = cursor;
  if (level === "stage") return;
  const { rows, columns } = numbers.of(stage).grid;
  const { across, down } = heatLayout(rows, columns);
  const next = ((row + 1) * down) / rows;
  context.globalAlpha = 0.6;
  context.fillStyle = palette.card;
  context.fillRect(0, next, across, down - next);
  if (level !== "row") {
    const right = ((column + 1) * across) / columns;
    context.fillRect(right, (row * down) / rows, across - right, down / rows);
  }
  context.globalAlpha = 1;
}

/** Around the cells that the tables show. */
function drawFrame(
  context: CanvasRenderingContext2D,
  { down, across }: { down: Span; across: Span },
  palette: Palette,
) {
  const layout = heatLayout(down.of, across.of);
  const box = (span: Span, length: number) => [span.from, span.count].map((cells) => (cells * length) / span.of);
  const [x = 0, width = 0] = box(across, layout.across);
  const [y = 0, height = 0] = box(down, layout.down);
  for (const [colour, thick] of [
    [palette.card, 4],
    [palette.ink, 2],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = thick;
    context.strokeRect(x - 1, y - 1, width + 2, height + 2);
  }
}
