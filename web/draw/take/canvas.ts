// A drawing painted on a canvas: the same shapes as in the file, without an image in between, which the content policy of
// a page need not allow.

import { type Drawing, FAMILIES, type Shape } from "./shapes.ts";
import { SUB_DROP, SUB_SIZE } from "./svg.ts";

type Context = CanvasRenderingContext2D;

function paintText(context: Context, shape: Extract<Shape, { kind: "text" }>): void {
  const { x, y, size, family, weight, fill, anchor, runs } = shape;
  const font = (isSub: boolean | undefined, own = weight) =>
    `${own} ${isSub ? size * SUB_SIZE : size}px ${FAMILIES[family]}`;
  const widths = runs.map((run) => {
    context.font = font(run.isSub, run.weight);
    return context.measureText(run.text).width;
  });
  const all = widths.reduce((sum, width) => sum + width, 0);
  let from = anchor === "middle" ? x - all / 2 : anchor === "end" ? x - all : x;
  runs.forEach((run, i) => {
    context.font = font(run.isSub, run.weight);
    context.fillStyle = run.fill ?? fill;
    context.fillText(run.text, from, run.isSub ? y + SUB_DROP * size : y);
    from += widths[i] ?? 0;
  });
}

function paint(context: Context, shape: Shape): void {
  switch (shape.kind) {
    case "rect": {
      const { x, y, width, height, radius, fill, stroke, strokeWidth = 1, isDashed } = shape;
      context.beginPath();
      context.roundRect(x, y, width, height, radius);
      context.fillStyle = fill;
      context.fill();
      if (stroke === undefined) return;
      context.setLineDash(isDashed ? [3, 2.5] : []);
      context.lineWidth = strokeWidth;
      context.strokeStyle = stroke;
      context.stroke();
      return;
    }
    case "line":
      context.beginPath();
      context.setLineDash([]);
      context.moveTo(...shape.from);
      context.lineTo(...shape.to);
      context.lineWidth = shape.width;
      context.strokeStyle = shape.stroke;
      context.stroke();
      return;
    case "polygons":
      context.beginPath();
      for (const points of shape.polygons) {
        points.forEach(([x, y], i) => {
          if (i === 0) context.moveTo(x, y);
          else context.lineTo(x, y);
        });
        context.closePath();
      }
      context.fillStyle = shape.fill;
      context.fill();
      return;
    case "text":
      paintText(context, shape);
  }
}

/** Paints a drawing, each of its pixels `scale` by `scale` of the canvas, which gets the size for it. */
export function paintDrawing(canvas: HTMLCanvasElement, drawing: Drawing, scale: number): void {
  canvas.width = Math.ceil(drawing.width * scale);
  canvas.height = Math.ceil(drawing.height * scale);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser gives no canvas to draw on.");
  context.scale(scale, scale);
  context.textBaseline = "alphabetic";
  for (const shape of drawing.shapes) paint(context, shape);
}
