import {
  type Connection,
  type Embedded,
  type EmbeddedCode,
  EmbeddedError,
  findRunning,
  type Log,
  type Preflight,
  preflight,
  startEmbedded,
} from '@standing/embedded-postgres'
import { UserError } from '../lib/user-error.ts'

/** What the embedded server's superuser, database and processes are called. */
const NAME = 'standing'

export interface EmbeddedDatabaseOptions {
  readonly dataDir: string
  readonly log?: Log
  /** PostgreSQL settings in place of the built-in ones. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts the embedded PostgreSQL, or attaches to the one that runs. @throws UserError */
export function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<Embedded> {
  return withAdvice(startEmbedded({ ...options, name: NAME }))
}

/** How to connect to the embedded PostgreSQL that runs on a data directory; null when none does. */
export function findEmbeddedDatabase(dataDir: string): Promise<Connection | null> {
  return withAdvice(findRunning(dataDir, NAME))
}

/** What a start of the embedded PostgreSQL would use. @throws UserError */
export function checkEmbeddedDatabase(dataDir: string): Promise<Preflight> {
  return withAdvice(preflight(dataDir, NAME))
}

const OWN_SERVER = 'You can also use a PostgreSQL server of your own: set DATABASE_URL.'
const OTHER_DIRECTORY = 'STANDING_DATA_DIR sets the directory.'

/** What the settings of the service offer when the embedded server cannot be used. */
const ADVICE: Readonly<Record<EmbeddedCode, string | null>> = {
  UNSUPPORTED: OWN_SERVER,
  NO_BINARIES: OWN_SERVER,
  FORBIDDEN: OTHER_DIRECTORY,
  WRONG_VERSION: OTHER_DIRECTORY,
  INIT_FAILED: OWN_SERVER,
  START_FAILED: OWN_SERVER,
  STOP_FAILED: null,
  IN_USE: `${OTHER_DIRECTORY} To run several nodes, set the same DATABASE_URL for all.`,
}

async function withAdvice<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof EmbeddedError)) {
      throw error
    }
    const advice = ADVICE[error.code]
    const message = advice === null ? error.message : `${error.message} ${advice}`
    throw new UserError(message, { cause: error })
  }
}
