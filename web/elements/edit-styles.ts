// The look of the settings, the mask and the steps that can be taken away.

/** Part of the element's style sheet. */
export const editCss = `
/* No heading elements: which level would follow is known to the page alone. */
.edits .heading{font:600 .9375em/1.3 var(--loom-font-ui);margin:1.3em 0 .5em}
.settings{display:flex;flex-wrap:wrap;gap:.6em .9em}
.settings label,.edits .choice{display:grid;gap:.25em;font-size:.8125em;font-weight:600;color:var(--loom-soft)}
.settings :is(input,select),.choice select{font:400 1.08em/1.3 var(--loom-font-ui);color:var(--loom-ink);background:var(--loom-card);border:1px solid var(--loom-edge);border-radius:.45em;padding:.4em .6em;inline-size:8.5em;min-block-size:2.5em;box-sizing:border-box}
.edits .choice select{inline-size:auto;max-inline-size:100%}.settings [name=heads]{inline-size:5em}.settings input[aria-invalid=true]{border:2px solid var(--loom-bad)}
.settings input::placeholder{color:var(--loom-soft);opacity:1}
.edits .choice{grid-template-columns:minmax(0,1fr);justify-items:start;margin-block-end:.8em}
.consequence{margin:.2em 0 .5em;padding:.5em .8em;border-inline-start:3px solid var(--loom-now-line);background:var(--loom-card);font:400 1em/1.45 var(--loom-font-prose)}
.mask-scroll{overflow-x:auto;padding:3px}
.mask table{border-collapse:separate;border-spacing:3px;user-select:none}
.mask th{font:500 .8125em/1.2 var(--loom-font-ui);color:var(--loom-soft);padding:.1em .35em}.mask th[scope=row]{text-align:right}
.mask th span{unicode-bidi:plaintext;display:block;max-inline-size:6em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.mask tbody td{padding:0}
.mask button[role=checkbox]{all:unset;box-sizing:border-box;display:grid;place-items:center;inline-size:2.6em;block-size:2.1em;border-radius:.34em;cursor:pointer;border:1px solid var(--loom-edge);font:600 1em/1 var(--loom-font-ui)}
.mask button[aria-checked=true]{background:color-mix(in srgb,var(--loom-w-fill) 30%,var(--loom-card));color:var(--loom-w)}
.mask button[aria-checked=true]::before{content:"●"/"";font-size:.6em}
.mask button[aria-checked=false]{background:repeating-linear-gradient(45deg,var(--loom-line) 0 2px,var(--loom-card) 2px 7px)}
.mask button:focus-visible{outline:3px solid var(--loom-q);outline-offset:1px}
.mask .in-area button{border:2px solid var(--loom-now-line);background-color:var(--loom-now)}
.since{display:flex;align-items:center;justify-content:center;gap:.4em;margin-block-start:-.4em;padding:0 1em .2em;font:400 .8125em/1.3 var(--loom-font-ui);color:var(--loom-soft)}
.since button.push{font-size:1em;min-block-size:24px;text-decoration:underline;text-underline-offset:.2em}.since button.push.quiet[aria-pressed=true]{background:var(--loom-ink);color:var(--loom-card);text-decoration:none}
.edits .extras{margin-block:.9em 0}.removals .push b{font-weight:inherit}.extras .push{min-inline-size:3em}.extras>span{font-size:.8125em;font-weight:600;color:var(--loom-soft)}.extras sub{font-size:.75em;line-height:0}
@media (forced-colors:active){.mask button[aria-checked=false]::before{content:"×"/""}}
`;
