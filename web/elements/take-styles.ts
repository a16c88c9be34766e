// The card of what can be taken away.

import { clipboardCss } from "./clipboard.ts";

export const takeCss = `${clipboardCss}
.signs{display:inline-grid}.signs>*{grid-area:1/1}.signs .done{visibility:hidden;color:var(--loom-good)}
.is-done .signs>.icon{visibility:hidden}.is-done .signs .done{visibility:visible}
.card.take{inline-size:min(24rem,calc(100vw - 16px))}
.taken{display:grid;grid-template-columns:1fr auto;gap:.3em .9em;align-items:center;padding-block:.3em}
.card .taken>p{margin:0;color:var(--loom-ink)}
.taken>div{display:flex;flex-wrap:wrap;gap:.35em;justify-content:flex-end}
.card .taken .push{margin:0;min-block-size:2.2em;padding:0 .65em}
.card .said{min-block-size:1.45em;margin-block-start:.5em;color:var(--loom-ink);font-weight:600}
@media (max-width:24rem){.taken{grid-template-columns:1fr}.taken>div{justify-content:flex-start}}
`;
