// How wide a text is, about. The file that is drawn may be shown with other fonts, so an estimate does: it decides where
// lines break and labels end, never where a number stands.

import type { Run } from "./shapes.ts";

function letterWidth(letter: string): number {
  if (/\p{M}|\u200d|\ufe0f/u.test(letter)) return 0;
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\uff00-\uffef]/u.test(
      letter,
    )
  )
    return 1;
  if (/[.,:;'|!ijl·()[\] ]/.test(letter)) return 0.31;
  if (/[\d−×→+=]/.test(letter)) return 0.62;
  if (/[mwMW…↵⇥␣]/.test(letter)) return 0.88;
  return /\p{Lu}/u.test(letter) ? 0.68 : 0.56;
}

/** In CSS pixels. */
export const textWidth = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + letterWidth(letter), 0) * size;

/** The text, cut and marked where it would be wider than `most`. Family emojis and letters with marks stay whole. */
export function shortened(text: string, size: number, most: number): string {
  if (textWidth(text, size) <= most) return text;
  const parts = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map(
    ({ segment }) => segment,
  );
  while (parts.length > 1 && textWidth(`${parts.join("")}…`, size) > most) parts.pop();
  return `${parts.join("")}…`;
}

/** The runs of a text in lines of at most `most` pixels, broken at blanks. */
export function wrapped(runs: readonly Run[], size: number, most: number): Run[][] {
  const lines: Run[][] = [[]];
  let width = 0;
  for (const run of runs) {
    for (const text of run.text.split(/( )/)) {
      const own = textWidth(text, size);
      if (width + own > most && width > 0 && text.trim() !== "" && !run.isSub) {
        lines.push([]);
        width = 0;
      }
      if (width === 0 && text.trim() === "") continue;
      const line = lines.at(-1) as Run[];
      const last = line.at(-1);
      if (last && last.fill === run.fill && last.weight === run.weight && last.isSub === run.isSub)
        line[line.length - 1] = { ...last, text: last.text + text };
      else line.push({ ...run, text });
      width += own;
    }
  }
  return lines;
}
