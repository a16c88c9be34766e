// Words and symbols as runs of a text.

import { symbolParts } from "../message.ts";
import type { Palette } from "../palette.ts";
import type { MatrixPicture } from "../picture.ts";
import type { Run } from "./shapes.ts";

/** Marks for the direction of writing turn all that follows on their line: they are left out. */
export const plainText = (text: string): string => text.replace(/\p{Bidi_Control}/gu, "");

/** A symbol, its subscript lower. */
export const symbolRuns = (text: string): Run[] => {
  const { base, below } = symbolParts(text);
  return below ? [{ text: base }, { text: below, isSub: true }] : [{ text: base }];
};

/** Title, symbol and shape. */
export const captionRuns = ({ title, symbol, shape, role, slot }: MatrixPicture, palette: Palette): Run[] => [
  { text: title, fill: palette[role], weight: 600 },
  { text: " " },
  ...symbolRuns(symbol),
  ...(slot === "through" ? [] : [{ text: ` ${shape}` }]),
];
