// The tabs above the program, and the room for its lines.

import { MOST_LINES } from "../draw/code/view.ts";

/** One line for the place comes on top. */
const rooms = Array.from({ length: MOST_LINES + 1 }, (_, n) => `.lines-${n}{--lines:${n + 1}}`).join("");

export const codeCss = `
${rooms}.maths .code{line-height:1.55;min-block-size:calc(var(--lines,1)*1.55em)}
.code-head{display:flex;align-items:center;justify-content:space-between;gap:.5em;margin-block:-.1em .1em}
.tabs{display:flex;gap:.1em;margin-inline-start:-.35em}
.tab{all:unset;box-sizing:border-box;cursor:pointer;min-inline-size:2em;min-block-size:2em;padding:0 .55em;display:inline-grid;place-items:center;font:500 .75em/1.3 var(--loom-font-ui);color:var(--loom-soft);border-radius:.5em;-webkit-tap-highlight-color:transparent}
.tab[aria-selected=true]{color:var(--loom-ink);font-weight:650;box-shadow:inset 0 -2px 0 var(--loom-ink);border-radius:.2em .2em 0 0}
.tab:focus-visible{outline:3px solid var(--loom-q);outline-offset:-2px}
.code-head button.push.square{min-block-size:1.75em;inline-size:2em;color:var(--loom-soft)}
.code .loops{color:var(--loom-soft)}.code .loops .token{unicode-bidi:isolate}
@media (hover:hover){.tab:hover{background:color-mix(in srgb,var(--loom-ink) 6%,transparent)}}
@media (forced-colors:active){.tab[aria-selected=true]{outline:2px solid Highlight;outline-offset:-2px}}
@media (max-height:60rem){.maths .code{line-height:1.5;min-block-size:calc(var(--lines,1)*1.5em)}.code-head{margin-block:-.15em 0}}
@media print{.code-head button.push,.tab:not([aria-selected=true]){display:none}}
`;
