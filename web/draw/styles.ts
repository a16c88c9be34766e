// The style sheet of the figure, as text: the element adopts it, a page without scripts ships it. Geometry is in
// classes only, because a strict page allows no style attributes.

import { addendCss } from "./addend-styles.ts";
import { MOST_NEED, MOST_ROW_CLASS, NEED_STEP } from "./corner.ts";
import { MOST_HALF_DIGITS } from "./matrix.ts";
import { TINTS } from "./tokens.ts";
import { wasCss } from "./was-styles.ts";

const roles = ["q", "k", "v", "w", "s", "o"] as const;
const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);

const numbered = [
  ...TINTS.map((percent, step) => `.t${step}{--tint:${percent}%}`),
  ...range(2, MOST_HALF_DIGITS).map((n) => `.n${n}{--digits:${n}}`),
  ...range(0, MOST_ROW_CLASS).map((row) => `.at-${row}{--row:${row}}`),
  ...roles.map((role) => `.role-${role}{--role:var(--loom-${role});--fill:var(--loom-${role}-fill)}`),
  ...roles.map((role) => `.weft-${role}{--weft:var(--loom-${role})}.warp-${role}{--warp:var(--loom-${role})}`),
  ...roles.map((role) => `.r-${role}{color:var(--loom-${role});font-weight:600}.m-${role}{color:var(--loom-${role})}`),
].join("\n");

/** Below its need a figure of a row step stacks: what goes in above, what comes out below, in the same columns. */
const stacked = range(24, MOST_NEED, NEED_STEP)
  .map(
    (
      need,
    ) => `@container loom (max-width:${need - 0.01}em){.need-${need}.through{grid-template:"note note note" auto "left operator through" auto "result result result" auto/max-content max-content max-content}
.need-${need}.through:not(.has-through){grid-template:"note" auto "left" auto "operator" auto "result" auto/max-content}
.need-${need}.through.by-key:not(.has-through){grid-template:"note" auto "left" auto "top" auto "result" auto/max-content}
.need-${need}.by-key .matrix.top{--digits:inherit;--first:var(--label)}.need-${need}.by-key .matrix.top thead :is(td,th){block-size:.2em}.need-${need}.by-key .matrix.top thead .word{opacity:0;line-height:0}
.need-${need}:not(.has-through)>.operator{margin-block-start:.1em;justify-self:start;margin-inline-start:calc(var(--label) + .3em)}
.need-${need}.through.by-key:not(.has-through)>.operator{grid-area:top;align-self:end;justify-self:start;block-size:var(--high);margin:0 0 calc(var(--gap)*-1)}
.need-${need}.through .matrix.result th[scope=row] .word{opacity:1}
.need-${need}.through .matrix.result thead :is(td,th){block-size:.5em}.need-${need}.through .matrix.result thead .word{opacity:0;line-height:0}
.need-${need}.through .matrix:is(.left,.result){--digits:inherit}.need-${need}.through .matrix.result th.weft::before{content:none}.need-${need}.through .matrix.result{--first:var(--label)}}`,
  )
  .join("\n");

