// A bias: one row between the matrix that hangs from the top and the result, in the columns of both.

/** Part of the figure's style sheet. */
export const addendCss = `
.corner.has-addend{grid-template:"note top" auto ". addend" auto "left result" auto/max-content max-content}
.matrix.addend{grid-area:addend;margin-block-end:calc(var(--gap)*-2)}
.has-addend>.matrix.top{margin-block-end:calc(var(--gap)*-.5)}
.matrix.addend caption{caption-side:top;padding:0}
.matrix.addend thead,.matrix.addend caption .title{display:none}
.matrix.addend tbody th .word{position:absolute;inset-inline-end:.2em;inset-block-start:calc(50% - .6em);overflow:visible;padding:0;font-size:.875em;font-weight:600;color:var(--role)}
.matrix.addend .weft::before{content:none}
.matrix.input[data-name^=b] tbody th .word{opacity:0}
`;
