// The style sheet of the page controls and of the overview.

/** Controls above the tables, and the map beside or below them. */
export const pagingCss = `
.pages{display:flex;flex-wrap:wrap;gap:.2em 1.2em;align-items:center;justify-content:center;padding:.5em 1em 0;font-size:.875em;color:var(--loom-soft)}
.pages .side{display:inline-flex;gap:.3em;align-items:center;font-variant-numeric:tabular-nums}
.pages label{display:inline-flex;gap:.45em;align-items:center}
.pages button.push.square{font-size:1em;min-block-size:2em;inline-size:2em}
:host(:dir(rtl)) .pages .icon{transform:scaleX(-1)}
.pages .at{inline-size:3.6em;box-sizing:border-box;font:600 1em/1.3 var(--loom-font-ui);color:var(--loom-ink);background:var(--loom-card);border:1px solid var(--loom-edge);border-radius:.4em;padding:.25em .3em;text-align:end;appearance:textfield}
.pages .at::-webkit-inner-spin-button{display:none}
.inputs .pages,.mask .pages{justify-content:start;padding:.3em 0}
.overview{margin:0;padding:.4em 1.25em .6em;display:grid;grid-template:"map caption" auto "map reading" auto "map bars" 1fr/max-content minmax(0,22em);gap:.2em 1em;justify-content:center;font-size:.875em;color:var(--loom-soft)}
.overview canvas{grid-area:map;max-inline-size:100%;cursor:crosshair;border-radius:.2em;touch-action:pan-x pan-y pinch-zoom}
.overview figcaption{grid-area:caption}.overview figcaption b{color:var(--role);font-weight:600}.overview i{font-style:normal}
.overview p{margin:0}.overview .reading{grid-area:reading;min-block-size:2.8em}.overview .reading b{color:var(--loom-ink);font-variant-numeric:tabular-nums}.overview .bars{grid-area:bars}
@container loom (max-width:36em){.pages{gap:.1em .6em;padding:.4em .3em 0}.overview{padding:.4em .8em;grid-template:"caption" auto "map" auto "reading" auto "bars" auto/minmax(0,1fr);justify-items:center}.overview p,.overview figcaption{text-align:center}}
@media print{.pages{display:none}}
@media (forced-colors:active){.overview canvas{forced-color-adjust:none}}
`;
