import { signal } from '@preact/signals'

export type Theme = 'auto' | 'light' | 'dark'

/** public/theme.js has this key too: it sets the theme before the first paint. */
const KEY = 'standing.theme'

const stored = localStorage.getItem(KEY)
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'auto')

export function setTheme(next: Theme): void {
  if (next === 'auto') {
    localStorage.removeItem(KEY)
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem(KEY, next)
    document.documentElement.dataset.theme = next
  }
  // Behind the attribute: who draws by it reads the new colours.
  theme.value = next
}

/** For what is drawn by a script: called when other colours hold, before the page is painted with them. */
export function onThemeChange(draw: () => void): () => void {
  const isDark = matchMedia('(prefers-color-scheme: dark)')
  isDark.addEventListener('change', draw)
  let isWatching = false
  const stop = theme.subscribe(() => isWatching && draw())
  isWatching = true
  return () => {
    isDark.removeEventListener('change', draw)
    stop()
  }
}
