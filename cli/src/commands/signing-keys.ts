import type { Issuing, ServiceKey, SigningPurpose } from '@standing/sdk'
import { PURPOSES } from '../choices.ts'
import { operatorOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { confirm } from '../confirmed.ts'
import type { OPERATOR_OPTIONS } from '../options.ts'
import { counted, row, showList } from '../output.ts'
import { inLine } from '../printable.ts'
import type { ISSUING_OPTIONS, REVOKE_OPTIONS, ROTATE_OPTIONS } from '../table/signing-keys.ts'

export async function list(
  { options }: InputOf<typeof OPERATOR_OPTIONS>,
  session: Session,
): Promise<number> {
  const { operator } = operatorOf(session, options)
  const issuing = await operator.issuing()
  const status = showList(await operator.signingKeys(), session, keyLine)
  if (issuing.halted) {
    session.note(issuingLine(issuing))
  }
  return status
}

export async function rotate(
  { options }: InputOf<typeof ROTATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const purposes = options.only === undefined ? PURPOSES : [options.only]
  const { operator } = operatorOf(session, options)
  for (const purpose of purposes) {
    const key = await operator.rotateSigningKey(purpose)
    session.show(key, keyLine(key))
  }
  session.note('Earlier signatures stay valid.')
  if (purposes.includes('credentials')) {
    session.note('To sign active credentials with the new key: standing signing-key reissue')
  }
  return 0
}

export async function revoke(
  { words: [kid = ''], options, flags }: InputOf<typeof REVOKE_OPTIONS>,
  session: Session,
): Promise<number> {
  await confirm(session, flags, `This revokes the signing key ${kid} permanently`)
  const key = await operatorOf(session, options).operator.revokeSigningKey(kid, options.reason)
  session.show(key, keyLine(key))
  session.note(AFTER_REVOCATION[key.purpose])
  return 0
}

export async function reissue(
  { options }: InputOf<typeof OPERATOR_OPTIONS>,
  session: Session,
): Promise<number> {
  const count = await operatorOf(session, options).operator.reissueCredentials()
  session.show({ reissued: count }, `${counted(count, 'credential')} signed again`)
  return 0
}

export async function halt(
  { options }: InputOf<typeof ISSUING_OPTIONS>,
  session: Session,
): Promise<number> {
  const issuing = await operatorOf(session, options).operator.haltIssuing(options.reason)
  session.show(issuing, issuingLine(issuing))
  session.note('To issue credentials again: standing signing-key resume')
  return 0
}

export async function resume(
  { options }: InputOf<typeof ISSUING_OPTIONS>,
  session: Session,
): Promise<number> {
  const issuing = await operatorOf(session, options).operator.resumeIssuing(options.reason)
  session.show(issuing, issuingLine(issuing))
  return 0
}

function issuingLine({ halted }: Issuing): string {
  return halted
    ? `no credentials are issued since ${halted.at}: ${inLine(halted.reason)}`
    : 'credentials are issued'
}

const AFTER_REVOCATION: Readonly<Record<SigningPurpose, string>> = {
  credentials:
    'Credentials that it signed are no longer valid until they are signed again: standing signing-key reissue',
  receipts: 'Receipts that it signed are no longer valid; a client can request new ones.',
  tokens: 'Sign-ins that it signed have ended; people sign in again. API keys keep working.',
  test: 'Test credentials that it signed are no longer valid.',
}

/** The longest purpose and status, so that columns line up. */
const WIDTHS = ['credentials'.length, 'retired'.length]

function keyLine({ kid, purpose, status, createdAt, retiredAt, revokedAt }: ServiceKey): string {
  return row([purpose, status, kid, `since ${revokedAt ?? retiredAt ?? createdAt}`], WIDTHS)
}
