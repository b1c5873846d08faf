import type { PlatformInput } from '@standing/sdk'
import { type Command, parse } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { Problem } from '../problem.ts'

export const platformCreate: Command = {
  name: 'platform create',
  usage: 'NAME [--tier TIER] [--public-key X] [--owner OWNER_ID]',
  summary: 'Admit a platform; prints its key, once',
  async run(args, terminal) {
    const { words, options } = parse(args, ['tier', 'public-key', 'owner', ...OPERATOR_OPTIONS])
    const [name, ...others] = words
    if (name === undefined || others.length > 0)
      throw new Problem('Give one name: standing platform create "My marketplace"')
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
