// Messages with the colours of their roles.

import { html, nothing, type TemplateResult } from "lit";
import type { MessagePart } from "../strings/index.ts";
import { nameOfSymbol } from "./names.ts";

/** A symbol as it is set: "W_Q" has a subscript. */
export function symbolText(text: string): string | TemplateResult {
  const [base, below] = text.split("_");
  return below && /^\w$/.test(base ?? "") ? html`${base}<sub>${below}</sub>` : text;
}

/** The pieces of a message, each in the colour of its role. */
export const message = (parts: readonly MessagePart[]): (string | TemplateResult)[] =>
  parts.map(({ text, role }) =>
    role
      ? html`<span class="r-${role}" data-role=${role} data-stages=${nameOfSymbol(text) ?? nothing}>${symbolText(text)}</span>`
      : text,
  );
