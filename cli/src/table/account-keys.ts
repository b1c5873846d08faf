import { command } from '../command.ts'
import { ACCOUNT_OPTIONS, EXAMPLE_ID, YES_OPTION } from '../options.ts'

export const CREATE_OPTIONS = [
  { name: 'scopes', value: 'LIST', help: 'read,report,manage (default read)' },
  { name: 'expires', value: 'TIME', help: 'when it stops working (default never)' },
  ...ACCOUNT_OPTIONS,
] as const

export const REVOKE_OPTIONS = [YES_OPTION, ...ACCOUNT_OPTIONS] as const

const handlers = () => import('../commands/account-keys.ts')

export const ACCOUNT_KEYS = [
  command({
    name: 'key create',
    operands: ['NAME'],
    summary: 'Create an API key of your account and print it, once',
    options: CREATE_OPTIONS,
    json: 'an OwnerKeyWithSecret',
    example: 'standing key create "billing server" --scopes read,manage',
    load: async () => (await handlers()).create,
  }),
  command({
    name: 'key list',
    operands: [],
    summary: 'List the API keys of your account',
    options: ACCOUNT_OPTIONS,
    json: 'an OwnerKey a line',
    example: 'standing key list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'key revoke',
    operands: ['ID'],
    summary: 'Revoke an API key of your account permanently, at once',
    options: REVOKE_OPTIONS,
    json: 'the OwnerKey',
    example: `standing key revoke ${EXAMPLE_ID} --yes`,
    load: async () => (await handlers()).revoke,
  }),
  command({
    name: 'key new',
    operands: ['KIND'],
    summary: 'Print a random key for a setting, with its checksum: operator, owner or platform',
    options: [],
    json: '{ key }',
    example: 'standing key new operator',
    load: async () => (await handlers()).createRandom,
  }),
]
