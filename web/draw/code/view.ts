// The program on view: a line that says where the loops are, and the lines, with those of the current stage lit.

import { html, type TemplateResult } from "lit";
import { type CodeLanguage, languages } from "./languages.ts";
import { type Line, linesText } from "./piece.ts";
import type { LoopValue } from "./place.ts";

/** What is shown. */
export interface CodePicture {
  readonly language: CodeLanguage;
  readonly lines: readonly Line[];
  /** The stage that is lit. */
  readonly stage: string;
  readonly place: readonly LoopValue[];
  /** Lines that the longest program of the language has at any stage: there is room for them at every stage. */
  readonly most: number;
}

/** There is a class for the room of up to so many lines. */
export const MOST_LINES = 12;

/** The lines as they are copied: with what they need in front of them. */
export const codeText = ({ language, lines }: CodePicture): string =>
  `${languages[language].preamble}${linesText(lines)}\n`;

function placeLine({ language, place }: CodePicture): TemplateResult {
  const values = place.map(
    ({ text, word }, i) =>
      html`${i > 0 ? ", " : ""}${text}${word === undefined ? "" : html` (<bdi class="token">${word}</bdi>)`}`,
  );
  return html`<span class="line loops">${languages[language].comment} ${values}</span>`;
}

/** The program. */
export function codeView(picture: CodePicture): TemplateResult {
  const { language, lines, stage, most } = picture;
  return html`<pre class="code lines-${Math.min(MOST_LINES, most)}" dir="ltr" role="tabpanel" aria-label=${languages[language].title}><code>${placeLine(picture)}${lines.map(
    (line) => {
      const here = line.some(([, ...stages]) => stages.includes(stage));
      const pieces = line.map(([text, ...stages]) => {
        if (stages.length === 0) return text;
        const about = stages.join(" ");
        return stages.includes(stage)
          ? html`<mark data-stages=${about}>${text}</mark>`
          : html`<span data-stages=${about}>${text}</span>`;
      });
      const all = new Set(line.flatMap(([, ...stages]) => stages));
      return html`<span class=${here ? "line here" : "line"} data-stages=${[...all].join(" ")}>${pieces}</span>`;
    },
  )}</code></pre>`;
}
