import type { Standing, Tier } from '@standing/sdk'
import { UserError } from '../../../src/lib/user-error.ts'
import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'

export const ownerSetTier = defineCommand({
  name: 'owner set-tier',
  operands: ['EMAIL|ID', 'TIER'],
  summary: 'Move an owner to another tier: free, growth or platform',
  options: OPERATOR_OPTIONS,
  example: 'standing owner set-tier ada@example.com growth',
  async run({ words: [owner = '', tier = ''], options }, terminal) {
    const { operator } = operatorOf(terminal, options)
    const id = owner.includes('@') ? await idOf(operator, owner) : owner
    // The service refuses a tier that it does not know.
    const updated = await operator.setOwnerTier(id, tier as Tier)
    terminal.say(`${updated.email} (${updated.id}) is now in tier ${updated.tier}`)
    return 0
  },
})

async function idOf(operator: Standing['operator'], email: string): Promise<string> {
  const [owner] = (await operator.listOwners({ email })).data
  if (!owner) {
    throw new UserError(`No owner has the e-mail address ${email}.`)
  }
  return owner.id
}
