// The mark of a number that differs from the start, and what it was then.

/** Part of the figure's style sheet. */
export const wasCss = `
.mark{display:inline-block;inline-size:.5em;block-size:.5em;background:var(--loom-ink);clip-path:polygon(0 0,100% 0,100% 100%);flex:none}
.matrix td>.mark{position:absolute;inset-block-start:1px;inset-inline-end:1px;font-size:.875rem}
@container loom (max-width:40em){.matrix td>.mark{font-size:.625rem;inset-block-start:0;inset-inline-end:0}}
.matrix td:has(>.was){padding-block-end:12px;line-height:1}.matrix td:has(>.was)>.mark{display:none}
.was::after{content:attr(data-was);content:attr(data-was)/""}
.matrix td>.was{position:absolute;inset-inline:0;inset-block-end:1px;font:400 12px/1 var(--loom-font-ui);font-variant-numeric:tabular-nums lining-nums}
@media (forced-colors:active){.mark{background:CanvasText;forced-color-adjust:none}}
`;
