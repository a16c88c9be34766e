// The band with the answer to "where does this come from?", and the cells of the figure that it is about.

export const originCss = `
.origin-band{display:grid;grid-template-columns:minmax(0,1fr);gap:.55em;padding-block:.6em .7em;background:color-mix(in srgb,var(--loom-ink) 3%,var(--loom-card));scroll-margin-block:.75em calc(var(--bar-height,0px) + .5em);font-variant-numeric:tabular-nums lining-nums}
.origin-band .tools{display:flex;flex-wrap:wrap;gap:.35em;align-items:center}.origin-band .space{flex:1 1 auto}
.origin-band button.push{font-size:.8125em;min-block-size:2.15em;padding:0 .7em}.origin-band button.push.square{inline-size:2.15em;padding:0}
.origin-band button.push .icon{inline-size:1em;block-size:1em}:host(:dir(rtl)) .origin-band [data-tool=back] .icon{transform:scaleX(-1)}
.way{display:flex;gap:.5em;align-items:center}
.trail{list-style:none;display:flex;gap:.2em;align-items:center;flex:1 1 0;min-inline-size:0;margin:0;padding:3px;overflow-x:auto;overscroll-behavior-x:contain;scrollbar-width:none;white-space:nowrap;min-block-size:2em;font-size:.9375em}
.trail li{display:flex;gap:.35em;align-items:baseline}.trail li+li::before{content:"‹";content:"‹"/"";color:var(--loom-soft);padding-inline:.25em}
.crumb{all:unset;cursor:pointer;padding:.25em .4em;border-radius:.4em;color:var(--loom-soft);-webkit-tap-highlight-color:transparent;box-sizing:border-box;min-block-size:24px}
.trail .here{padding-inline:.2em}.trail .value{font-size:1.2em;font-weight:700;margin-inline-start:.25em}
.trail.cut{mask-image:linear-gradient(to right,transparent,#000 1.6em)}.trail.cut:dir(rtl){mask-image:linear-gradient(to left,transparent,#000 1.6em)}
.in-full{font:400 .8235em/1.5 var(--loom-font-ui);color:var(--loom-soft);white-space:nowrap}
.origin-band b{font-weight:600}
.reply{display:flex;flex-wrap:wrap;gap:.5em 1.6em;align-items:flex-start}
.how{margin:0;flex:1 1 13em;font:400 1.0625em/1.4 var(--loom-font-prose);text-wrap:pretty}
.wide{overflow-x:auto;overscroll-behavior-x:contain;flex:0 1 auto;min-inline-size:0;padding:5px;margin:-5px}
.terms-table{border-collapse:collapse;font-size:.9375em}
.terms-table :is(td,th){padding:.12em .35em;text-align:center;font-weight:400;vertical-align:middle}
.terms-table th[scope=row]{color:var(--loom-soft);text-align:end}
.terms-table thead th{font-size:max(12px,.8667em);padding-block-end:.3em;white-space:nowrap;vertical-align:bottom}
.terms-table .made{text-align:end;padding-inline-start:1em;color:var(--loom-soft)}.terms-table tbody .made:last-child{color:var(--loom-ink)}
.terms-table .end .made:last-child{font-weight:700}
.terms-table .gap td{color:var(--loom-soft);text-align:start;padding-block:.1em}
.terms-table .left-out{color:var(--loom-soft)}
.terms-table .mark{font-size:max(12px,.8667em);font-weight:400;color:var(--loom-soft);padding-inline-end:.4em}.decides .number{font-weight:700;border-color:var(--loom-ink)}
.whose{color:var(--loom-soft)}.sign{color:var(--loom-soft);font-weight:500}
.number{all:unset;box-sizing:border-box;cursor:pointer;display:inline-grid;place-items:center;min-inline-size:3.1em;min-block-size:1.95em;padding:0 .5em;border:1.5px solid color-mix(in srgb,var(--role) 55%,var(--loom-line));border-radius:.34em;background:color-mix(in srgb,var(--fill) 16%,var(--loom-card));color:var(--loom-ink);font-weight:500;text-align:center;-webkit-tap-highlight-color:transparent}
.terms-table .number{inline-size:100%}
.number.named{padding:.2em .6em .25em}.number .whose{font-size:.8em;line-height:1.3}.number .whose b{color:var(--role)}
.expression{margin:0;display:flex;flex-wrap:wrap;gap:.4em .5em;align-items:center;flex:0 1 auto}.expression .value{font-size:1.25em;font-weight:700}
.fed{display:grid;grid-template-columns:5em minmax(0,1fr);gap:.3em .6em;align-items:baseline;flex:1 1 100%}.fed-name{margin:0}.fed-cells{display:flex;flex-wrap:wrap;gap:.35em}
.origin-band .hint{margin:0;font-size:.8125em;color:var(--loom-soft)}
:is(.number,.crumb):focus-visible{outline:3px solid var(--loom-q);outline-offset:2px}
@media (hover:hover){.number:hover{background:color-mix(in srgb,var(--fill) 30%,var(--loom-card))}.crumb:hover{background:color-mix(in srgb,var(--loom-ink) 7%,transparent)}.work [data-ask]:hover{text-decoration:underline 2px;text-underline-offset:.2em}}
.work [data-ask]{cursor:help;position:relative}.work [data-ask]::after{content:"";position:absolute;inset:-.35em -.3em}
.asking-on .matrix td{cursor:help}
.matrix tbody td.ask-other{outline:2px dashed var(--loom-ink);outline-offset:0}
.matrix tbody td.ask-here{outline:3px solid var(--loom-ink);outline-offset:1px}
.matrix tbody td:is(.ask-here,.ask-other):focus-visible{outline:3px solid var(--loom-q)}
.trail .here:only-child{white-space:normal;flex-wrap:wrap;gap:0 .35em}
@container loom (max-width:36em){.terms-table :is(td,th){padding-inline:.15em}.terms-table thead th{white-space:normal}.terms-table .number{min-inline-size:2.4em;padding:0 .3em}.reply{gap:.4em .8em}.how{flex-basis:100%}.wide{flex-basis:100%}.terms-table{inline-size:100%}.terms-table .made{padding-inline-start:.4em}.fed{grid-template-columns:minmax(0,1fr)}.origin-band .hint{display:none}}
@container loom (max-width:22em){.origin-band button.push{padding:0 .35em}.origin-band .tools{gap:.15em}.terms-table :is(td,th),.terms-table .made{padding-inline:.08em}.terms-table{font-size:.8125em}.terms-table .number{padding:0 .15em}}
@media print{.origin-band :is(.tools,.hint){display:none}}
@media (forced-colors:active){.origin-band [aria-pressed=true]{forced-color-adjust:none;background:Highlight;color:HighlightText}.number{border:1px solid ButtonText}.matrix tbody td.ask-other{outline:2px dashed Highlight}.matrix tbody td.ask-here{outline:3px solid Highlight}}
`;
