/**
 * Live or test. The data of the two never meet, and an id says which it is of: ids are UUIDs of version 7
 * in live mode, of version 8 in test mode. So nothing has to be read to know it.
 */
export type Mode = 'live' | 'test'

/** Where a UUID has the digit of its version. */
const VERSION_AT = 14
const TEST_VERSION = '8'

export function isTestId(id: string): boolean {
  return id.charAt(VERSION_AT) === TEST_VERSION
}

export function modeOf(id: string): Mode {
  return isTestId(id) ? 'test' : 'live'
}

/** The id in test mode of the same record: of an account, its test account. */
export function testIdOf(id: string): string {
  return id.slice(0, VERSION_AT) + TEST_VERSION + id.slice(VERSION_AT + 1)
}

/** A new id, in the mode of the account or agent that the record belongs to. */
export function newIdLike(model: string, newId: () => string): string {
  return isTestId(model) ? testIdOf(newId()) : newId()
}
