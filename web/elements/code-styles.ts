// The tabs above the program.

export const codeCss = `
.code-head{display:flex;align-items:center;justify-content:space-between;gap:.5em;margin-block-end:.15em}
.tabs{display:flex;gap:.1em;margin-inline-start:-.35em}
.tab{all:unset;box-sizing:border-box;cursor:pointer;min-inline-size:2em;min-block-size:2em;padding:0 .55em;display:inline-grid;place-items:center;font:500 .75em/1.3 var(--loom-font-ui);color:var(--loom-soft);border-radius:.5em;-webkit-tap-highlight-color:transparent}
.tab[aria-selected=true]{color:var(--loom-ink);font-weight:650;box-shadow:inset 0 -2px 0 var(--loom-ink);border-radius:.2em .2em 0 0}
.tab:focus-visible{outline:3px solid var(--loom-q);outline-offset:-2px}
.code-head button.push.square{min-block-size:1.75em;inline-size:2em;color:var(--loom-soft)}
.code .place{color:var(--loom-soft)}.code .place .token{unicode-bidi:isolate}
@media (hover:hover){.tab:hover{background:color-mix(in srgb,var(--loom-ink) 6%,transparent)}}
@media (forced-colors:active){.tab[aria-selected=true]{outline:2px solid Highlight;outline-offset:-2px}}
@media print{.code-head button.push,.tab:not([aria-selected=true]){display:none}}
`;
