import { type Html, html } from './html.ts'

/** Times as the pages of the service show them: in UTC, because the reader's time zone is unknown. */
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** `15 June 2026`, with the exact time on hover. */
export function dateOf(time: string): Html {
  return html`<time datetime="${time}" title="${time}">${DATE.format(Date.parse(time))}</time>`
}

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

/** `15 June 2026 at 11:00:00 UTC` */
export function momentOf(time: string): Html {
  return html`<time datetime="${time}">${MOMENT.format(Date.parse(time))} UTC</time>`
}

const NUMBER = new Intl.NumberFormat('en-GB')

export function numberOf(value: number): string {
  return NUMBER.format(value)
}

/** `1 event`, `2,000 events` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${numberOf(count)} ${count === 1 ? one : many}`
}

/** `Excellent` */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
