import { TIERS } from '../choices.ts'
import { command } from '../command.ts'
import {
  EXAMPLE_ID,
  LIMIT_OPTION,
  OPERATOR_OPTIONS,
  OVERLAP_OPTION,
  REASON_OPTION,
  TEST_OPTION,
  YES_OPTION,
} from '../options.ts'

const TIER_OPTION = {
  name: 'tier',
  value: 'TIER',
  help: 'free, growth or platform (default platform)',
  choices: TIERS,
} as const

const PUBLIC_KEY_OPTION = {
  name: 'public-key',
  value: 'KEY',
  help: 'Ed25519 public key, with which signed reports are checked',
} as const

const REQUIRE_OPTION = {
  name: 'require-signature',
  help: 'refuse reports that the platform has not signed with its key',
} as const

export const CREATE_OPTIONS = [
  TIER_OPTION,
  PUBLIC_KEY_OPTION,
  REQUIRE_OPTION,
  {
    name: 'owner',
    value: 'OWNER_ID',
    help: 'owner that runs the platform: its platforms share one vote, of a tenth for its own agents',
  },
  {
    name: 'verified',
    help: 'mark the platform as verified: its reports have full weight from the first on',
  },
  ...OPERATOR_OPTIONS,
  TEST_OPTION,
] as const

export const LIST_OPTIONS = [LIMIT_OPTION, ...OPERATOR_OPTIONS, TEST_OPTION] as const

export const ROTATE_OPTIONS = [OVERLAP_OPTION, ...OPERATOR_OPTIONS] as const

export const UPDATE_OPTIONS = [
  { name: 'name', value: 'NAME', help: 'another name' },
  { ...TIER_OPTION, help: 'another tier: free, growth or platform' },
  PUBLIC_KEY_OPTION,
  REQUIRE_OPTION,
  { name: 'verified', help: 'mark the platform as verified' },
  { name: 'unverified', help: 'remove the mark' },
  ...OPERATOR_OPTIONS,
] as const

export const DISCARD_OPTIONS = [REASON_OPTION, YES_OPTION, ...OPERATOR_OPTIONS] as const

const handlers = () => import('../commands/platforms.ts')

export const PLATFORMS = [
  command({
    name: 'platform create',
    operands: ['NAME'],
    summary: 'Create a platform and print its key, once',
    options: CREATE_OPTIONS,
    json: 'a PlatformWithKey',
    example: 'standing platform create "My marketplace" --verified',
    load: async () => (await handlers()).create,
  }),
  command({
    name: 'platform list',
    operands: [],
    summary: 'List the platforms',
    options: LIST_OPTIONS,
    json: 'a Platform a line',
    example: 'standing platform list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'platform rotate',
    operands: ['ID'],
    summary: 'Print a new key for a platform; the previous one is valid for another hour',
    options: ROTATE_OPTIONS,
    json: 'a RotatedKey',
    example: `standing platform rotate ${EXAMPLE_ID} --overlap 0`,
    load: async () => (await handlers()).rotate,
  }),
  command({
    name: 'platform update',
    operands: ['ID'],
    summary: 'Change the name, the tier or the public key of a platform, or mark it as verified',
    options: UPDATE_OPTIONS,
    json: 'the Platform',
    example: `standing platform update ${EXAMPLE_ID} --verified`,
    load: async () => (await handlers()).update,
  }),
  command({
    name: 'platform suspend',
    operands: ['ID'],
    summary: 'Refuse the key of a platform until it is activated again',
    options: OPERATOR_OPTIONS,
    json: 'the Platform',
    example: `standing platform suspend ${EXAMPLE_ID}`,
    load: async () => (await handlers()).suspend,
  }),
  command({
    name: 'platform activate',
    operands: ['ID'],
    summary: 'End the suspension of a platform',
    options: OPERATOR_OPTIONS,
    json: 'the Platform',
    example: `standing platform activate ${EXAMPLE_ID}`,
    load: async () => (await handlers()).activate,
  }),
  command({
    name: 'platform discard',
    operands: ['ID'],
    summary: 'Discard what a platform has reported about all agents',
    options: DISCARD_OPTIONS,
    json: 'the Discard',
    example: `standing platform discard ${EXAMPLE_ID} --reason "Its key leaked." --yes`,
    load: async () => (await handlers()).discard,
  }),
]
