// How a thing looks that the pointer or the focus is on in another view: words and lines are underlined, parts of the
// formula, stages and cells have a ring, in the colour of their role. Yellow is "now".

export const linkedCss = `
:is(.sentence,.note,.code) .linked:not(.line),.matrix.linked caption b{text-decoration:underline 2px;text-underline-offset:.22em;text-decoration-skip-ink:none}
.formula .linked{outline:1.5px solid currentColor;border-radius:.1em}
.stop.linked:not(:focus-visible){outline:2px solid var(--role);outline-offset:-2px}
.matrix.linked tbody td:not(.now,.now-row,.todo,.blocked,.bad){border-color:var(--role)}
.matrix tbody td.linked{box-shadow:0 0 0 3px var(--role)}
.formula [data-stages],.code .line[data-stages]{cursor:pointer}
.formula .in-focus{outline:3px solid var(--loom-q);outline-offset:1px}
.maths>div:has(>.formula-parts){position:relative}
.formula-parts{position:absolute;inset-block-end:0;inset-inline-start:0;display:flex;opacity:0;pointer-events:none}
.formula-parts button{all:unset;inline-size:24px;block-size:24px;overflow:hidden;white-space:nowrap;font-size:12px}
.code .line:focus-visible{outline:3px solid var(--loom-q);outline-offset:-3px}
@media (forced-colors:active){.formula .linked,.stop.linked{outline:2px solid Highlight}.matrix.linked tbody td,.matrix tbody td.linked{outline:2px solid Highlight}}
`;
