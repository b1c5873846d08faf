import type { NamedOperator } from '@standing/sdk'
import { operatorOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { confirmAtTerminal } from '../confirmed.ts'
import { rotateKey, showNewKey } from '../new-key.ts'
import type { OPERATOR_OPTIONS } from '../options.ts'
import { keyUses, lastUse, row, showList } from '../output.ts'
import type { REVOKE_OPTIONS } from '../table/operators.ts'
import type { ROTATE_OPTIONS } from '../table/platforms.ts'

type Input = InputOf<typeof OPERATOR_OPTIONS>

export async function create(
  { words: [name = ''], options }: Input,
  session: Session,
): Promise<number> {
  const created = await operatorOf(session, options).operator.createOperator(name)
  showNewKey(session, created, created.apiKey)
  return 0
}

export async function list({ options }: Input, session: Session): Promise<number> {
  const operators = await operatorOf(session, options).operator.operators()
  return showList(operators, session, operatorLine)
}

export function rotate(
  { words: [name = ''], options }: InputOf<typeof ROTATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const { operator } = operatorOf(session, options)
  return rotateKey(session, options.overlap, (rotation) =>
    operator.rotateOperatorKey(name, rotation),
  )
}

export async function revoke(
  { words: [name = ''], options, flags }: InputOf<typeof REVOKE_OPTIONS>,
  session: Session,
): Promise<number> {
  await confirmAtTerminal(session, flags, `This revokes operator ${name} permanently`)
  const revoked = await operatorOf(session, options).operator.revokeOperator(name)
  session.show(revoked, `${name} is ${revoked.status}`)
  return 0
}

/** The longest status, so that columns line up. */
const WIDTHS = ['revoked'.length]

function operatorLine({ status, name, lastUsedAt, apiKeys }: NamedOperator): string {
  // The keys of a revoked operator are deleted after a day; its last use stays.
  const uses = apiKeys.length > 0 ? keyUses(apiKeys) : [lastUse(lastUsedAt)]
  return row([status, name, ...uses], WIDTHS)
}
