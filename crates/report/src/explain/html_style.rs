//! The style of the page of explanations: readable in light and in dark, on a phone and on a wide screen.

pub(super) const STYLE: &str = "\
:root { color-scheme: light dark; --text: #1b1b1b; --soft: #5f6368; --page: #ffffff; --line: #d9dce0;
  --code: #f5f6f8; --bad: #b00020; --good: #00694f; --open: #8a5a00; --mark: #fff3c4; --edge: #d08700;
  --old: #fdecee; --new: #e6f5ec; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8e8; --soft: #a0a6ad; --page: #16181b; --line: #3a3f45;
  --code: #1f2327; --bad: #ff8a94; --good: #4fd1ae; --open: #f0b429; --mark: #43360a; --edge: #f0b429;
  --old: #3a1a1e; --new: #12301f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem clamp(.5rem, 3vw, 1.25rem) 4rem; max-width: 80rem; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .25rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; overflow-wrap: anywhere; }
p { margin: .25rem 0; overflow-wrap: anywhere; } .soft { color: var(--soft); }
code, .row, .ends { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .86em; }
.verdict { font-weight: 700; } .different { color: var(--bad); } .equivalent { color: var(--good); }
.unknown { color: var(--open); }
.cause { border-left: 4px solid var(--edge); padding-left: .6rem; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; } h3 .soft { font-weight: 400; }
.ends { display: grid; grid-template-columns: auto 1fr; gap: 0 .6rem; margin: .25rem 0 .5rem; overflow-wrap: anywhere; }
.path { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.row { display: grid; grid-template-columns: 1fr 1fr; border-top: 1px solid var(--line); }
.row:first-child { border-top: 0; }
.side { padding: .15rem .5rem; min-width: 0; display: grid; grid-template-columns: 2.6em 1fr; overflow-wrap: anywhere; }
.side + .side { border-left: 1px solid var(--line); }
.side .n { color: var(--soft); user-select: none; } .side .t { white-space: pre-wrap; }
.side .v { grid-column: 2; color: var(--soft); }
.side .v b { color: var(--text); background: var(--mark); border-radius: 3px; padding: 0 .2em; }
.changed .old:not(.none) { background: var(--old); } .changed .new:not(.none) { background: var(--new); }
.none { background: var(--code); }
.parts { outline: 2px solid var(--edge); outline-offset: -2px; }
.here { grid-column: 1 / -1; background: var(--mark); padding: .1rem .5rem; font-weight: 700; }
.note { grid-column: 1 / -1; padding: .1rem .5rem; color: var(--soft); background: var(--code); }
.head .side { display: block; color: var(--soft); background: var(--code); }
.side .w { display: none; }
@media (max-width: 44rem) {
  .row { grid-template-columns: 1fr; } .side + .side { border-left: 0; }
  .row.same .new, .row .none { display: none; }
  .side { grid-template-columns: 3.4em 2.2em 1fr; } .side .w { display: inline; color: var(--soft); }
  .side .v { grid-column: 3; } .head .side { display: block; } .head .side .w { display: inline-block; width: 3.4em; }
  tr { display: grid; grid-template-columns: 1fr 1fr; border-bottom: 1px solid var(--line); }
  th, td { border-bottom: 0; } tr > :first-child { grid-column: 1 / -1; } th:first-child { display: none; } td.c::before { content: 'when '; color: var(--soft); }
}
@media print { .path { break-inside: auto; } }
";