const layout = `
.unseen{position:absolute;pointer-events:none;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.r-b{font-weight:650;color:inherit}
.matrix{--cell:max(var(--least),calc(var(--digits,2)*.5ch + var(--pad)))}
.corner{--least:3.1em;--pad:.8em;--high:2.375em;--gap:.3125em;--bridge:1.25em;--label:4.2em;
display:grid;grid-template:"note top" auto "left result" auto/max-content max-content;justify-content:safe center;align-content:center;isolation:isolate;position:relative;
font:400 1em/1.2 var(--loom-font-ui);font-variant-numeric:tabular-nums lining-nums;inline-size:max-content;min-inline-size:100%}
.corner.small-numbers{--least:2.6em;--high:2.6em;--pad:.55em}.corner.small-numbers.through{--high:2.45em}
.corner.small-numbers tbody td{font-size:.8125em}
.corner.through{grid-template:"note note note note" auto "left operator through result" auto/max-content max-content max-content max-content}
.corner.by-key{grid-template:"note . top" auto "left operator result" auto/max-content max-content max-content}
.by-key>.matrix.result thead th .word{opacity:0}
.corner.from-top{grid-template:"note" auto "top" auto "result" auto/max-content}.from-top>.matrix.top,.from-top>.matrix.result{--first:var(--label)}
.corner.alone{grid-template:"note" auto "result" auto/max-content}
.note{grid-area:note;align-self:end;justify-self:end;margin:0;padding:0 .9em .7em 0;font-size:.8125em;line-height:1.45;color:var(--loom-soft);text-align:end;display:grid}
:is(.through,.from-top)>.note{justify-self:start;padding:0 0 .4em var(--label);text-align:start;display:flex;flex-wrap:wrap;gap:0 1.2em}
.matrix{border-collapse:separate;border-spacing:var(--gap) var(--gap);table-layout:fixed;inline-size:0;max-inline-size:none;margin:0;position:static;align-self:start}
.matrix.left{grid-area:left}.matrix.top{grid-area:top;align-self:end}.matrix.through{grid-area:through}.matrix.result{grid-area:result}
.matrix :is(td,th){padding:0;margin:0;position:relative;text-align:center;vertical-align:middle;box-sizing:border-box}
.matrix caption{caption-side:bottom;inline-size:0;max-inline-size:0;overflow:visible;white-space:nowrap;text-align:start;padding:.2em 0 0;color:var(--loom-soft);line-height:1.2}
.matrix caption .title{display:inline-block;padding-inline-start:calc(var(--first) + var(--gap)*2 + 2px)}.matrix caption .title>*{font-size:.8125em}
.matrix caption b{color:var(--role);font-weight:600}.matrix caption i{font-style:normal}
.matrix caption .size{opacity:1}
.matrix{--first:var(--bridge)}.matrix.left,.alone .matrix.result{--first:var(--label)}
.matrix.top caption{caption-side:top;padding:0 0 .1em}
.matrix.top{margin-block-end:calc(var(--gap)*-2)}
col.first{inline-size:var(--first)}col.cell{inline-size:var(--cell)}.small-numbers col.cell{font-size:.8125em}
.matrix tbody td{overflow:visible;block-size:var(--high);border:2px solid transparent;border-radius:.34em;
background:color-mix(in srgb,var(--fill) var(--tint,7%),var(--loom-card));background-clip:border-box;background-origin:border-box;color:var(--loom-ink);white-space:nowrap;cursor:default}
.matrix tbody td.neg{background-image:repeating-linear-gradient(135deg,color-mix(in srgb,var(--loom-card) 62%,transparent) 0 .22em,transparent .22em .5em)}
.matrix tbody td.blocked{background:repeating-linear-gradient(45deg,var(--loom-line) 0 2px,var(--loom-card) 2px 7px);color:var(--loom-soft);border:1px solid var(--loom-line)}
.matrix tbody td.bad{border:3px double var(--loom-bad);text-decoration:underline wavy var(--loom-bad);font-weight:700}
.matrix tbody td.blocked:not(.now,.now-row){font-size:.75em;font-weight:500}.matrix.through caption .size{display:none}
.matrix tbody td.dim{background-color:color-mix(in srgb,var(--fill) calc(var(--tint,7%)*.55),var(--loom-card));color:var(--loom-soft)}
.matrix tbody td.src,.matrix tbody td.now-row{border-color:var(--role)}
.matrix tbody td.src{font-weight:500}
.matrix tbody td.op{border-color:var(--role);box-shadow:0 0 0 1.5px var(--role);font-weight:700}
.matrix tbody td.now{background:var(--loom-now);border-color:var(--loom-now-line);color:var(--loom-ink);font-weight:700;box-shadow:0 0 0 .5px var(--loom-now-line)}
.matrix tbody td.now-row{border-color:var(--loom-now-line);background-image:none;background-color:color-mix(in srgb,var(--loom-now) 72%,var(--loom-card));font-weight:600}
.matrix tbody td.lit{border-color:var(--loom-now-line);background-color:var(--loom-now);color:var(--loom-ink)}
.matrix tbody td.todo{background:var(--loom-card);border:1px dashed color-mix(in srgb,var(--loom-edge) 55%,transparent)}
.matrix thead :is(td,th){block-size:max(var(--bridge),1.1em)}
.matrix thead th,.matrix tbody th{font-weight:500;color:var(--loom-soft);white-space:nowrap}.matrix th .word{font-size:.875em}
.matrix th .word{display:block;overflow:hidden;text-overflow:ellipsis;position:relative}
.matrix thead th .word{margin-inline:-.3em}.matrix thead th:last-child .word{margin-inline-end:0}
/* Every word has its own direction, and that moves nothing: tables run left to right. */
.matrix th .word{unicode-bidi:plaintext}
.matrix tbody th{text-align:right}.matrix tbody th .word{padding-inline-end:.6em}
.matrix th.current .word{font-weight:650}
.matrix th.current.q .word{color:var(--loom-q)}.matrix th.current.kv .word{color:var(--loom-k)}.matrix th.current.f .word{color:var(--loom-ink)}
.matrix th.f .word{font-size:.75em;font-weight:400}
.corner>.matrix.result tbody th .word{opacity:0}
.alone>.matrix.result tbody th .word{opacity:1}
.corner:not(.alone,.through)>.matrix.result thead th .word{opacity:0}
.named-rows>.note{padding-inline-end:calc(var(--label) + .6em)}.named-rows>.matrix.top tbody th .word{position:absolute;inset-inline-end:0;inset-block-start:calc(50% - .6em);inline-size:calc(var(--label)/.875)}
.corner:not(.named-rows,.from-top)>.matrix.top tbody th .word{opacity:0}
.matrix.left thead th.f .word{opacity:0}
.matrix.through tbody th .word{opacity:0}
.through>.matrix.result thead th.f .word,.through>.matrix.through thead th.f .word{opacity:0}
.matrix.editable tbody td{cursor:text}
.operator{grid-area:operator;align-self:center;justify-self:center;min-inline-size:2.6em;--line:var(--high);display:grid;place-items:center;font-size:.9375em;font-weight:600;color:var(--loom-ink);padding-inline:.2em}
[class*=" at-"]>.operator{align-self:start;margin-block-start:calc(var(--gap)*2 + var(--bridge) + var(--row)*(var(--line) + var(--gap)));block-size:var(--line);font-size:1em}
.corner.from-top:not(.through):not(.alone)>.operator{grid-area:result;align-self:start;justify-self:start;margin:calc(var(--gap)*2 + max(var(--bridge),1.1em)) 0 0;block-size:var(--high)}
.small-numbers>.operator{--line:calc(var(--high)*.8125)}
.operator span{font-size:.9375em;background:var(--loom-card);padding:.15em .5em;border:1px solid var(--loom-line);border-radius:1em;white-space:nowrap}
:is(td,th).weft::before,:is(td,th).warp::after{content:"";position:absolute;z-index:-1;pointer-events:none}
:is(td,th).weft::before{inset-inline:calc(var(--gap)*-1 - 3px);inset-block-start:calc(50% - 1.5px);block-size:3px;background:var(--weft)}
:is(td,th).warp::after{inset-block:calc(var(--gap)*-1 - 3px);inset-inline-start:calc(50% - 1.5px);inline-size:3px;background:var(--warp)}
.matrix.through tbody th.weft::before{inset-inline-start:-3.2em}
.matrix.left tbody th.weft::before{inset-inline-start:calc(100% - .3em);inset-inline-end:calc(var(--gap)*-1 - 3px)}
.matrix.top thead th.warp::after{inset-block-start:calc(100% - .2em)}
.named-rows .matrix.top tbody th.weft::before,.matrix.top .weft::before,.matrix.left .warp::after,.through>.matrix .warp::after{content:none}
.through>.matrix.left thead th.warp::after,.through>.matrix.result thead th.warp::after{content:none}
.level-stage :is(td,th).weft::before,.level-stage :is(td,th).warp::after,.level-row :is(td,th).warp::after{opacity:.32}
.now.weft::before{inset-inline-end:50%}.now.warp::after{inset-block-end:50%}
.sums-result>.matrix.result tbody tr:has(td):not(:has(.todo,.no-sum))::after{content:"= 1";content:"= 1"/"";display:table-cell;vertical-align:middle;overflow:visible;padding-inline-start:.5em;font-size:.8125em;font-weight:600;color:var(--loom-w);white-space:nowrap}
.matrix td.changed{animation:loom-flash 1.1s ease-out 1}
@keyframes loom-flash{0%,35%{background-color:var(--loom-now);box-shadow:0 0 0 2px var(--loom-now-line)}}
@media (prefers-reduced-motion:reduce){.matrix td.changed{animation:none;box-shadow:0 0 0 2px var(--loom-edge)}}
@container loom (max-width:36em){.corner{--least:2.35em;--high:2.3em;--gap:.19em;--bridge:.8em;--label:3.6em;--pad:.45em;font-size:.875em}
.corner.small-numbers{--pad:.3em;--least:2.2em}.matrix.through caption{position:relative;inline-size:auto;max-inline-size:none;text-align:end}.matrix.through caption .unseen{inset-inline-start:0}.matrix.through caption .title{padding:0;margin-inline-start:-9em}.matrix.through caption i{display:none}.corner.small-numbers :is(td,col.cell){font-size:.858em}
.note{font-size:.858em;padding:0 .5em .5em 0;line-height:1.35;white-space:nowrap}:is(.through,.from-top)>.note{white-space:normal;max-inline-size:calc(100cqi - 1.6em);padding-inline-start:.4em;justify-content:center}.sums-result>.matrix.result tbody tr:has(td):not(:has(.todo,.no-sum))::after{font-size:.858em}.matrix caption .title>*{font-size:.858em}.matrix th .word{font-size:.858em}.matrix th.f .word{font-size:.858em}}
@container loom (max-width:36em){.matrix.left caption .size{display:none}.matrix.left tbody th{position:sticky;inset-inline-start:-.35em;z-index:2;background:linear-gradient(to right,var(--loom-card) 88%,transparent)}}
@container loom (max-width:25em){.corner.small-numbers{--pad:.22em}.corner{--least:2.2em;--label:3.6em;--gap:.17em}.operator{min-inline-size:1.9em}}
@container loom (max-width:25em){.level-stage>.left .weft::before,.level-stage td.weft:not(:first-of-type)::before{content:none}.level-stage>.result td.weft:first-of-type::before{inset-inline-end:50%}.through>.left .weft::before,.through>.result td.weft::before{opacity:.32}}
@container loom (max-width:22em){.corner{--gap:.13em;--label:3.5em;--bridge:.7em}.corner.small-numbers{--pad:.1em}}
@container loom (max-width:21em){.matrix thead th .word{margin-inline:-.08em}.matrix thead th.current .word{overflow:visible;inline-size:max-content;margin-inline-start:50%;translate:-50%;background:var(--loom-card);z-index:1;padding-inline:.15em}.corner{--least:1.72em;--pad:.4em;--gap:.12em;--label:3.15em;--bridge:.55em}.note{white-space:normal}}
.work{min-block-size:3.9em;display:grid;align-content:center;justify-items:center;gap:.3em;font:400 1em/1.3 var(--loom-font-ui);font-variant-numeric:tabular-nums lining-nums}
.work p{margin:0}.work .count{color:var(--loom-soft);font-size:.875em}
.terms{display:flex;flex-wrap:wrap;justify-content:center;align-items:center;gap:.35em .5em;font-size:1.0625em;font-weight:600}
.chip{padding:.22em .6em;border:1.5px solid var(--loom-line);border-radius:.5em;background:var(--loom-card);white-space:nowrap}
.chip.now{background:var(--loom-now);border-color:var(--loom-now-line)}
.chip.later{border-style:dashed;font-weight:400}.chip.later [class|=r]{font-weight:400}
.join{color:var(--loom-soft);font-weight:500}.sum{display:inline-flex;gap:.5em;align-items:center}.total{font-size:1.25em;font-weight:700}
.running{text-align:center;font-size:.875em;color:var(--loom-soft);font-weight:400;min-block-size:1.3em}.partials b,.partials span{margin-inline:.1em}.running b{color:var(--loom-ink)}.exact{margin-inline-start:.8em;white-space:nowrap}.exact:first-child{margin:0}.terms.long{font-size:.875em}
.sentence{margin:0;font:400 1.1875em/1.45 var(--loom-font-prose);text-wrap:pretty;text-align:center;color:var(--loom-ink)}
.sentence [class|=r]{font-weight:650;unicode-bidi:isolate}
.formula{font-size:1em;min-block-size:7.4em;display:grid;align-content:center;gap:.45em;overflow-x:auto;overflow-y:hidden}
.formula math{font-family:var(--loom-font-math);font-size:1.05em}.formula .part{font-size:1em;color:var(--loom-ink)}
.formula .off{display:none}.formula .word{font-style:normal;margin-inline-end:.05em}
.formula .lit,.code .here{background:var(--loom-now)}.formula .lit{border-radius:.15em}
.code{margin:0;font:400 .75em/1.8 var(--loom-font-code);color:var(--loom-ink);overflow-x:auto;white-space:pre;tab-size:2}
.code .line{display:block;padding-inline:.35em;border-radius:.2em;inline-size:max-content;min-inline-size:100%;box-sizing:border-box;color:var(--loom-soft)}.code .here{color:var(--loom-ink)}
.code mark{background:none;color:inherit;font-weight:700}
.map{display:flex;flex-wrap:wrap;justify-content:center;gap:.15em .1em;position:relative}
.stop{all:unset;box-sizing:border-box;cursor:pointer;display:grid;grid-template-rows:2.4em auto auto;justify-items:center;min-inline-size:0;flex:1 1 4.4em;max-inline-size:5.6em;padding:.3em .25em .25em;border-radius:.55em;font:500 .75em/1.3 var(--loom-font-ui);color:var(--loom-soft);text-align:center;-webkit-tap-highlight-color:transparent}
.stop .ground{display:grid;align-items:center}.stop sub{font-size:.8em;line-height:0}.stop .symbol{font-weight:400;min-block-size:1.3em}
.stop.here{background:var(--loom-now);color:var(--loom-ink)}.stop.here .name{font-weight:700}
.dots{display:block;overflow:visible}.dots .filled{fill:var(--fill)}.dots .open{fill:none;stroke:var(--loom-edge);stroke-width:.6;opacity:.7}
.stop.lit{box-shadow:inset 0 0 0 2px var(--loom-now-line)}
.stop.here .filled{fill:var(--role)}
@media (hover:hover){.stop:hover{background:color-mix(in srgb,var(--loom-ink) 6%,transparent)}.stop.here:hover{background:var(--loom-now)}}
@media (forced-colors:active){.code mark{background:Canvas;color:CanvasText}.matrix tbody td{border:1px solid CanvasText}.matrix tbody td:is(.now,.now-row,.op){border:3px solid Highlight}.matrix tbody td.src{border:2px solid Highlight}
.matrix tbody td.bad{border:4px double CanvasText}.matrix tbody td.todo{border:1px dashed GrayText}:is(td,th).weft::before,:is(td,th).warp::after{background:CanvasText;forced-color-adjust:none}
.dots .filled{fill:CanvasText}.dots .open{stroke:CanvasText}.stop:is(.here,.lit),.chip.now{outline:2px solid Highlight}.matrix tbody td.lit{border:3px solid Highlight}.code .here,.formula .lit{outline:1px solid Highlight}}
@container loom (max-width:36em){.map{flex-wrap:nowrap;justify-content:safe center;overflow-x:auto;overscroll-behavior-x:contain;scrollbar-width:none;padding-block:3px}.stop{flex:0 0 4.9em;padding-inline:0}}
.formula .capped{font-size:.95em}.formula .capped.tau{font-size:.82em}
@container loom (max-width:21em){.formula{font-size:.82em}.formula .tau{font-size:1em}}
/* What a step needs, figure to controls, fits a low window. */
@media (max-height:60rem){.corner{--high:2em}.stop{grid-template-rows:2.2em auto auto;padding-block:.15em}.work{min-block-size:3.3em}.formula{min-block-size:6.4em}}
@media print{.code{white-space:pre-wrap}.code .line{inline-size:auto}.matrix tbody td,.chip.now,.code .here{print-color-adjust:exact}}
`;

