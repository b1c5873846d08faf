import { computed, signal } from '@preact/signals'
import { EN } from './en/index.ts'

/**
 * Every text of the dashboard. English is the measure: a language is complete when it has the same
 * keys, which the compiler checks.
 */
export type Messages = Widened<typeof EN>

/** The shape of the messages, without the English words themselves. */
type Widened<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...args: infer A) => string
      ? (...args: A) => string
      : Widened<T[K]>
}

export type Language = 'en' | 'de'

/** Languages in their own words. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

const KEY = 'standing.language'

export const language = signal<Language>('en')

/** The texts, in the language of the reader. */
export const t = signal<Messages>(EN)

/** How numbers and dates are written: as the reader's own, where that fits the language. */
export const locale = computed(
  () => navigator.languages.find((one) => fits(one, language.value)) ?? language.value,
)

/** Some systems name languages in ways that formatters refuse, such as `en-US@posix`. */
const TAG = /^[\w-]+$/

function fits(tag: string, wanted: Language): boolean {
  return tag.startsWith(wanted) && TAG.test(tag)
}

// uPlot makes a formatter for the browser's language as it is loaded, and is not loaded if that fails.
if (!TAG.test(navigator.language)) {
  Object.defineProperty(navigator, 'language', { value: 'en' })
}

/** The language chosen before, or the first of the reader's that there is; English if it cannot be loaded. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(KEY) ?? '', ...navigator.languages]
  const found = wanted.map((one) => one.slice(0, 2)).find(isLanguage) ?? 'en'
  await use(found).catch(() => use('en'))
}

export async function chooseLanguage(next: Language): Promise<void> {
  localStorage.setItem(KEY, next)
  await use(next)
}

async function use(next: Language): Promise<void> {
  t.value = await MESSAGES[next]()
  language.value = next
  document.documentElement.lang = next
}

const MESSAGES: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => EN,
  de: async () => (await import('./de/index.ts')).DE,
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text)
}
