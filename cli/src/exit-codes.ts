import { isTransient, StandingError } from '@standing/sdk'
import { USAGE_EXIT_CODE, UsageError, UserError } from '../../src/lib/user-error.ts'

/** The exit codes, as docs/cli.md lists them. */
export const EXIT_CODES = [
  { code: 0, name: 'done', meaning: 'Done; the answer is yes' },
  {
    code: 1,
    name: 'failed',
    meaning:
      'The service refused, also by a limit or by the state of an agent; a check found something, ' +
      'a part was refused; the answer is no',
  },
  {
    code: USAGE_EXIT_CODE,
    name: 'usage',
    meaning: 'Wrong usage: an unknown command or option, a missing word. Nothing was done',
  },
  {
    code: 3,
    name: 'unavailable',
    meaning: 'The service cannot be reached, or asks to come back later. Run the command again',
  },
  {
    code: 4,
    name: 'credential',
    meaning: 'The credential is missing or wrong, or does not allow this',
  },
] as const

type Name = (typeof EXIT_CODES)[number]['name']

/** A credential that a command needs and that was not given. */
export class CredentialError extends UserError {}

export function exitCode(name: Name): number {
  return EXIT_CODES.find((one) => one.name === name)?.code ?? 1
}

/** The exit code of a command that ended with this error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) {
    return exitCode('usage')
  }
  if (error instanceof CredentialError) {
    return exitCode('credential')
  }
  if (!(error instanceof StandingError)) {
    return exitCode('failed')
  }
  if (error.code === 'INVALID_CALL') {
    return exitCode('usage')
  }
  if (error.status === 401 || isAboutCredential(error)) {
    return exitCode('credential')
  }
  return isTransient(error) ? exitCode('unavailable') : exitCode('failed')
}

/** Why a credential does not allow something. Every other reason is the state of what a request names. */
const CREDENTIAL_REASONS: readonly unknown[] = [
  'insufficient_permission',
  'mode_mismatch',
  'not_account_owner',
  'other_owner',
  'owner_suspended',
  'platform_suspended',
]

/** Whether another credential would be allowed: a refusal by a limit or a state says which one it is. */
function isAboutCredential({ status, details: { reason, limit } }: StandingError): boolean {
  const isOfState = limit !== undefined || reason !== undefined
  return status === 403 && (!isOfState || CREDENTIAL_REASONS.includes(reason))
}
