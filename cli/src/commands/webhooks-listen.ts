import type { Command } from '../command.ts'
import { Problem } from '../problem.ts'
import { LISTEN_OPTIONS, ListenError } from '../webhooks-listen/options.ts'
import { listenWebhooks } from '../webhooks-listen.ts'

export const webhooksListen: Command = {
  name: 'webhooks listen',
  usage: '',
  summary: 'Show notices as they happen, and forward them, signed, to this machine',
  options: LISTEN_OPTIONS,
  example: 'standing webhooks listen --forward-to http://localhost:3000/hooks',
  async run(args, { env, say }) {
    try {
      await listenWebhooks(args, { env, write: say })
      return 0
    } catch (error) {
      throw error instanceof ListenError ? new Problem(error.message) : error
    }
  },
}
