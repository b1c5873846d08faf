import { command } from '../command.ts'
import { LIMIT_OPTION, PLATFORM_OPTIONS } from '../options.ts'

export const LIST_OPTIONS = [LIMIT_OPTION, ...PLATFORM_OPTIONS] as const

export const TEST_OPTIONS = [
  { name: 'file', value: 'FILE', help: 'test the mapping of this JSON file, and store nothing' },
  ...PLATFORM_OPTIONS,
] as const

const handlers = () => import('../commands/mappings.ts')

export const MAPPINGS = [
  command({
    name: 'mapping list',
    operands: [],
    summary: 'List the mappings of a platform, which make reports of the JSON of other systems',
    options: LIST_OPTIONS,
    json: 'a Mapping a line',
    example: 'standing mapping list --key avp_…',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'mapping get',
    operands: ['NAME'],
    summary: 'Show a mapping, in the form that `mapping set` takes',
    options: PLATFORM_OPTIONS,
    json: 'the Mapping',
    example: 'standing mapping get stripe > stripe.json',
    load: async () => (await handlers()).get,
  }),
  command({
    name: 'mapping set',
    operands: ['NAME', 'FILE'],
    summary: 'Store a mapping from a JSON file under a name',
    details:
      'The file has `rules`, a `sample` payload and, where a system posts its own payloads, their `sender`.\n' +
      'A secret of the sender that is left out stays as it is stored.',
    options: PLATFORM_OPTIONS,
    json: 'the Mapping',
    example: 'standing mapping set stripe stripe.json',
    load: async () => (await handlers()).set,
  }),
  command({
    name: 'mapping delete',
    operands: ['NAME'],
    summary: 'Delete a mapping',
    options: PLATFORM_OPTIONS,
    json: '{ name, deleted }',
    example: 'standing mapping delete stripe',
    load: async () => (await handlers()).remove,
  }),
  command({
    name: 'mapping test',
    operands: ['NAME', 'PAYLOAD'],
    summary: 'Show what report a mapping makes of the payload in a JSON file; reports nothing',
    details: 'The exit code is 1 if no report is made of it.',
    options: TEST_OPTIONS,
    json: 'a MappingDryRunResult',
    example: 'standing mapping test stripe payload.json --file stripe.json',
    load: async () => (await handlers()).test,
  }),
]
