import type { Mode } from '../../domain/mode.ts'
import type { Request } from '../../http/request.ts'
import { type RequestSigners, signatureAgentOf } from '../../identifiers/request-signer.ts'
import type { LookupCache } from '../lookup/lookup-cache.ts'
import { Id } from '../wire.ts'

/** The agent that a request comes from: by its id, by a name, or by neither. */
export interface Subject {
  readonly agentId?: string
  readonly identifier?: string
}

/** Why a request is refused independently of the policy. */
export interface Refused {
  readonly code: 'signature_invalid' | 'identity_conflict'
  readonly message: string
}

export function isRefused(subject: Subject | Refused): subject is Refused {
  return 'code' in subject
}

interface Deps {
  readonly names: LookupCache
  readonly signers: RequestSigners
}

/** A signature proves who asks; a header only says what the proxy says. Together they may name one agent. */
export async function subjectOf(
  deps: Deps,
  request: Request,
  mode: Mode,
): Promise<Subject | Refused> {
  const named = namedBy(request)
  const origin = signatureAgentOf(request.headers)
  if (origin === null) {
    return named.length > 1 ? oneOf(await agentsOf(deps, named, mode), named) : first(named)
  }
  const { agentId } = await deps.names.holder(origin, mode)
  if (agentId === null) {
    // The directory of an unknown agent is not read: a caller must not be able to choose an address. What it says
    // proves nothing, and does not hide the agent that the proxy names.
    const agentIds = await agentsOf(deps, named, mode)
    return agentIds.length > 0 ? oneOf(agentIds, named) : { identifier: origin }
  }
  if (!(await deps.signers.isSigner({ agentId, origin }, clientRequest(request)))) {
    const message = `the signature is not one of ${origin} for this host and time`
    return { code: 'signature_invalid', message }
  }
  return oneOf([agentId, ...(await agentsOf(deps, named, mode))], named)
}

const HEADERS = ['x-agent-id', 'x-agent-identifier']

/** What the headers name: each may have an id or a name. */
function namedBy({ headers }: Request): readonly Subject[] {
  const texts = HEADERS.map((header) => headers.get(header)?.trim() ?? '')
  return texts
    .filter((text) => text !== '')
    .map((text) => {
      const id = Id.safeParse(text)
      return id.success ? { agentId: id.data } : { identifier: text }
    })
}

function first([subject = { identifier: '' }]: readonly Subject[]): Subject {
  return subject
}

/** The agents that headers name. A name that no agent has proven names none; whether an id exists is not asked. */
async function agentsOf(
  { names }: Deps,
  named: readonly Subject[],
  mode: Mode,
): Promise<readonly string[]> {
  const identifiers = named.flatMap(({ identifier }) => identifier ?? [])
  const holders = await names.holders(identifiers, mode)
  return named.flatMap(
    ({ agentId, identifier = '' }) => agentId ?? holders.get(identifier)?.agentId ?? [],
  )
}

function oneOf(agentIds: readonly string[], named: readonly Subject[]): Subject | Refused {
  const [agentId, ...others] = new Set(agentIds)
  if (others.length > 0) {
    const message = 'the signature, X-Agent-Id and X-Agent-Identifier name more than one agent'
    return { code: 'identity_conflict', message }
  }
  return agentId === undefined ? first(named) : { agentId }
}

/** Where the gate is: proxies that keep the path put it behind this. */
const PREFIX = '/v1/gate'

/** The request as it reached the proxy. */
function clientRequest({ method, path, search, headers }: Request) {
  const firstOf = (...names: readonly string[]) =>
    names
      .map((name) => headers.get(name)?.split(',')[0]?.trim() ?? '')
      .find((value) => value !== '')
  const host = firstOf('x-forwarded-host', 'host') ?? ''
  const scheme = firstOf('x-forwarded-proto') ?? 'https'
  const uri =
    firstOf('x-original-uri', 'x-forwarded-uri') ?? `${path.slice(PREFIX.length)}${search}`
  return {
    method: firstOf('x-original-method', 'x-forwarded-method') ?? method,
    url: `${scheme}://${host}${uri.startsWith('/') ? uri : `/${uri}`}`,
    headers,
  }
}
