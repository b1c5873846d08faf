import type { Standing, Tier } from '@standing/sdk'
import { type Command, parse } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { Problem } from '../problem.ts'

export const ownerSetTier: Command = {
  name: 'owner set-tier',
  usage: 'EMAIL|ID TIER',
  summary: 'Move an owner to another tier: free, growth or platform',
  options: OPERATOR_OPTIONS,
  example: 'standing owner set-tier ada@example.com growth',
  async run(args, terminal) {
    const { words, options } = parse(args, OPERATOR_OPTIONS)
    const [who, tier, ...others] = words
    if (who === undefined || tier === undefined || others.length > 0) {
      throw new Problem('Give an owner and a tier: standing owner set-tier ada@example.com growth')
    }
    const { operator } = operatorOf(terminal, options)
    const id = who.includes('@') ? await idOf(operator, who) : who
    const owner = await operator.setOwnerTier(id, tier as Tier)
    terminal.say(`${owner.email} (${owner.id}) is in ${owner.tier} now`)
    return 0
  },
}

async function idOf(operator: Standing['operator'], email: string): Promise<string> {
  const [owner] = (await operator.listOwners({ email })).data
  if (!owner) {
    throw new Problem(`No owner has the e-mail ${email}.`)
  }
  return owner.id
}
