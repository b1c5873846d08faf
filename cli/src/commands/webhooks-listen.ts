import type { Command } from '../command.ts'
import { Problem } from '../problem.ts'
import { ListenError } from '../webhooks-listen/options.ts'
import { listenWebhooks } from '../webhooks-listen.ts'

export const webhooksListen: Command = {
  name: 'webhooks listen',
  usage: '[--forward-to URL] [--token JWT] [--events LIST] [--agents LIST] [--secret whsec_…]',
  summary: 'Show notices as they happen, and forward them, signed, to this machine',
  async run(args, { env, say }) {
    try {
      await listenWebhooks(args, { env, write: say })
      return 0
    } catch (error) {
      throw error instanceof ListenError ? new Problem(error.message) : error
    }
  },
}
