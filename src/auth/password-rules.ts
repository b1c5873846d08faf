import type { BreachedPasswords } from './breached-passwords.ts'
import { isGuessable } from './guessable-password.ts'

/** OWASP ASVS 5.0 (6.2.1) asks for at least eight characters, and recommends fifteen. */
export const PASSWORD_LENGTH_MIN = 12

/** What a new password must not be. */
export interface PasswordRules {
  /** Why this password is refused, as the end of a sentence; null where it is not. */
  problem(password: string, about: PasswordContext): Promise<PasswordProblem | null>
}

/** The person that a password is for: a guesser tries the names first. */
export interface PasswordContext {
  readonly email: string | null
  readonly name: string | null
}

export interface PasswordProblem {
  readonly code: 'guessable_password' | 'breached_password'
  readonly message: string
}

const GUESSABLE: PasswordProblem = {
  code: 'guessable_password',
  message: 'is easy to guess: a common password or a name, with little else; use several words',
}
const BREACHED: PasswordProblem = {
  code: 'breached_password',
  message: 'is in a list of passwords that became known; choose another one',
}

/** The words of the service itself. Its host names the organization that runs it. */
const PRODUCT = 'standing'

/** A shorter part of a name is in too many good passwords. */
const PART_LENGTH_MIN = 3

export interface PasswordRulesOptions {
  /** Whether passwords that are easy to guess are refused. */
  readonly refusesGuessable: boolean
  /** By which the service is reached. */
  readonly host: string
  /** Null where no such list is set. */
  readonly breached: BreachedPasswords | null
}

export function createPasswordRules(options: PasswordRulesOptions): PasswordRules {
  const { refusesGuessable, host, breached } = options
  return {
    async problem(password, { email, name }) {
      if (refusesGuessable) {
        // Loaded for the first new password: most processes get none.
        const { COMMON_PASSWORDS: common } = await import('./common-passwords.ts')
        const names = wordsOf([PRODUCT, host, email, name])
        if (isGuessable(password, { common, names })) {
          return GUESSABLE
        }
      }
      return (await breached?.has(password)) ? BREACHED : null
    },
  }
}

/** Each text, its parts, and its parts without what separates them. */
function wordsOf(texts: readonly (string | null)[]): ReadonlySet<string> {
  const words = texts.flatMap((text) => {
    const whole = (text ?? '').toLowerCase()
    const sides = whole.split('@').map((side) => side.replace(SEPARATORS, ''))
    return [whole, ...sides, ...whole.split(SEPARATORS)]
  })
  return new Set(words.filter((word) => word.length >= PART_LENGTH_MIN))
}

const SEPARATORS = /[^\p{L}\p{N}]+/gu
