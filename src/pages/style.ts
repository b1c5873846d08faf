/** The one style of all pages, light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 14%, transparent);
  --soft: color-mix(in srgb, currentColor 62%, transparent); --accent: light-dark(#1d4ed8, #8ab4ff);
  --code: light-dark(#f4f5f8, #171b24); }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; background: light-dark(#fff, #0e1117);
  color: light-dark(#1b1f2a, #e4e7ee); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
header { position: sticky; top: 0; z-index: 2; display: flex; gap: 1.5rem; align-items: baseline;
  padding: .8rem 1.5rem; border-bottom: 1px solid var(--line); background: light-dark(#fff, #0e1117); }
header a { color: inherit; font-size: .93rem; }
.brand { font-weight: 700; font-size: 1.05rem; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.5rem 6rem; }
nav { position: fixed; top: 3.4rem; bottom: 0; width: 16rem; overflow-y: auto;
  padding: 1.2rem 0 3rem 1.5rem; font-size: .88rem; border-right: 1px solid var(--line); }
nav + main { max-width: none; margin-left: 16rem; padding: 2rem 2.5rem 6rem; }
nav h2 { margin: 1.3rem 0 .3rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase;
  color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .16rem .6rem .16rem 0; color: inherit; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.45rem; margin: 0 0 .4rem; }
h3 { font-size: 1.12rem; margin: 0 0 .2rem; }
h4 { font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft);
  margin: 1.6rem 0 .4rem; }
p { margin: 0 0 .8rem; }
section { border-top: 1px solid var(--line); padding-top: 2.2rem; margin-top: 2.6rem; }
article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 0 3rem;
  padding: 2rem 0; border-bottom: 1px solid var(--line); }
article:last-child { border-bottom: 0; }
aside { position: sticky; top: 4.2rem; align-self: start; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .86em; }
:not(pre) > code { background: var(--code); padding: .1em .35em; border-radius: .3em; }
pre { margin: .3rem 0 1rem; padding: .85rem 1rem; overflow: auto; max-height: 26rem; line-height: 1.5;
  font-size: .8rem; background: var(--code); border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; margin: .4rem 0 1.2rem; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem .45rem 0;
  border-bottom: 1px solid var(--line); }
th { font-size: .8rem; color: var(--soft); font-weight: 600; }
.path { display: flex; gap: .6rem; align-items: baseline; margin: .3rem 0 .8rem; overflow-wrap: anywhere; }
.method { font: 700 .72rem ui-monospace, monospace; text-transform: uppercase; }
.get { color: light-dark(#15803d, #6fd08c); } .post { color: light-dark(#1d4ed8, #8ab4ff); }
.patch { color: light-dark(#a16207, #e3b95b); } .delete { color: light-dark(#b91c1c, #ff8f8f); }
.fields { list-style: none; margin: 0; padding: 0; font-size: .92rem; }
.fields > li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
.fields .fields { margin: .4rem 0 0 .2rem; padding-left: 1rem; border-left: 2px solid var(--line); }
.fields p { margin: .1rem 0 0; }
.type { color: var(--soft); font-size: .84rem; }
.required { color: light-dark(#b45309, #f0b35b); font-size: .8rem; }
.quiet { color: var(--soft); }
pre code { font-size: inherit; }
h3 a { color: inherit; }
.codes { margin-top: .6rem; font-size: .88rem; }
.codes a { margin-right: .4rem; white-space: nowrap; }
details > summary { cursor: pointer; padding: .35rem 0; }
@media (max-width: 70rem) { article { display: block; } aside { position: static; margin-top: 1rem; } }
@media (max-width: 52rem) { nav { position: static; width: auto; border-right: 0; padding-right: 1.5rem; }
  nav + main { margin-left: 0; padding: 1rem 1.5rem 4rem; } }
`
