/** The style of all pages, light and dark. Names and values are those of the dashboard's tokens. */
export const STYLE = `
:root { color-scheme: light dark;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --size-xs: .75rem; --size-s: .8125rem; --size-m: .875rem; --size-l: 1rem; --size-xl: 1.25rem;
  --size-2xl: 1.75rem; --strong: 600; --prose: 72ch; --radius: 6px;
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s6: 1.5rem; --s8: 2rem; --s12: 3rem;
  --page: light-dark(oklch(99.2% 0.002 210), oklch(18% 0.011 225));
  --raised: light-dark(oklch(97.4% 0.004 210), oklch(21% 0.012 225));
  --line: light-dark(oklch(90.5% 0.008 210), oklch(30% 0.014 225));
  --quiet: light-dark(oklch(48% 0.016 220), oklch(73% 0.012 225));
  --text: light-dark(oklch(23% 0.02 230), oklch(94% 0.006 225));
  --accent: light-dark(oklch(43% 0.08 205), oklch(78% 0.09 198));
  --on-accent: light-dark(oklch(99% 0.004 200), oklch(18% 0.03 210));
  --warn: light-dark(oklch(48% 0.1 68), oklch(82% 0.12 80)); }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; font: var(--size-m)/1.5 var(--font); font-variant-numeric: tabular-nums;
  background: var(--page); color: var(--text); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { position: sticky; top: 0; z-index: 2; display: flex; gap: var(--s6); align-items: baseline;
  padding: var(--s3) var(--s6); border-bottom: 1px solid var(--line); background: var(--page); }
header a { color: inherit; font-size: var(--size-s); }
header .brand { font-weight: var(--strong); font-size: var(--size-l); }
main { max-width: 46rem; margin: 0 auto; padding: var(--s8) var(--s6) 6rem; }
nav { position: fixed; top: 3.1rem; bottom: 0; width: 16rem; overflow-y: auto;
  padding: var(--s4) 0 var(--s12) var(--s6); font-size: var(--size-s); border-right: 1px solid var(--line); }
nav + main { max-width: none; margin-left: 16rem; padding: var(--s8) 2.5rem 6rem; }
nav h2 { margin: var(--s4) 0 var(--s1); font-size: var(--size-xs); color: var(--quiet); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .125rem var(--s2) .125rem 0; color: inherit; }
h1 { font-size: var(--size-2xl); line-height: 1.2; margin: 0 0 var(--s3); }
h2 { font-size: var(--size-xl); margin: 0 0 var(--s2); }
h3 { font-size: var(--size-l); margin: 0 0 var(--s1); }
h4 { font-size: var(--size-xs); color: var(--quiet); margin: var(--s6) 0 var(--s2); }
h1, h2, h3, h4, dt { font-weight: var(--strong); }
h3 a { color: inherit; }
p { margin: 0 0 var(--s3); max-width: var(--prose); }
section { border-top: 1px solid var(--line); padding-top: var(--s8); margin-top: var(--s12); }
article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 0 var(--s12);
  padding: var(--s8) 0; border-bottom: 1px solid var(--line); }
article:last-child { border-bottom: 0; }
aside { position: sticky; top: 4rem; align-self: start; }
code, pre { font-family: var(--mono); font-size: .93em; }
:not(pre) > code { background: var(--raised); padding: .1em .35em; border-radius: 4px; }
pre { margin: var(--s1) 0 var(--s4); padding: var(--s3) var(--s4); overflow: auto; max-height: 26rem;
  font-size: var(--size-xs); line-height: 1.6; background: var(--raised); border: 1px solid var(--line);
  border-radius: var(--radius); }
pre code { font-size: inherit; }
table { border-collapse: collapse; width: 100%; margin: var(--s2) 0 var(--s4); }
th, td { text-align: left; vertical-align: top; padding: var(--s2) var(--s4) var(--s2) 0;
  border-bottom: 1px solid var(--line); }
th { font-size: var(--size-s); color: var(--quiet); font-weight: var(--strong); }
dt { margin-top: var(--s3); }
dd { margin: 0; overflow-wrap: anywhere; }
.key { user-select: all; font-weight: var(--strong); }
button, .button { display: inline-block; font: inherit; font-weight: var(--strong); padding: var(--s2) var(--s4);
  border: 0; border-radius: var(--radius); background: var(--accent); color: var(--on-accent); cursor: pointer; }
.path { display: flex; gap: var(--s2); align-items: baseline; margin: var(--s1) 0 var(--s3);
  overflow-wrap: anywhere; }
.method { font: var(--strong) var(--size-xs) var(--mono); text-transform: uppercase; color: var(--quiet); }
.fields { list-style: none; margin: 0; padding: 0; font-size: var(--size-s); }
.fields > li { padding: var(--s2) 0; border-bottom: 1px solid var(--line); }
.fields .fields { margin: var(--s2) 0 0 var(--s1); padding-left: var(--s4); border-left: 2px solid var(--line); }
.fields p { margin: .125rem 0 0; }
.type { color: var(--quiet); }
.required { color: var(--warn); font-size: var(--size-xs); }
.quiet { color: var(--quiet); }
.codes { margin-top: var(--s3); font-size: var(--size-s); }
.codes a { margin-right: var(--s2); white-space: nowrap; }
details > summary { cursor: pointer; padding: var(--s2) 0; }
@media (max-width: 70rem) { article { display: block; } aside { position: static; margin-top: var(--s4); } }
@media (max-width: 52rem) { nav { position: static; width: auto; border-right: 0; padding-right: var(--s6); }
  nav + main { margin-left: 0; padding: var(--s4) var(--s6) 4rem; } }
`
