import { type Caller, modeOfCaller } from '../domain/caller.ts'
import { invalidField, TrustError } from '../domain/error.ts'
import { TEST_TIER } from '../domain/limits.ts'
import { type Mode, testIdOf } from '../domain/mode.ts'

/** The mode that a request asks for. A key is for one mode; owners and operators work in both. */
export const MODE_HEADER = 'standing-mode'

/** The caller in the mode that the request asks for, or why it cannot be. */
export function inMode(caller: Caller | null, asked: string): Caller | TrustError | null {
  const mode = modeNamed(asked)
  if (mode instanceof TrustError) {
    return mode
  }
  if (mode === (caller ? modeOfCaller(caller) : 'live')) {
    return caller
  }
  switch (caller?.kind) {
    case 'owner':
      // In test mode an owner is another account: agents, webhooks, lists and limits are its own.
      return { ...caller, ownerId: testIdOf(caller.ownerId), tier: TEST_TIER }
    case 'operator':
      return { ...caller, mode }
    case 'agent':
    case 'platform':
      return wrongHeader(
        'is not the mode of this key: keys for test data begin with avs_test_, avp_test_',
      )
    default:
      return new TrustError('AUTHENTICATION_REQUIRED', NEEDS_KEY)
  }
}

const NEEDS_KEY =
  "test data is read with a test key, or with an owner's token and Standing-Mode: test"

function modeNamed(asked: string): Mode | TrustError {
  return asked === 'live' || asked === 'test' ? asked : wrongHeader('must be live or test')
}

function wrongHeader(message: string): TrustError {
  return invalidField('header.Standing-Mode', message)
}
