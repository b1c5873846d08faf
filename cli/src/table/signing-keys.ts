import { PURPOSES } from '../choices.ts'
import { command } from '../command.ts'
import { OPERATOR_OPTIONS, REASON_OPTION, YES_OPTION } from '../options.ts'

export const ROTATE_OPTIONS = [
  {
    name: 'only',
    value: 'PURPOSE',
    help: 'credentials, receipts, tokens or test (default all)',
    choices: PURPOSES,
  },
  ...OPERATOR_OPTIONS,
] as const

export const REVOKE_OPTIONS = [REASON_OPTION, YES_OPTION, ...OPERATOR_OPTIONS] as const

export const ISSUING_OPTIONS = [REASON_OPTION, ...OPERATOR_OPTIONS] as const

const handlers = () => import('../commands/signing-keys.ts')

export const SIGNING_KEYS = [
  command({
    name: 'signing-key list',
    operands: [],
    summary:
      'List the keys that sign credentials, receipts and the tokens of sign-ins: active, retired and revoked',
    options: OPERATOR_OPTIONS,
    json: 'a SigningKey a line',
    example: 'standing signing-key list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'signing-key rotate',
    operands: [],
    summary: 'Sign with new keys from now on; earlier signatures stay valid',
    options: ROTATE_OPTIONS,
    json: 'the new SigningKey of each purpose, one a line',
    example: 'standing signing-key rotate --only receipts',
    load: async () => (await handlers()).rotate,
  }),
  command({
    name: 'signing-key revoke',
    operands: ['KID'],
    summary: 'Revoke a signing key that leaked: from now on no node accepts its signatures',
    options: REVOKE_OPTIONS,
    json: 'the SigningKey',
    example: 'standing signing-key revoke KID --reason "The key leaked." --yes',
    load: async () => (await handlers()).revoke,
  }),
  command({
    name: 'signing-key halt',
    operands: [],
    summary:
      'Halt the issuing of credentials on every node; existing ones can be verified and revoked',
    options: ISSUING_OPTIONS,
    json: 'the Issuing',
    example: 'standing signing-key halt --reason "A key may have leaked."',
    load: async () => (await handlers()).halt,
  }),
  command({
    name: 'signing-key resume',
    operands: [],
    summary: 'Resume the issuing of credentials',
    options: ISSUING_OPTIONS,
    json: 'the Issuing',
    example: 'standing signing-key resume --reason "The key is revoked."',
    load: async () => (await handlers()).resume,
  }),
  command({
    name: 'signing-key reissue',
    operands: [],
    summary: 'Sign all active credentials again, with the current key and the current address',
    options: OPERATOR_OPTIONS,
    json: '{ reissued }',
    example: 'standing signing-key reissue',
    load: async () => (await handlers()).reissue,
  }),
]
