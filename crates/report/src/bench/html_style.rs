//! The style of the benchmark's page: readable in light and in dark, on a screen and on paper.

/// Colours of Okabe and Ito, a little lighter where the page is dark.
pub(crate) const STYLE: &str = "\
:root { color-scheme: light dark; --text: #1b1b1b; --soft: #5f6368; --page: #ffffff; --line: #d9dce0;
  --bad: #b00020; --bad-page: #fdecee; --good: #00694f;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b0568a; --c4: #b07a00; --c5: #3a9bd6; --c6: #1b1b1b; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8e8; --soft: #a0a6ad; --page: #16181b; --line: #3a3f45;
  --bad: #ff8a94; --bad-page: #3a1a1e; --good: #4fd1ae;
  --c0: #4aa3df; --c1: #ff8c42; --c2: #2fc79a; --c3: #e79bc4; --c4: #f0b429; --c5: #8fd0ff; --c6: #e8e8e8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem clamp(.5rem, 3vw, 1.25rem) 4rem; max-width: 76rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2.25rem 0 .5rem; }
.settings, .legend-text { color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
th.w, td.w { text-align: left; }
td.solved { color: var(--good); } td.unknown, td.bounded, td.crash { color: var(--soft); }
td.wrong, td.bad { color: var(--bad); font-weight: 700; background: var(--bad-page); }
section.bad { border-left: 4px solid var(--bad); background: var(--bad-page); padding: .25rem 1rem; margin: 1.5rem 0; }
section.bad h2 { color: var(--bad); margin-top: .5rem; }
li { margin: .2rem 0; overflow-wrap: anywhere; }
summary { cursor: pointer; font-size: 1.1rem; font-weight: 600; margin: 2.25rem 0 .5rem; }
svg { display: block; width: 100%; height: auto; max-width: 640px; }
svg text { fill: var(--text); } .grid path { stroke: var(--line); fill: none; } .grid text { fill: var(--soft); }
.series path { fill: none; } .ring { fill: var(--page); }
.c0 { stroke: var(--c0); fill: var(--c0); } .c1 { stroke: var(--c1); fill: var(--c1); }
.c2 { stroke: var(--c2); fill: var(--c2); } .c3 { stroke: var(--c3); fill: var(--c3); }
.c4 { stroke: var(--c4); fill: var(--c4); } .c5 { stroke: var(--c5); fill: var(--c5); }
.c6 { stroke: var(--c6); fill: var(--c6); }
ul.settings { list-style: none; margin: 0; padding: 0; }
@media print { details > * { display: block; } }
";
