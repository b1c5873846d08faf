import { parseArgs } from 'node:util'
import { nearest } from './spelling.ts'
import { UsageError } from './user-error.ts'

/** An option: `--port 8080` if it takes a value, `--all` if it does not. */
export interface ArgumentOption<N extends string = string> {
  readonly name: N
  /** What the value is called in help texts. An option without one is a flag. */
  readonly value?: string
}

export interface Arguments<N extends string> {
  /** Everything that is no option, in order. */
  readonly words: readonly string[]
  readonly options: Readonly<Partial<Record<N, string>>>
  readonly flags: ReadonlySet<N>
}

/**
 * Reads `--name value`, `--name=value`, flags and words. Of an option that is given twice the last one counts. After
 * `--` everything is a word. A key's thumbprint is a word, although one of 64 begins with a dash. For an option that
 * does not exist, `hintOf` may say what to write in its place.
 *
 * @throws UsageError that names the option which does not exist, or lacks its value
 */
export function parseArguments<const N extends string>(
  args: readonly string[],
  known: readonly ArgumentOption<N>[],
  hintOf: (name: string) => string | null = () => null,
): Arguments<N> {
  const types = known.map(
    ({ name, value }) => [name, { type: value ? 'string' : 'boolean' }] as const,
  )
  const { tokens, positionals } = parseArgs({
    args: args.map(protectedThumbprint),
    options: Object.fromEntries(types),
    allowPositionals: true,
    tokens: true,
    // Node's own messages speak of its API; the ones below speak to the person who typed.
    strict: false,
  })
  const options: Partial<Record<N, string>> = {}
  const flags = new Set<N>()
  for (const token of tokens) {
    if (token.kind !== 'option') {
      continue
    }
    const option = known.find(({ name }) => name === token.name)
    if (!option || !token.rawName.startsWith('--')) {
      throw new UsageError(unknownOption(token.rawName, known, hintOf(token.name)))
    }
    if (option.value === undefined) {
      if (token.value !== undefined) {
        throw new UsageError(`${token.rawName} takes no value.`)
      }
      flags.add(option.name)
    } else {
      options[option.name] = unprotected(optionValue(token, option.value))
    }
  }
  return { words: positionals.map(unprotected), options, flags }
}

/** Letters by which a misspelt option differs at most from the right one; a short one by fewer. */
const SLIPS_MAX = 2

function unknownOption(
  rawName: string,
  known: readonly ArgumentOption[],
  ownHint: string | null,
): string {
  if (ownHint !== null) {
    return `There is no option ${rawName}. ${ownHint}`
  }
  const names = known.map(({ name }) => `--${name}`)
  const letters = rawName.replace(/^-+/, '').length
  const meant = nearest(rawName, names, Math.min(SLIPS_MAX, Math.ceil(letters / 3)))
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return `There is no option ${rawName}.${hint}`
}

/** SHA-256 in base64url, as RFC 7638 names keys. */
const THUMBPRINT = /^[\w-]{43}$/

/** No argument of a command line can hold this character, so it marks words without ambiguity. */
const WORD_MARK = '\0'

function protectedThumbprint(arg: string): string {
  return THUMBPRINT.test(arg) ? `${WORD_MARK}${arg}` : arg
}

function unprotected(word: string): string {
  return word.startsWith(WORD_MARK) ? word.slice(WORD_MARK.length) : word
}

interface OptionToken {
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function optionValue({ rawName, value, inlineValue }: OptionToken, called: string): string {
  if (value === undefined) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${called}`)
  }
  if (!inlineValue && value.startsWith('-')) {
    throw new UsageError(
      `${rawName} needs a value; one that begins with a dash as ${rawName}=${value}`,
    )
  }
  return value
}
