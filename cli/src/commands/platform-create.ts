import type { PlatformInput } from '@standing/sdk'
import { type Command, parse } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { Problem } from '../problem.ts'

const OPTIONS = [
  { name: 'tier', value: 'TIER', help: 'free, growth or platform (platform)' },
  { name: 'public-key', value: 'KEY', help: 'Ed25519: its reports are signed, and verified by it' },
  { name: 'owner', value: 'OWNER_ID', help: 'who runs it: on his own agents it weighs a tenth' },
  ...OPERATOR_OPTIONS,
] as const

export const platformCreate: Command = {
  name: 'platform create',
  usage: 'NAME',
  summary: 'Admit a platform; prints its key, once',
  options: OPTIONS,
  example: 'standing platform create "My marketplace" --tier growth',
  async run(args, terminal) {
    const { words, options } = parse(args, OPTIONS)
    const [name, ...others] = words
    if (name === undefined || others.length > 0) {
      throw new Problem('Give one name: standing platform create "My marketplace"')
    }
    const platform = await operatorOf(terminal, options).operator.createPlatform({
      name,
      tier: options.tier as PlatformInput['tier'],
      publicKey: options['public-key'],
      ownerId: options.owner,
    })
    terminal.say(`platform  ${platform.id}  ${platform.name}  (${platform.tier})`)
    terminal.say(`key       ${platform.apiKey}`)
    terminal.say('The key is not shown again.')
    return 0
  },
}
