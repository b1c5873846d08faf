import type { OwnerKey, OwnerKeyScope } from '@standing/sdk'
import { ACCOUNT_OPTIONS, accountOf } from '../account.ts'
import { defineCommand } from '../command.ts'

export const keyCreate = defineCommand({
  name: 'key create',
  operands: ['NAME'],
  summary: 'Create an API key of your account and print it, once',
  options: [
    { name: 'scopes', value: 'LIST', help: 'read,report,manage (default read)' },
    { name: 'expires', value: 'TIME', help: 'when it stops working (default never)' },
    ...ACCOUNT_OPTIONS,
  ],
  example: 'standing key create "billing server" --scopes read,manage',
  async run({ words: [name = ''], options }, terminal) {
    // The service refuses a scope that it does not know.
    const scopes = (options.scopes ?? 'read').split(',') as OwnerKeyScope[]
    const input = { name, scopes, expiresAt: options.expires }
    const key = await accountOf(terminal, options).keys.create(input)
    terminal.say(keyLine(key))
    terminal.say(key.apiKey)
    terminal.say('The key is not shown again.')
    return 0
  },
})

export const keyList = defineCommand({
  name: 'key list',
  operands: [],
  summary: 'List the API keys of your account',
  options: ACCOUNT_OPTIONS,
  example: 'standing key list',
  async run({ options }, terminal) {
    for await (const key of accountOf(terminal, options).keys.list()) {
      terminal.say(keyLine(key))
    }
    return 0
  },
})

export const keyRevoke = defineCommand({
  name: 'key revoke',
  operands: ['ID'],
  summary: 'Revoke an API key of your account, at once',
  options: ACCOUNT_OPTIONS,
  example: 'standing key revoke 01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e',
  async run({ words: [id = ''], options }, terminal) {
    terminal.say(keyLine(await accountOf(terminal, options).keys.revoke(id)))
    return 0
  },
})

/** The longest status, so that columns line up. */
const STATUS_WIDTH = 'revoked'.length

function keyLine({ id, name, status, scopes, lastUsedAt }: OwnerKey): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`
  return `${id}  ${status.padEnd(STATUS_WIDTH)}  ${name}  (${scopes.join(', ')})  ${used}`
}
