import { type Command, defineCommand, type Terminal } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { ownerIdOf } from '../owner.ts'

const OPTIONS = [
  { name: 'reason', value: 'TEXT', help: 'kept in the audit log' },
  ...OPERATOR_OPTIONS,
] as const

export const ownerSuspend: Command = defineCommand({
  name: 'owner suspend',
  operands: ['EMAIL|ID'],
  summary: 'Stop every credential of an account and of its agents',
  options: OPTIONS,
  example: 'standing owner suspend ada@example.com --reason "key found in public"',
  run: ({ words: [owner = ''], options }, terminal) =>
    setStatus(terminal, options, owner, 'suspended'),
})

export const ownerActivate: Command = defineCommand({
  name: 'owner activate',
  operands: ['EMAIL|ID'],
  summary: 'End the suspension of an account',
  options: OPTIONS,
  example: 'standing owner activate ada@example.com',
  run: ({ words: [owner = ''], options }, terminal) =>
    setStatus(terminal, options, owner, 'active'),
})

async function setStatus(
  terminal: Terminal,
  options: Readonly<Partial<Record<(typeof OPTIONS)[number]['name'], string>>>,
  owner: string,
  status: 'active' | 'suspended',
): Promise<number> {
  const { operator } = operatorOf(terminal, options)
  const id = await ownerIdOf(operator, owner)
  const updated = await operator.updateOwner(id, { status, reason: options.reason })
  terminal.say(`${updated.email} (${updated.id}) is now ${updated.status}`)
  return 0
}
