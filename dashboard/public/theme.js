// Before the first paint, so that a dark page does not begin white (src/ui/theme.ts).
const chosen = localStorage.getItem('standing.theme')
if (chosen) {
  document.documentElement.dataset.theme = chosen
}
