import { defineCommand } from '../command.ts'
import { listen } from '../webhooks/listen.ts'
import { LISTENER_OPTIONS, listenOptions } from '../webhooks/options.ts'

export const webhooksListen = defineCommand({
  name: 'webhooks listen',
  operands: [],
  summary: 'Show notifications as they happen, and forward them, signed, to this machine',
  options: LISTENER_OPTIONS,
  example: 'standing webhooks listen --forward-to http://localhost:3000/hooks',
  async run({ options }, terminal) {
    await listen(listenOptions(terminal, options), terminal)
    return 0
  },
})
