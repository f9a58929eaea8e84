/** The style sheet of a trace's page: light and dark, wide and narrow, readable in print. */
export const traceStyle = `
:root {
  --paper: light-dark(#ffffff, #14171c); --ink: light-dark(#1c2128, #dfe4ea); --soft: light-dark(#59636e, #97a1ad);
  --line: light-dark(#e4e8ec, #2a3038); --hover: light-dark(#f3f6f9, #1d222a); --work: light-dark(#3b7dd8, #5b9bf0);
  --slow: light-dark(#d9730d, #f0a04b); --wait: light-dark(#a78bda, #9d83d6); --idle: light-dark(#b8c0c9, #565f6b);
  --good: light-dark(#1a7f4b, #4cc38a); --bad: light-dark(#c2352b, #ff7b72); --warn: light-dark(#9a6700, #e3b341);
  color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 110rem; background: var(--paper); color: var(--ink); }
h1 { font-size: 1.25rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
header dl { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: 0; }
header dl div { display: flex; gap: .5rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
code, pre, .num { font-family: ui-monospace, monospace; font-size: .92em; }
.key { color: var(--soft); margin: 1rem 0 .5rem; }
.key .bar { position: static; display: inline-block; width: 1.5rem; margin: 0 .25rem 0 .75rem; vertical-align: middle; }
.row {
  display: grid; grid-template-columns: minmax(0, 1fr) 6.5rem 6.5rem 3.5rem minmax(8rem, 30%); gap: .5rem;
  padding: .15rem .25rem; border-bottom: 1px solid var(--line); align-items: baseline;
}
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover, div.row:not(.head):hover { background: var(--hover); }
summary:focus-visible { outline: 2px solid var(--work); outline-offset: -2px; }
.head { color: var(--soft); position: sticky; top: 0; background: var(--paper); z-index: 1; border-bottom-width: 2px; }
.head .time { display: flex; justify-content: space-between; }
.what {
  position: relative; padding-left: calc(var(--depth, 0) * 1.1rem + 1.1rem);
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
.head .what { padding-left: 1.1rem; }
summary .what::before { content: "\\25b8"; position: absolute; left: calc(var(--depth, 0) * 1.1rem); color: var(--soft); }
details[open] > summary .what::before { content: "\\25be"; }
.what b { font-weight: 500; }
.what b.step, .what b.life, .what b.run { font-weight: 650; }
.told { color: var(--soft); }
.came::before { content: "\\2192\\00a0"; color: var(--soft); }
.failed > .what .came, .failed > .what b.attempt { color: var(--bad); }
.waiting > .what .came, .cut-off > .what .came, .what b.gap, .what b.taint { color: var(--warn); }
.done > .what b.verification + .came, .done > .what b.end ~ .came, .done > .what b.check ~ .came { color: var(--good); }
.num { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.time { position: relative; align-self: stretch; min-height: 1rem; }
.bar { position: absolute; top: 25%; height: .6rem; min-width: 2px; border-radius: 2px; background: var(--work); }
.key .bar { height: .6rem; }
.bar.whole { opacity: .35; } .bar.slow { background: var(--slow); } .bar.wait { background: var(--wait); }
.bar.idle { background: repeating-linear-gradient(45deg, var(--idle) 0 3px, transparent 3px 6px); }
.full {
  display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem; margin: 0;
  padding: .35rem .25rem .5rem calc(var(--depth, 0) * 1.1rem + 2.2rem); border-bottom: 1px solid var(--line);
}
.full pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 20rem; overflow: auto; }
@media (max-width: 60rem) {
  .row { grid-template-columns: minmax(0, 1fr) 5.5rem 5.5rem; }
  .row .num:nth-child(4), .head .time { display: none; }
  .row .time { grid-column: 1 / -1; min-height: .6rem; margin-top: -.25rem; }
}
@media print { details > * { display: block; } .head { position: static; } }
`;
