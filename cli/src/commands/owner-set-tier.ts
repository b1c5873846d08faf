import type { Tier } from '@standing/sdk'
import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { ownerIdOf } from '../owner.ts'

export const ownerSetTier = defineCommand({
  name: 'owner set-tier',
  operands: ['EMAIL|ID', 'TIER'],
  summary: 'Move an owner to another tier: free, growth or platform',
  options: OPERATOR_OPTIONS,
  example: 'standing owner set-tier ada@example.com growth',
  async run({ words: [owner = '', tier = ''], options }, terminal) {
    const { operator } = operatorOf(terminal, options)
    const id = await ownerIdOf(operator, owner)
    // The service refuses a tier that it does not know.
    const updated = await operator.setOwnerTier(id, tier as Tier)
    terminal.say(`${updated.email} (${updated.id}) is now in tier ${updated.tier}`)
    return 0
  },
})
