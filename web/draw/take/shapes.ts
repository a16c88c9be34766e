// A drawing as plain shapes, in CSS pixels from the upper left: what an SVG file and a canvas are both made from.

/** One run of a text. */
export interface Run {
  readonly text: string;
  readonly fill?: string;
  readonly weight?: number;
  /** Set lower and smaller. */
  readonly isSub?: boolean;
}

export type Shape =
  | {
      readonly kind: "rect";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly radius: number;
      readonly fill: string;
      readonly stroke?: string;
      readonly strokeWidth?: number;
      readonly isDashed?: boolean;
    }
  | { readonly kind: "line"; readonly from: Point; readonly to: Point; readonly stroke: string; readonly width: number }
  | { readonly kind: "polygons"; readonly polygons: readonly (readonly Point[])[]; readonly fill: string }
  | {
      readonly kind: "text";
      readonly x: number;
      /** Of the line that the letters stand on. */
      readonly y: number;
      readonly size: number;
      readonly family: "ui" | "prose";
      readonly weight: number;
      readonly fill: string;
      readonly anchor: "start" | "middle" | "end";
      readonly runs: readonly Run[];
    };

export type Point = readonly [x: number, y: number];

/** A whole drawing. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** What it is, and what it says. */
  readonly title: string;
  readonly description: string;
  readonly shapes: readonly Shape[];
}

/** Fonts that are on most machines, after the figure's own. */
export const FAMILIES = {
  ui: "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif",
  prose: "'Source Serif 4', Georgia, 'Times New Roman', 'Liberation Serif', serif",
} as const;
