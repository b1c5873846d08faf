import type { PlatformInput } from '@standing/sdk'
import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'

export const platformCreate = defineCommand({
  name: 'platform create',
  operands: ['NAME'],
  summary: 'Create a platform and print its key, once',
  options: [
    { name: 'tier', value: 'TIER', help: 'free, growth or platform (default platform)' },
    {
      name: 'public-key',
      value: 'KEY',
      help: 'Ed25519 public key; the platform then has to sign its reports',
    },
    {
      name: 'owner',
      value: 'OWNER_ID',
      help: "owner that runs the platform; its reports on this owner's agents weigh a tenth",
    },
    {
      name: 'verified',
      help: 'mark the platform as verified: its reports have full weight from the first on',
    },
    ...OPERATOR_OPTIONS,
  ],
  example: 'standing platform create "My marketplace" --verified',
  async run({ words: [name = ''], options, flags }, terminal) {
    const platform = await operatorOf(terminal, options).operator.createPlatform({
      name,
      tier: options.tier as PlatformInput['tier'],
      publicKey: options['public-key'],
      ownerId: options.owner,
      verified: flags.has('verified'),
    })
    terminal.say(`platform  ${platform.id}  ${platform.name}  (${platform.tier})`)
    terminal.say(`key       ${platform.apiKey}`)
    terminal.say('The key is not shown again.')
    return 0
  },
})
