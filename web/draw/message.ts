// Messages with the colours of their roles.

import { html, nothing, type TemplateResult } from "lit";
import type { MessagePart } from "../strings/index.ts";
import { nameOfSymbol } from "./names.ts";

/** A symbol in parts: "W_Q" and "+ b_Q" have a subscript. */
export function symbolParts(text: string): { readonly base: string; readonly below?: string } {
  const [base, below] = text.split("_");
  return base && below && /^(\+ )?\w$/.test(base) ? { base, below } : { base: text };
}

/** A symbol as it is set. */
export function symbolText(text: string): string | TemplateResult {
  const { base, below } = symbolParts(text);
  return below ? html`${base}<sub>${below}</sub>` : text;
}

/** The pieces of a message, each in the colour of its role. */
export const message = (parts: readonly MessagePart[]): (string | TemplateResult)[] =>
  parts.map(({ text, role }) =>
    role
      ? html`<span class="r-${role}" data-role=${role} data-stages=${nameOfSymbol(text) ?? nothing}>${symbolText(text)}</span>`
      : text,
  );
