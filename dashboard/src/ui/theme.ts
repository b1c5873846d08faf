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
  theme.value = next
}
