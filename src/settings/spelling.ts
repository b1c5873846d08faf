import { nearest } from '../lib/spelling.ts'
import { UserError } from '../lib/user-error.ts'
import { SETTINGS } from './table.ts'

/** Variables of the clients, which a service may see in its environment too. */
const CLIENT_SETTINGS = ['STANDING_URL', 'STANDING_TOKEN', 'STANDING_API_KEY']

/** Letters by which a misspelt name differs at most from the right one. */
const SLIPS_MAX = 2

/** A variable that looks like a misspelt setting, and the closest setting, if there is one. */
interface StrayVariable {
  readonly name: string
  readonly meant: string | null
}

export function strayVariables(env: Readonly<Record<string, unknown>>): readonly StrayVariable[] {
  const known: readonly string[] = [...SETTINGS.map(({ name }) => name), ...CLIENT_SETTINGS]
  return Object.keys(env)
    .filter((name) => name.startsWith('STANDING_') && !known.includes(name))
    .map((name) => ({ name, meant: nearest(name, known, SLIPS_MAX) ?? null }))
}

/**
 * A misspelt setting would be ignored. A name that resembles no setting belongs to another program.
 *
 * @throws UserError
 */
export function checkSpelling(env: Readonly<Record<string, unknown>>): void {
  const misspelt = strayVariables(env).filter(({ meant }) => meant !== null)
  if (misspelt.length > 0) {
    const sentences = misspelt.map(
      ({ name, meant }) => `${name} is not a setting. Did you mean ${meant}?`,
    )
    throw new UserError(sentences.join(' '))
  }
}
