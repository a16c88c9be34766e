// Messages with the colours of their roles.

import { html, type TemplateResult } from "lit";
import type { MessagePart } from "../strings/index.ts";

/** A symbol as it is set: "W_Q" and "+ b_Q" have a subscript. */
export function symbolText(text: string): string | TemplateResult {
  const [base, below] = text.split("_");
  return below && /^(\+ )?\w$/.test(base ?? "") ? html`${base}<sub>${below}</sub>` : text;
}

/** The pieces of a message, each in the colour of its role. */
export const message = (parts: readonly MessagePart[]): (string | TemplateResult)[] =>
  parts.map(({ text, role }) => (role ? html`<span class="r-${role}">${symbolText(text)}</span>` : text));
