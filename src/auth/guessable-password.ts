/** A first name, a last name and the service. */
const NAMES_MAX = 3

/** One of fifty thousand with a few characters around it is tried by every guesser. */
const COMMON_MAX = 1

/** Characters that are no letters, in all: as many as a date has. */
const OTHERS_MAX = 8

/** A repeated part counts as one: shorter than a password may be, it makes none. */
const REPEATED_MAX = 11

/** The longest word that is looked up; the lists have hardly a longer one. */
const WORD_LENGTH_MAX = 40

/** What people write in place of letters. */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

export interface KnownWords {
  /** Passwords that many people have, in lower case. */
  readonly common: ReadonlySet<string>
  /** Names of the person and of the service, in lower case. */
  readonly names: ReadonlySet<string>
}

/**
 * Whether a password is a common one, or made of names, with digits for some letters and a few
 * characters around it, or one short part again and again.
 */
export function isGuessable(password: string, { common, names }: KnownWords): boolean {
  const characters = [...password.toLowerCase()]
  return (
    isRepeated(characters) ||
    isMadeOfWords(characters, common, COMMON_MAX) ||
    isMadeOfWords(characters, names, NAMES_MAX)
  )
}

function isRepeated(characters: readonly string[]): boolean {
  const lengthMax = Math.min(REPEATED_MAX, Math.floor(characters.length / 2))
  for (let length = 1; length <= lengthMax; length++) {
    if (characters.every((one, at) => at < length || one === characters[at - length])) {
      return true
    }
  }
  return false
}

/** Keeps, for each place, the fewest characters before it that belong to no word; word by word. */
function isMadeOfWords(
  characters: readonly string[],
  known: ReadonlySet<string>,
  wordsMax: number,
): boolean {
  const ends = wordEnds(characters, known)
  let fewest = withOthers(characters, [0])
  for (let words = 0; words < wordsMax; words++) {
    fewest = withOthers(characters, withWord(fewest, ends))
    if ((fewest[characters.length] ?? NEVER) <= OTHERS_MAX) {
      return true
    }
  }
  return false
}

const NEVER = Number.POSITIVE_INFINITY

/** The places where a word ends that begins at each place. */
function wordEnds(
  characters: readonly string[],
  known: ReadonlySet<string>,
): readonly (readonly number[])[] {
  return characters.map((_, from) => {
    const lengths = Math.min(WORD_LENGTH_MAX, characters.length - from)
    return Array.from({ length: lengths }, (_, index) => from + index + 1).filter((to) => {
      const word = characters.slice(from, to)
      return known.has(word.join('')) || known.has(asLetters(word))
    })
  })
}

function asLetters(word: readonly string[]): string {
  return word.map((one) => WRITTEN_FOR[one] ?? one).join('')
}

/** From each place on, characters that are no letters. */
function withOthers(characters: readonly string[], fewest: readonly number[]): readonly number[] {
  const reached = [...fewest]
  characters.forEach((one, at) => {
    const other = /\p{L}/u.test(one) ? NEVER : 1
    reached[at + 1] = Math.min(reached[at + 1] ?? NEVER, (reached[at] ?? NEVER) + other)
  })
  return reached
}

/** From each place on, one word. */
function withWord(
  fewest: readonly number[],
  ends: readonly (readonly number[])[],
): readonly number[] {
  const reached: number[] = []
  ends.forEach((all, from) => {
    for (const to of all) {
      reached[to] = Math.min(reached[to] ?? NEVER, fewest[from] ?? NEVER)
    }
  })
  return reached
}
