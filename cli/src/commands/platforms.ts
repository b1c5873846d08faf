import type { Discard, Platform, PlatformPatch } from '@standing/sdk'
import { UsageError } from '../../../src/lib/user-error.ts'
import { operatorOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { confirm } from '../confirmed.ts'
import { rotateKey, showNewKey } from '../new-key.ts'
import type { OPERATOR_OPTIONS } from '../options.ts'
import { counted, grouped, ID_WIDTH, keyUses, row, showList } from '../output.ts'
import { inLine } from '../printable.ts'
import type {
  CREATE_OPTIONS,
  DISCARD_OPTIONS,
  LIST_OPTIONS,
  ROTATE_OPTIONS,
  UPDATE_OPTIONS,
} from '../table/platforms.ts'

export async function create(
  { words: [name = ''], options, flags }: InputOf<typeof CREATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const platform = await operatorOf(session, options).operator.createPlatform({
    name,
    tier: options.tier,
    publicKey: options['public-key'],
    ownerId: options.owner,
    verified: flags.has('verified'),
    requireAttestation: flags.has('require-signature'),
  })
  const { id, tier, apiKey } = platform
  const text = `platform  ${id}  ${inLine(platform.name)}  (${tier})\nkey       ${apiKey}`
  showNewKey(session, platform, text)
  return 0
}

export async function list(
  { options }: InputOf<typeof LIST_OPTIONS>,
  session: Session,
): Promise<number> {
  const platforms = operatorOf(session, options).operator.listPlatforms()
  return showList(platforms, session, platformLine, options.limit)
}

export function rotate(
  { words: [id = ''], options }: InputOf<typeof ROTATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const { operator } = operatorOf(session, options)
  return rotateKey(session, options.overlap, (rotation) => operator.rotatePlatformKey(id, rotation))
}

export async function update(
  { words: [id = ''], options, flags }: InputOf<typeof UPDATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const patch: PlatformPatch = {
    name: options.name,
    tier: options.tier,
    publicKey: options['public-key'],
    requireAttestation: flags.has('require-signature') || undefined,
    verified: flags.has('unverified') ? false : flags.has('verified') || undefined,
  }
  if (Object.values(patch).every((value) => value === undefined)) {
    throw new UsageError(
      'Name what is to change: --name, --tier, --public-key, --require-signature, --verified or ' +
        '--unverified.',
    )
  }
  const updated = await operatorOf(session, options).operator.updatePlatform(id, patch)
  session.show(updated, platformLine(updated))
  return 0
}

type Input = InputOf<typeof OPERATOR_OPTIONS>

export function suspend(input: Input, session: Session): Promise<number> {
  return setStatus(input, session, 'suspended')
}

export function activate(input: Input, session: Session): Promise<number> {
  return setStatus(input, session, 'active')
}

async function setStatus(
  { words: [id = ''], options }: Input,
  session: Session,
  status: 'active' | 'suspended',
): Promise<number> {
  const updated = await operatorOf(session, options).operator.updatePlatform(id, { status })
  session.show(updated, `${inLine(updated.name)} (${updated.id}) is now ${updated.status}`)
  return 0
}

export async function discard(
  { words: [id = ''], options, flags }: InputOf<typeof DISCARD_OPTIONS>,
  session: Session,
): Promise<number> {
  const { reason } = options
  const effect =
    `This discards everything that platform ${id} has reported, and if it has an owner, everything that the ` +
    "owner's other platforms have reported, permanently"
  await confirm(session, flags, effect)
  const begun = await operatorOf(session, options).operator.discardReports(id, { reason })
  session.show(
    begun,
    `the reports of platform ${id} are being discarded; platform list shows how far it is`,
  )
  return 0
}

/** The longest of each, so that columns line up. */
const WIDTHS = [ID_WIDTH, 'suspended'.length, 'platform'.length, 'problems only'.length]

function platformLine(platform: Platform): string {
  const { id, status, tier, verified, established, name, apiKeys, discarded } = platform
  const record = recordOf(verified, established)
  const discard = discarded ? [discardText(discarded)] : []
  return row([id, status, tier, record, name, ...keyUses(apiKeys), ...discard], WIDTHS)
}

function discardText({ agents, progress, finishedAt }: Discard): string {
  if (finishedAt !== null) {
    return `reports on ${counted(agents, 'agent')} discarded at ${finishedAt}`
  }
  if (progress === null) {
    return 'discarding reports'
  }
  const { agentsChecked, agentsInAll } = progress
  return `discarding reports: ${grouped(agentsChecked)} of ${grouped(agentsInAll)} agents checked`
}

function recordOf(isVerified: boolean, isEstablished: boolean): string {
  if (isVerified) {
    return isEstablished ? 'verified' : 'problems only'
  }
  return isEstablished ? 'established' : 'new'
}
