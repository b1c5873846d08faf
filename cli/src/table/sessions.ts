import { command } from '../command.ts'
import { ACCOUNT_OPTIONS, EXAMPLE_ID } from '../options.ts'

const handlers = () => import('../commands/sessions.ts')

export const SESSIONS = [
  command({
    name: 'session list',
    operands: [],
    summary: 'List your sign-ins that have not ended',
    options: ACCOUNT_OPTIONS,
    json: 'an ActiveSession a line',
    example: 'standing session list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'session end',
    operands: ['ID'],
    summary: 'End one of your sign-ins, at once',
    options: ACCOUNT_OPTIONS,
    json: '{ id, ended }',
    example: `standing session end ${EXAMPLE_ID}`,
    load: async () => (await handlers()).end,
  }),
]
