import type { Rows } from './rows.ts'

/** A fact about the installation. */
export interface InstallationRow {
  readonly name: string
  readonly value: string
}

export type InstallationStore = Pick<
  Rows<InstallationRow, Pick<InstallationRow, 'name'>>,
  'insert' | 'save' | 'find'
>

/** The value of a row that was found. */
type Stored = Pick<InstallationRow, 'value'> | null

/** What `standing backup` last wrote, as JSON. */
export const LATEST_BACKUP = 'latest_backup'

/** A backup that was written and read again to its end. */
export interface BackupRecord {
  /** Where it was written, on the machine of the command. */
  readonly file: string
  /** The data is as of then. Milliseconds since the epoch, as the others. */
  readonly asOf: number
  readonly verifiedAt: number
  readonly bytes: number
  readonly tables: number
  readonly rows: number
  /** Whether the master key is in it: then it needs no other secret, and is one itself. */
  readonly hasMasterKey: boolean
}

export function backupIn(stored: Stored): BackupRecord | null {
  return stored && (JSON.parse(stored.value) as BackupRecord)
}

/** Why the operator halted the issuing of credentials, as JSON; `null` after it was resumed. */
export const ISSUING_HALT = 'issuing_halt'

export interface Halt {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The id of the operator. */
  readonly by: string
  readonly reason: string
}

export function haltIn(stored: Stored): Halt | null {
  return stored && (JSON.parse(stored.value) as Halt | null)
}

/** The last proxy that was noticed and not trusted, as JSON: `peer` and `at`. */
export const LATEST_PROXY = 'untrusted_proxy'
