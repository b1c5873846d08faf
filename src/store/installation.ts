import type { FindOptions } from './types.ts'

/** Facts about the installation. */
export interface InstallationStore {
  get(name: string, options?: FindOptions): Promise<string | null>
  /** False when the value was set before; that value stays. */
  claim(name: string, value: string): Promise<boolean>
  /** Sets a value whether or not there is one. */
  put(name: string, value: string): Promise<void>
}

/** When `standing backup` last ended, in milliseconds since the epoch. */
export const LATEST_BACKUP = 'latest_backup'

/** The last proxy that was noticed and not trusted, as JSON: `peer` and `at`. */
export const LATEST_PROXY = 'untrusted_proxy'
