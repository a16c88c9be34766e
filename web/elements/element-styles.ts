// The style sheet of the element: the figure's own rules, and the controls around it.

import { fontCss, pictureCss } from "../draw/styles.ts";
import { tokenCss } from "../draw/tokens.ts";
import { codeCss } from "./code-styles.ts";
import { editCss } from "./edit-styles.ts";
import { linkedCss } from "./linked-styles.ts";
import { originCss } from "./origin-styles.ts";
import { pagingCss } from "./paging-styles.ts";
import { takeCss } from "./take-styles.ts";

/** For a page's own style sheet: keeps the place of an element whose script has not come yet. */
export const reserveCss = "loom-attention:not(:defined){display:block;min-block-size:38rem}";

/** Everything that {@link LoomAttention} adopts. */
export const elementCss = `${tokenCss(":host", (theme) => `:host([theme=${theme}])`)}
${fontCss(":host")}
:host{display:block;min-block-size:38rem;font-size:1rem;color:var(--loom-ink);text-align:start;-webkit-text-size-adjust:100%}
:host([theme=light]){color-scheme:light}:host([theme=dark]){color-scheme:dark}:host([hidden]){display:none}
.widget{container:loom/inline-size;background:var(--loom-card);color:var(--loom-ink);border:1px solid var(--loom-line);border-radius:.8em;font:400 1em/1.4 var(--loom-font-ui);position:relative}
.recover{display:flex;gap:.5em;margin:0 0 .8em}
.trouble{margin:0 0 .8em;padding:.7em 1em;border-inline-start:4px solid var(--loom-bad);background:var(--loom-card);color:var(--loom-ink);font:400 1em/1.45 var(--loom-font-ui);overflow-wrap:anywhere}
.band{padding:.9em 1.25em;border-block-end:1px solid var(--loom-line)}
.map-band{padding:.5em .6em}.notice{margin:0;font-size:.875em;overflow-wrap:anywhere;background:color-mix(in srgb,var(--loom-now) 30%,var(--loom-card))}
.picture{padding:0;position:relative}
.scroll{overflow-x:auto;overflow-y:hidden;padding:.6em 1em .3em;display:grid;min-block-size:var(--room-figure,0px);align-items:var(--room-side,end);box-sizing:border-box;overscroll-behavior-x:contain}
.picture .work{padding:0 1em .4em;box-sizing:border-box;min-block-size:max(4.3em,var(--room-work,0px))}
.heads{display:flex;gap:.4em;align-items:center;justify-content:center;padding:.7em 1em 0;font-size:.875em;color:var(--loom-soft)}
.sentence{min-block-size:max(2.9em,var(--room-sentence,0px));box-sizing:border-box;display:grid;align-items:center;padding-block:.45em}
.ruler{position:absolute;inset-inline:0;inset-block-start:0;block-size:0;overflow:hidden;visibility:hidden;--room-figure:0px;--room-work:0px;--room-sentence:0px}
.sentence>span{display:block}
.picture :is(td.now,td.now-row){scroll-margin-block:.75em calc(var(--bar-height,0px) + .75em)}
.maths{display:grid;grid-template-columns:minmax(0,1.12fr) minmax(0,1fr)}.maths>div>div{min-inline-size:0}
.maths{padding:0}.maths>div{padding:.6em 1em;min-inline-size:0}.maths>div+div{border-inline-start:1px solid var(--loom-line);display:grid;align-content:center}
.small-title{margin:0 0 .5em;font:600 .75em/1.3 var(--loom-font-ui);color:var(--loom-soft)}
.maths>div:first-child{display:grid;grid-template-rows:auto 1fr}
.bar{box-shadow:0 -1px 0 var(--loom-line);position:sticky;inset-block-end:0;z-index:5;background:var(--loom-card);border-radius:0 0 .8em .8em;padding:0 1em .4em}
.slider{display:block;inline-size:100%;margin:0 0 .15em;block-size:1.5em;accent-color:var(--loom-ink);cursor:pointer}
.slider{appearance:none;background:none}
.slider::-webkit-slider-runnable-track{block-size:4px;border-radius:2px;background:linear-gradient(to right,var(--loom-ink) var(--done,0%),var(--loom-line) var(--done,0%))}
.slider::-moz-range-track{block-size:4px;border-radius:2px;background:var(--loom-line)}.slider::-moz-range-progress{block-size:4px;border-radius:2px;background:var(--loom-ink)}
.slider::-webkit-slider-thumb{appearance:none;inline-size:1em;block-size:1em;margin-block-start:calc(-.5em + 2px);border-radius:50%;background:var(--loom-ink);border:2px solid var(--loom-card)}
.slider::-moz-range-thumb{inline-size:.8em;block-size:.8em;border-radius:50%;background:var(--loom-ink);border:2px solid var(--loom-card)}
:host(:dir(rtl)) .slider::-webkit-slider-runnable-track{background:linear-gradient(to left,var(--loom-ink) var(--done,0%),var(--loom-line) var(--done,0%))}
:host(:dir(rtl)) .transport .icon{transform:scaleX(-1)}
.controls{display:flex;flex-wrap:wrap;gap:.55em .6em;align-items:center}
.transport{display:flex;gap:.35em}
button.push,select.speed,.levels{font:500 .875em/1.2 var(--loom-font-ui);color:var(--loom-ink);background:var(--loom-card);border:1px solid color-mix(in srgb,var(--loom-edge) 75%,var(--loom-line));border-radius:.55em;min-block-size:2.5em;box-sizing:border-box;margin:0}
button.push{display:inline-flex;align-items:center;justify-content:center;gap:.4em;padding:0 .75em;cursor:pointer;-webkit-tap-highlight-color:transparent}
button.push.square{inline-size:2.5em;padding:0}
button.push.primary{background:var(--loom-ink);color:var(--loom-card);border-color:var(--loom-ink);font-weight:650;padding:0 1.25em}
button.push[aria-disabled=true]{color:var(--loom-soft);border-color:var(--loom-line);cursor:default}
button.push[aria-disabled=true] .icon{opacity:.45}
button.push.primary[aria-disabled=true]{background:var(--loom-line);border-color:var(--loom-line);color:var(--loom-soft)}
button.push[aria-pressed=true]{background:var(--loom-ink);color:var(--loom-card)}
button.push.quiet{border-color:transparent;background:none;color:var(--loom-ink);padding:0 .5em}
button.push.quiet.good{color:var(--loom-good);font-weight:600}button.push.quiet.bad{color:var(--loom-bad);font-weight:600}
@media (hover:hover){button.push:not([aria-disabled=true],.primary,[aria-pressed=true]):hover{background:color-mix(in srgb,var(--loom-ink) 7%,var(--loom-card))}}
.icon{inline-size:1.2em;block-size:1.2em;fill:currentColor;display:block;flex:none}
select.speed{padding:0 .4em;cursor:pointer}
.levels{display:inline-flex;padding:0;overflow:hidden}
.levels label{position:relative;display:grid;place-items:center;padding:0 .8em;cursor:pointer;border-inline-start:1px solid var(--loom-line);white-space:nowrap}
.levels label:first-of-type{border-inline-start:0}
.levels input{position:absolute;inset:0;opacity:0;margin:0;inline-size:100%;block-size:100%;cursor:pointer}
.levels label:has(:checked){background:var(--loom-ink);color:var(--loom-card);font-weight:600}
.levels label:has(:focus-visible){outline:3px solid var(--loom-q);outline-offset:-3px}
.where{display:flex;gap:.1em .3em;align-items:center;margin-block-start:.35em;font-size:.8125em;color:var(--loom-soft);font-variant-numeric:tabular-nums}
.where .place{flex:1 1 0;min-inline-size:0}.where b{color:var(--loom-ink);font-weight:600}
.where button.push{font-size:1em;min-block-size:2em}
:is(button,select,input,td,.scroll,summary):focus-visible{outline:3px solid var(--loom-q);outline-offset:2px;z-index:3}
.stop:focus-visible{outline:3px solid var(--loom-q);outline-offset:-2px}
.matrix td:focus-visible{outline-offset:1px;z-index:auto}
td.editing{z-index:4}
.entry{position:absolute;inset:-3px;inline-size:calc(100% + 6px);min-inline-size:3.6em;block-size:calc(100% + 6px);box-sizing:border-box;text-align:center;font:600 1em/1 var(--loom-font-ui);font-variant-numeric:tabular-nums;color:var(--loom-ink);background:var(--loom-card);border:2px solid var(--loom-ink);border-radius:.4em;padding:0;margin:0}
.entry[aria-invalid=true]{border-color:var(--loom-bad)}
.entry-note{position:absolute;inset-block-start:calc(100% + 6px);inset-inline-start:0;inline-size:13em;white-space:normal;text-align:start;font:500 12px/1.35 var(--loom-font-ui);color:var(--loom-ink);background:var(--loom-card);border:2px solid var(--loom-bad);border-radius:.4em;padding:.35em .5em;z-index:6}
.edits .matrix.editable tbody td,.editing-on .matrix.editable tbody td{border-color:color-mix(in srgb,var(--role) 45%,transparent);border-style:dashed}
.edits{background:color-mix(in srgb,var(--loom-now) 22%,var(--loom-card))}
.edits .tools{display:flex;flex-wrap:wrap;gap:.5em;align-items:center;margin-block-end:.8em}
.edits>.tools>.heading{font:600 1em/1.3 var(--loom-font-ui);margin:0;flex:1 1 auto}
.edits .hint{margin:0 0 .9em;font-size:.875em;color:var(--loom-soft)}
.refusal{flex:1 1 100%;margin:0;font-size:.875em;overflow-wrap:anywhere}.refusal:not(:empty){padding:.4em .7em;border-inline-start:4px solid var(--loom-bad);background:var(--loom-card)}
.edits form input[aria-invalid=true]{border-color:var(--loom-bad)}
.edits form{display:flex;flex-wrap:wrap;gap:.6em .8em;align-items:end;margin-block-end:.5em}
.edits form label{flex:1 1 14em;display:grid;gap:.25em;font-size:.8125em;font-weight:600;color:var(--loom-soft)}
.edits form input{font:400 1.08em/1.3 var(--loom-font-ui);color:var(--loom-ink);background:var(--loom-card);border:1px solid var(--loom-edge);border-radius:.45em;padding:.4em .6em;min-inline-size:0;inline-size:100%;box-sizing:border-box}
.inputs{display:flex;flex-wrap:wrap;gap:1em 1.6em;margin-block-start:.9em;isolation:isolate}
.inputs .corner{display:block;inline-size:auto;min-inline-size:0;--least:2.5em;--high:2.15em;--gap:.2em;--label:3.6em;font-size:.9375em;max-inline-size:100%;overflow-x:auto;padding:2px 1.4em 2px 2px}
.inputs .matrix{--first:var(--label);--bridge:.4em}.inputs .matrix thead{opacity:0}
.inputs .matrix.input .weft::before,.inputs .matrix.input .warp::after{content:none}
.inputs .nameless{--label:.2em}.inputs .nameless tbody th .word{opacity:0}
.card{position:fixed;margin:0;inset:auto;max-inline-size:min(26rem,calc(100vw - 16px));box-sizing:border-box;padding:1em 1.2em;color:var(--loom-ink);background:var(--loom-card);border:1px solid var(--loom-edge);border-radius:.7em;box-shadow:0 6px 30px rgb(0 0 0/.18);font:400 .875rem/1.45 var(--loom-font-ui)}
.card .heading{margin:0 0 .5em;font:600 1.05em/1.3 var(--loom-font-ui)}.card p:not(.heading){margin:.6em 0 0;color:var(--loom-soft)}
.card ul{margin:0;padding:0;list-style:none;display:grid;gap:.45em}.card li{display:flex;gap:.5em;align-items:flex-start}.card li .icon{margin-block-start:.12em;color:var(--loom-good)}.card li.bad .icon{color:var(--loom-bad)}
.card dl{display:grid;grid-template-columns:max-content 1fr;gap:.35em .9em;margin:0}.card dt{font-weight:600}.card dd{margin:0;color:var(--loom-soft)}
.card .push{margin-block-start:.8em}
@container loom (max-width:36em){.band{padding:.6em .8em}.map-band{padding:.3em .1em}.picture,.maths{padding:0}.scroll{padding:.6em .3em .3em}.maths{grid-template-columns:minmax(0,1fr)}.maths>div{padding:.6em .8em}.where .label{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}.maths>div+div{border-inline-start:0;border-block-start:1px solid var(--loom-line)}.formula{min-block-size:6.4em}
.sentence{font-size:1.0625em}.bar{padding:0 .7em .5em}.controls{gap:.45em .4em}.transport{flex:1 1 0}.speed{order:1}.levels{order:2}.bar .levels{flex:1 1 100%}.transport .primary{flex:1 1 auto}.levels label{flex:1 1 auto;padding:0 .45em}.where{gap:0;margin-block-start:.35em;min-block-size:2.8em}.where button.push.quiet{inline-size:2.1em;padding:0}
}
@container loom (max-width:22em){.scroll{padding-inline:.1em}.levels label{padding:0 .3em}.transport{gap:.2em}button.push.square{inline-size:2.25em}button.push.primary{padding:0 .5em}button.push.primary .icon{display:none}select.speed{inline-size:4em}}
@media (max-height:60rem){.scroll{padding-block:.3em .1em}.picture .work{min-block-size:max(3.5em,var(--room-work,0px))}.maths>div{padding-block:.35em}.map-band{padding-block:.3em}.sentence{padding-block:.3em}.bar{padding-block-end:.25em}.where{margin-block-start:.2em}}
@media (max-height:30em){.bar{position:static}}
/* Paper is white. */
@media print{:host,:host([theme]){color-scheme:light}.bar,.edits{display:none}}
@media (prefers-contrast:more){:host{--loom-line:var(--loom-edge);--loom-soft:var(--loom-ink)}}
@media (forced-colors:active){.bar{border-block-start:1px solid CanvasText}.slider::-webkit-slider-runnable-track{border:1px solid CanvasText}.slider::-webkit-slider-thumb{background:Highlight;forced-color-adjust:none}.levels label:has(:checked){outline:2px solid Highlight;outline-offset:-3px;forced-color-adjust:none;background:Highlight;color:HighlightText}button.push.primary{border:2px solid ButtonText}}
${pictureCss}
${pagingCss}${editCss}${codeCss}${takeCss}${originCss}${linkedCss}`;
