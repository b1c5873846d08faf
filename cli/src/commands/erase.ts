import type { Erasure } from '@standing/sdk'
import { UserError } from '../../../src/lib/user-error.ts'
import { defineCommand, type Terminal } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { ownerIdOf } from '../owner.ts'

const OPTIONS = [
  { name: 'yes', help: 'erase; without it nothing is changed' },
  ...OPERATOR_OPTIONS,
] as const

/** How often the command asks whether the history is erased. */
const ASK_MS = 500

export const ownerErase = defineCommand({
  name: 'owner erase',
  operands: ['EMAIL'],
  summary: 'Erase what is personal about an account and its agents, for good',
  details:
    'Names, e-mails, metadata, claims, webhook addresses and free text are erased. Scores stay.',
  options: OPTIONS,
  example: 'standing owner erase ada@example.com --yes',
  async run({ words: [email = ''], options, flags }, terminal) {
    checkYes(flags, `the account of ${email} and all of its agents`)
    const { operator } = operatorOf(terminal, options)
    const id = await ownerIdOf(operator, email)
    const [owner] = (await operator.listOwners({ email })).data
    const begun = await operator.eraseOwner(id, owner?.email ?? email)
    return finished(terminal, begun, () => operator.ownerErasure(id))
  },
})

export const agentErase = defineCommand({
  name: 'agent erase',
  operands: ['ID'],
  summary: 'Deactivate an agent and erase what is personal about it, for good',
  options: OPTIONS,
  example: 'standing agent erase 01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e --yes',
  async run({ words: [id = ''], options, flags }, terminal) {
    checkYes(flags, `agent ${id}`)
    const { agents } = operatorOf(terminal, options)
    const begun = await agents.erase(id)
    return finished(terminal, begun, () => agents.erasure(id))
  },
})

function checkYes(flags: ReadonlySet<string>, what: string): void {
  if (!flags.has('yes')) {
    throw new UserError(`This erases ${what}, and cannot be undone. Add --yes to do it.`)
  }
}

async function finished(
  { say }: Terminal,
  begun: Erasure,
  ask: () => Promise<Erasure>,
): Promise<number> {
  let erasure = begun
  while (erasure.status === 'running') {
    await new Promise((passed) => setTimeout(passed, ASK_MS))
    erasure = await ask()
  }
  say(`erased: ${erasure.kind} ${erasure.subjectId}, at ${erasure.finishedAt}`)
  return 0
}
