// A drawing as an SVG file that any viewer shows alike: plain elements with plain attributes. No style sheet, no classes,
// no custom properties, no HTML inside, no ids (two of them may stand in one page).

import { type Drawing, FAMILIES, type Point, type Run, type Shape } from "./shapes.ts";

const number = (value: number) => String(Math.round(value * 100) / 100);

/** Text of XML: what it cannot hold (most control characters, halves of pairs) becomes the replacement character. */
export function xmlText(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const attributes = (list: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(list)
    .map(([name, value]) =>
      value === undefined ? "" : ` ${name}="${typeof value === "number" ? number(value) : xmlText(value)}"`,
    )
    .join("");

const path = (points: readonly Point[]) => `M${points.map(([x, y]) => `${number(x)} ${number(y)}`).join("L")}Z`;

/** How far a subscript is set below its line, as a share of the size; and its own size. */
export const SUB_DROP = 0.22;
export const SUB_SIZE = 0.75;

function runsText(runs: readonly Run[], size: number): string {
  let dropped = 0;
  return runs
    .map(({ text, fill, weight, isSub }) => {
      const drop = (isSub ? SUB_DROP * size : 0) - dropped;
      dropped += drop;
      const more = attributes({
        fill,
        "font-weight": weight,
        dy: drop === 0 ? undefined : drop,
        "font-size": isSub ? size * SUB_SIZE : undefined,
      });
      return more === "" ? xmlText(text) : `<tspan${more}>${xmlText(text)}</tspan>`;
    })
    .join("");
}

function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case "rect": {
      const { x, y, width, height, radius, fill, stroke, strokeWidth, isDashed } = shape;
      return `<rect${attributes({ x, y, width, height, rx: radius, fill, stroke, "stroke-width": strokeWidth, "stroke-dasharray": isDashed ? "3 2.5" : undefined })}/>`;
    }
    case "line":
      return `<line${attributes({ x1: shape.from[0], y1: shape.from[1], x2: shape.to[0], y2: shape.to[1], stroke: shape.stroke, "stroke-width": shape.width })}/>`;
    case "polygons":
      return `<path${attributes({ d: shape.polygons.map(path).join(""), fill: shape.fill })}/>`;
    case "text": {
      const { x, y, size, family, weight, fill, anchor, runs } = shape;
      const list = { x, y, "font-family": FAMILIES[family], "font-size": size, "font-weight": weight, fill };
      const more = anchor === "start" ? undefined : anchor;
      return `<text${attributes({ ...list, "text-anchor": more })} xml:space="preserve">${runsText(runs, size)}</text>`;
    }
  }
}

/** The file. */
export function svgText({ width, height, title, description, shapes }: Drawing): string {
  const size = { width, height, viewBox: `0 0 ${number(width)} ${number(height)}` };
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg"${attributes(size)} role="img">
<title>${xmlText(title)}</title>
<desc>${xmlText(description)}</desc>
${shapes.map(shapeText).join("\n")}
</svg>
`;
}
