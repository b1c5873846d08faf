import { command } from '../command.ts'
import { ACCOUNT_OPTIONS, URL_OPTION, YES_OPTION } from '../options.ts'

export const PLATFORM_OPTIONS = [
  URL_OPTION,
  {
    name: 'key',
    value: 'KEY',
    help: "an owner's token or avw_ key, or the live key of a platform (avp_…)",
    env: ['STANDING_TOKEN', 'STANDING_API_KEY'],
  },
] as const

export const DELETE_OPTIONS = [YES_OPTION, ...ACCOUNT_OPTIONS] as const

const handlers = () => import('../commands/test-data.ts')

export const TEST_DATA = [
  command({
    name: 'test-data platform',
    operands: ['[NAME]'],
    summary: 'Create a platform for test data and print its key, once',
    details:
      'As an owner: a platform of your own, to play the other side of an integration. As a platform: ' +
      'the test platform of yours; asked again, it gets another key, and the one before ends. Agents ' +
      'for it: standing agent create NAME --test',
    options: PLATFORM_OPTIONS,
    json: 'a TestPlatform',
    example: 'standing test-data platform trial',
    load: async () => (await handlers()).platform,
  }),
  command({
    name: 'test-data delete',
    operands: [],
    summary: 'Delete all test data of your account, and no live data',
    options: DELETE_OPTIONS,
    json: 'how many `agents`, `platforms` and `webhooks`',
    example: 'standing test-data delete --yes',
    load: async () => (await handlers()).remove,
  }),
]
