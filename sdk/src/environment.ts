/** The settings of a client that the environment may name. */
export interface Environment {
  readonly STANDING_URL?: string | undefined
  readonly STANDING_API_KEY?: string | undefined
  readonly STANDING_TOKEN?: string | undefined
}

const NAMES = ['STANDING_URL', 'STANDING_API_KEY', 'STANDING_TOKEN'] as const

/** Empty where there is no environment (browsers), or none that may be read (Deno). */
export function readEnvironment(): Environment {
  try {
    // An empty variable counts as one that is not set.
    return Object.fromEntries(NAMES.map((name) => [name, process.env[name] || undefined]))
  } catch {
    return {}
  }
}
