import { UserError } from '../lib/user-error.ts'
import { type Get, wholeNumber } from './values.ts'

/** Where everything is kept. @throws UserError for a `~`, which only a shell replaces */
export function dataDir(get: Get): string {
  const text = get('STANDING_DATA_DIR') ?? '.standing'
  if (/^~(\/|$)/.test(text)) {
    throw new UserError(
      `STANDING_DATA_DIR is "${text}", and only a shell replaces ~. Write the whole path: /home/ada/standing.`,
    )
  }
  return text
}

/**
 * Null where the disk is not watched: with a database elsewhere, whose disk is another one, unless the operator
 * sets a limit for this one.
 *
 * @throws UserError
 */
export function diskFreeMinBytes(get: Get): number | null {
  const isElsewhere = get('DATABASE_URL') !== null
  if (isElsewhere && get('STANDING_DISK_FREE_MIN') === null) {
    return null
  }
  const mebibytes = wholeNumber(get, 'STANDING_DISK_FREE_MIN')
  return mebibytes === 0 ? null : mebibytes * 1024 ** 2
}
