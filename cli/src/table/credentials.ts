import { CREDENTIAL_STATUSES } from '../choices.ts'
import { command } from '../command.ts'
import { CALLER_OPTIONS, EXAMPLE_ID, LIMIT_OPTION, OWNER_OPTIONS, YES_OPTION } from '../options.ts'

export const ISSUE_OPTIONS = [
  { name: 'expires', value: 'TIME', help: 'when it ends (default never)' },
  ...OWNER_OPTIONS,
] as const

export const LIST_OPTIONS = [
  {
    name: 'status',
    value: 'STATUS',
    help: 'active, expired or revoked (default all)',
    choices: CREDENTIAL_STATUSES,
  },
  LIMIT_OPTION,
  ...OWNER_OPTIONS,
] as const

export const REVOKE_OPTIONS = [
  { name: 'reason', value: 'TEXT', help: 'shown to those who verify it' },
  YES_OPTION,
  ...OWNER_OPTIONS,
] as const

const handlers = () => import('../commands/credentials.ts')

export const CREDENTIALS = [
  command({
    name: 'credential issue',
    operands: ['AGENT_ID', 'TYPE', '[CLAIMS]'],
    summary: 'Issue a credential to an agent; CLAIMS is a JSON object',
    options: ISSUE_OPTIONS,
    json: 'a Credential',
    example: `standing credential issue ${EXAMPLE_ID} SecurityAudit '{"grade":"A"}'`,
    load: async () => (await handlers()).issue,
  }),
  command({
    name: 'credential list',
    operands: ['AGENT_ID'],
    summary: 'List the credentials of an agent',
    options: LIST_OPTIONS,
    json: 'a Credential a line',
    example: `standing credential list ${EXAMPLE_ID} --status active`,
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'credential get',
    operands: ['ID'],
    summary: 'Show a credential',
    options: CALLER_OPTIONS,
    json: 'a Credential',
    example: `standing credential get ${EXAMPLE_ID}`,
    load: async () => (await handlers()).get,
  }),
  command({
    name: 'credential verify',
    operands: ['ID|JWT|FILE'],
    summary: 'Verify a credential; the exit code is 1 if it is not valid',
    options: CALLER_OPTIONS,
    json: 'a Verification',
    example: `standing credential verify ${EXAMPLE_ID}`,
    load: async () => (await handlers()).verify,
  }),
  command({
    name: 'credential revoke',
    operands: ['ID'],
    summary: 'Revoke a credential permanently',
    options: REVOKE_OPTIONS,
    json: 'the Credential',
    example: `standing credential revoke ${EXAMPLE_ID} --reason "withdrawn" --yes`,
    load: async () => (await handlers()).revoke,
  }),
]
