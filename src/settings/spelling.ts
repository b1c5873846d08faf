import { nearest } from '../lib/spelling.ts'
import { UserError } from '../lib/user-error.ts'
import { SETTINGS } from './table.ts'

/** Variables of the clients, which a service may see in its environment too. */
const CLIENT_SETTINGS = ['STANDING_URL', 'STANDING_TOKEN', 'STANDING_API_KEY']

/** Letters by which a misspelt name differs at most from the right one. */
const SLIPS_MAX = 2

type Environment = Readonly<Record<string, unknown>>

/** A variable that looks like a misspelt setting, and the closest setting, if there is one. */
interface StrayVariable {
  readonly name: string
  readonly meant: string | null
}

function strayVariables(env: Environment): readonly StrayVariable[] {
  const known: readonly string[] = [...SETTINGS.map(({ name }) => name), ...CLIENT_SETTINGS]
  return Object.keys(env)
    .filter((name) => name.startsWith('STANDING_') && !known.includes(name))
    .map((name) => ({ name, meant: nearest(name, known, SLIPS_MAX) ?? null }))
}

/** What Kubernetes and Docker set for a service that is called `standing`. */
const ORCHESTRATED = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?$/
const ORCHESTRATED_PORT = /^(tcp|udp):\/\//

/** Names that other programs have too, so a misspelt one cannot prevent the start. */
const SHARED = /^(DATABASE|SMTP)_/

/** Variables that a person may take for settings of the service, and that it ignores. */
export function ignoredVariables(env: Environment): readonly StrayVariable[] {
  const isOrchestrated = (name: string) =>
    ORCHESTRATED.test(name) || ORCHESTRATED_PORT.test(String(env[name]))
  const strays = strayVariables(env).filter(({ name }) => !isOrchestrated(name))
  return [...strays, ...misspeltShared(env)]
}

/** Only where the right one is not set: then another program may need the other. */
function misspeltShared(env: Environment): readonly StrayVariable[] {
  const known = SETTINGS.map(({ name }) => name).filter((name) => SHARED.test(name))
  const unset = known.filter((name) => !env[name])
  return Object.keys(env)
    .filter((name) => SHARED.test(name) && !known.some((one) => one === name))
    .map((name) => ({ name, meant: nearest(name, unset, SLIPS_MAX) ?? null }))
    .filter(({ meant }) => meant !== null)
}

/**
 * A misspelt setting would be ignored. A name that resembles no setting belongs to another program.
 *
 * @throws UserError
 */
export function checkSpelling(env: Environment): void {
  const misspelt = strayVariables(env).filter(({ meant }) => meant !== null)
  if (misspelt.length > 0) {
    const sentences = misspelt.map(
      ({ name, meant }) => `${name} is not a setting. Did you mean ${meant}?`,
    )
    throw new UserError(sentences.join(' '))
  }
}