/** Fonts by name only; nothing is fetched. A page sets the properties to use its own. */
export const fontCss = (selector: string) =>
  `${selector}{--loom-font-ui:var(--loom-ui,"Inter Variable",Inter,system-ui,sans-serif);--loom-font-prose:var(--loom-prose,"Source Serif 4 Variable","Source Serif 4",Georgia,"Noto Serif",serif);--loom-font-code:var(--loom-code,"JetBrains Mono Variable","JetBrains Mono",ui-monospace,monospace);--loom-font-math:var(--loom-math,"Loom Math","STIX Two Math","Cambria Math","Latin Modern Math",math)}`;

/** Everything inside the figure. The colours and fonts have to be defined around it. */
export const pictureCss = `${layout}\n${numbered}\n${stacked}\n${addendCss}\n${wasCss}`;

/**
 * What a page ships for the still figures of renderStaticFigure, kept to themselves by nesting. The page defines the
 * colours with tokenCss.
 */
export const figureCss = `${fontCss(".loom-still")}
.loom-still{display:block;container:loom/inline-size;box-sizing:border-box;min-inline-size:0;color:var(--loom-ink);background:var(--loom-card);border:1px solid var(--loom-line);border-radius:.8em;font-size:1rem;
.scroll{overflow-x:auto;padding:1em 1em .5em}
.sentence{padding:.8em 1.2em;border-block-start:1px solid var(--loom-line)}
${pictureCss.replace(/@keyframes[^\n]*\n/, "")}}`;
