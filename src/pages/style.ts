import DRAWINGS from '@standing/design/drawings.css'
import TOKENS from '@standing/design/tokens.css'

/** The layout of the pages; colours, sizes and drawings are those of the dashboard. */
const PAGES = `
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; font: var(--size-m)/1.5 var(--font); font-variant-numeric: tabular-nums;
  background: var(--page); color: var(--text); }
/* Below the underscores of codes, which the line would hide. */
a { color: var(--accent); text-decoration: none; text-underline-offset: .3em; }
p a, a:hover { text-decoration: underline; }
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
h2 a, h3 a { color: inherit; }
p { margin: 0 0 var(--s3); max-width: var(--prose); overflow-wrap: break-word; }
section { border-top: 1px solid var(--line); padding-top: var(--s8); margin-top: var(--s12); }
article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 0 var(--s12);
  padding: var(--s8) 0; border-bottom: 1px solid var(--line); }
article:last-child { border-bottom: 0; }
aside { position: sticky; top: 4rem; align-self: start; }
code, pre { font-family: var(--mono); font-size: .93em; }
:not(pre) > code { background: var(--raised); padding: .1em .35em; border-radius: 4px; overflow-wrap: break-word; }
pre { margin: var(--s1) 0 var(--s4); padding: var(--s3) var(--s4); overflow: auto; max-height: 26rem;
  font-size: var(--size-xs); line-height: 1.6; background: var(--raised); border: 1px solid var(--line);
  border-radius: var(--radius); }
pre code { font-size: inherit; }
table { border-collapse: collapse; width: 100%; margin: var(--s2) 0 var(--s4); }
th, td { text-align: left; vertical-align: top; padding: var(--s2) var(--s4) var(--s2) 0;
  border-bottom: 1px solid var(--line); }
tbody th { min-width: 6rem; }
/* A table in a frame scrolls there; others have to fit, if within a word. */
.scroll td, .scroll th { min-width: 5rem; overflow-wrap: break-word; }
:not(.scroll) > table :is(td, tbody th) { overflow-wrap: anywhere; }
th { font-size: var(--size-s); color: var(--quiet); font-weight: var(--strong); }
dt { margin-top: var(--s3); }
dd { margin: 0; overflow-wrap: anywhere; }
.key { user-select: all; font-weight: var(--strong); }
button, .button { display: inline-block; font: inherit; font-weight: var(--strong); padding: var(--s2) var(--s4);
  border: 0; border-radius: var(--radius); background: var(--accent); color: var(--on-accent); cursor: pointer; }
.path { display: flex; gap: var(--s2); align-items: baseline; margin: var(--s1) 0 var(--s3);
  overflow-wrap: anywhere; }
.path > code { overflow-wrap: anywhere; }
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

article h2 { font-size: var(--size-l); margin: 0 0 var(--s1); }
article h3 { font-size: var(--size-xs); color: var(--quiet); margin: var(--s6) 0 var(--s2); }
.skip { position: absolute; left: -99rem; z-index: 3; padding: var(--s2) var(--s4); background: var(--page); }
.skip:focus { left: var(--s4); top: var(--s2); }
main:focus { outline: 0; }
nav .search { display: flex; gap: var(--s2); padding-right: var(--s4); margin-bottom: var(--s3); }
nav .search input { min-width: 0; flex: 1; font: inherit; padding: var(--s1) var(--s2); color: inherit;
  background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); }
nav .search button { padding: var(--s1) var(--s3); }
nav a[aria-current] { font-weight: var(--strong); color: var(--accent); }
nav .inner { margin: 0 0 var(--s2) var(--s2); padding-left: var(--s2); border-left: 2px solid var(--line);
  overflow-wrap: anywhere; }
nav code { background: none; padding: 0; }
main .operations, main .results { list-style: none; margin: 0 0 var(--s4); padding: 0; }
.operations li { padding: var(--s2) 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.operations .quiet { display: block; font-size: var(--size-s); }
.results li { padding: var(--s3) 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.results p { margin: 0; font-size: var(--size-s); }
main .guides { list-style: none; padding: 0; columns: 18rem auto; }
.guides a { display: inline-block; padding: var(--s1) 0; }
.scroll { overflow-x: auto; }
.guide { max-width: 52rem; }
@media (min-width: 52.01rem) { td > a > code { white-space: nowrap; } }
@media (max-width: 52rem) { :not(.scroll) > table td > a > code { overflow-wrap: anywhere; } }
a > code { text-underline-offset: 4px; }
.guide h2 { margin-top: var(--s8); }
.guide h3 { margin-top: var(--s6); }
.guide li { margin: var(--s1) 0; max-width: var(--prose); }
.guide img { max-width: 100%; height: auto; }
li a, td a { text-decoration: underline; }
nav li a, h2 a, .operations a { text-decoration: none; }
@supports selector(::details-content) { @media (min-width: 52.01rem) { .fold > summary { display: none; }
  .fold::details-content { content-visibility: visible; display: block; block-size: auto; } } }

header .brand { white-space: nowrap; }
header .mark { width: 16px; height: 16px; margin-right: var(--s2); vertical-align: -1px; }
h1 small { font-size: var(--size-m); font-weight: var(--regular); color: var(--quiet); margin-left: var(--s2); }
.lead { font-size: var(--size-l); color: var(--quiet); overflow-wrap: anywhere; }
.id { font-size: var(--size-s); color: var(--quiet); overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s4); margin: var(--s6) 0 var(--s2); }
.figure { font-size: var(--size-score); line-height: 1; font-weight: var(--strong); }
.figures.tier-unknown .figure { color: var(--quiet); }
.figures .tier-word { font-size: var(--size-l); }
.figures .tier-glyph { vertical-align: -1px; margin-right: var(--s1); }
.figures p { margin: 0; }
.part { margin-top: var(--s8); padding-top: 0; border-top: 0; }
.part > h2 { font-size: var(--size-l); padding-bottom: var(--s2); border-bottom: var(--border); margin-bottom: var(--s3); }
.verdict { display: inline-flex; gap: var(--s2); align-items: center; padding: var(--s2) var(--s3);
  border-radius: var(--radius); font-size: var(--size-l); font-weight: var(--strong); }
.verdict-fine { background: var(--fine-soft); color: var(--fine); }
.verdict-bad { background: var(--bad-soft); color: var(--bad); }
.verdict-over { background: var(--raised); color: var(--quiet); }
.number { text-align: right; }
th[scope='row'] { font-size: inherit; color: inherit; }
h1 { overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: var(--s2) var(--s4); }
.facts dt { margin: 0; font-weight: var(--regular); color: var(--quiet); }
.facts code { display: inline-block; }
.rank .tier-word { white-space: nowrap; }
td .tier-glyph { vertical-align: -1px; margin-right: var(--s1); }
.rank td, .rank th { vertical-align: middle; }
.note { margin-top: var(--s4); padding: var(--s3) var(--s4); background: var(--raised); border-radius: var(--radius); }
.note p:last-child { margin: 0; }
.badge { height: 20px; }
@media (max-width: 34rem) { .wide { display: none; } header { gap: var(--s4); }
  .rank td, .rank th { padding-inline-end: var(--s1); }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; } .facts dd { margin-bottom: var(--s3); } }
`

/** What stands between the rules is left out: the style is a part of every page. */
export const STYLE = (TOKENS + DRAWINGS + PAGES)
  .replaceAll(/\/\*.*?\*\//gs, '')
  .replaceAll(/\s+/g, ' ')
