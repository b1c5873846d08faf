import type { Agent, AgentProfile, AgentWithKey } from '@standing/sdk'
import { UsageError } from '../../../src/lib/user-error.ts'
import { operatorOf, ownerOf, recordReaderOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { confirm } from '../confirmed.ts'
import { rotateKey, showNewKey } from '../new-key.ts'
import type { CALLER_OPTIONS } from '../options.ts'
import { ID_WIDTH, keyUses, objectOf, row, showList } from '../output.ts'
import { inLine } from '../printable.ts'
import type {
  CREATE_OPTIONS,
  DEACTIVATE_OPTIONS,
  LIST_OPTIONS,
  REPLACE_OPTIONS,
  ROTATE_OPTIONS,
  STATUS_OPTIONS,
  UPDATE_OPTIONS,
} from '../table/agents.ts'

export async function create(
  { words: [displayName = ''], options }: InputOf<typeof CREATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const metadata = objectOf('--metadata', options.metadata)
  const input = { displayName, metadata, parentId: options.parent }
  const agent = await ownerOf(session, options).agents.register(input)
  showNewKey(session, agent, newAgentText(agent))
  return 0
}

export async function list(
  { options }: InputOf<typeof LIST_OPTIONS>,
  session: Session,
): Promise<number> {
  const agents = ownerOf(session, options).agents.list({ parentId: options.parent })
  return showList(agents, session, agentLine, options.limit)
}

export async function get(
  { words: [id], options }: InputOf<typeof CALLER_OPTIONS>,
  session: Session,
): Promise<number> {
  const { agents } = recordReaderOf(session, options)
  const agent: AgentProfile = id === undefined ? await agents.me() : await agents.get(id)
  const { metadata = {}, apiKeys = [] } = agent
  const named = Object.entries(metadata).map(([name, value]) =>
    inLine(`${name}: ${JSON.stringify(value)}`),
  )
  // Keys are shown to its owner, the operator and the agent itself only.
  session.show(agent, [agentLine(agent), ...named, ...keyUses(apiKeys)].join('\n'))
  return 0
}

export async function update(
  { words: [id = ''], options }: InputOf<typeof UPDATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const { name: displayName, metadata: text } = options
  if (displayName === undefined && text === undefined) {
    throw new UsageError('Name what is to change: --name or --metadata.')
  }
  const metadata = text === undefined ? undefined : objectOf('--metadata', text)
  const agent = await ownerOf(session, options).agents.update(id, { displayName, metadata })
  session.show(agent, agentLine(agent))
  return 0
}

export async function replace(
  { words: [id = ''], options, flags }: InputOf<typeof REPLACE_OPTIONS>,
  session: Session,
): Promise<number> {
  await confirm(session, flags, `This deactivates agent ${id} permanently`)
  const input = { displayName: options.name }
  const agent = await ownerOf(session, options).agents.registerSuccessor(id, input)
  showNewKey(session, agent, newAgentText(agent))
  return 0
}

export function rotate(
  { words: [id = ''], options }: InputOf<typeof ROTATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const { agents } = ownerOf(session, options)
  return rotateKey(session, options.overlap, (rotation) => agents.rotateKey(id, rotation))
}

export async function deactivate(
  { words: [id = ''], options, flags }: InputOf<typeof DEACTIVATE_OPTIONS>,
  session: Session,
): Promise<number> {
  await confirm(session, flags, `This deactivates agent ${id} permanently`)
  const agent = await ownerOf(session, options).agents.deactivate(id)
  session.show(agent, agentLine(agent))
  return 0
}

type StatusInput = InputOf<typeof STATUS_OPTIONS>

export function suspend(input: StatusInput, session: Session): Promise<number> {
  return setStatus(input, session, 'suspended')
}

export function activate(input: StatusInput, session: Session): Promise<number> {
  return setStatus(input, session, 'active')
}

async function setStatus(
  { words: [id = ''], options }: StatusInput,
  session: Session,
  status: 'active' | 'suspended',
): Promise<number> {
  const change = { status, reason: options.reason }
  const agent = await operatorOf(session, options).operator.setAgentStatus(id, change)
  session.show(agent, agentLine(agent))
  return 0
}

function newAgentText({ id, displayName, apiKey }: AgentWithKey): string {
  return `agent  ${id}  ${inLine(displayName)}\nkey    ${apiKey}`
}

/** The longest status, so that columns line up. */
const WIDTHS = [ID_WIDTH, 'deactivated'.length]

function agentLine({
  id,
  status,
  displayName,
}: Pick<Agent, 'id' | 'status' | 'displayName'>): string {
  return row([id, status, displayName], WIDTHS)
}
