import { command } from '../command.ts'
import { ACCOUNT_OPTIONS } from '../options.ts'

export const ACCOUNT = command({
  name: 'account export',
  operands: [],
  summary: 'Write everything about your account and its agents, as JSON lines',
  options: ACCOUNT_OPTIONS,
  json: 'the same JSON lines as without it',
  example: 'standing account export > account.jsonl',
  load: async () => (await import('../commands/export.ts')).exportAccount,
})
