// Registering the element, once, under one name or another.

import { LoomAttention } from "./loom-attention.ts";

/** Version of this copy of the element. */
export const VERSION = "0.1.0";

/**
 * Registers `<loom-attention>`, or another name. A name that is taken stays as it is, with one line of information.
 * Does nothing where there are no custom elements, for instance in Node.
 */
export function defineLoom(name = "loom-attention"): void {
  if (typeof customElements === "undefined") return;
  const known = customElements.get(name) as (CustomElementConstructor & { loomVersion?: string }) | undefined;
  if (known) {
    console.info(
      `<${name}> is defined already, by version ${known.loomVersion ?? "unknown"}; version ${VERSION} leaves it so.`,
    );
    return;
  }
  // A class can be registered under one name only: each further name gets a class of its own.
  const element = class extends LoomAttention {
    static readonly loomVersion = VERSION;
  };
  customElements.define(name, element);
}
