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

/** A signature proves who asks; a header only says what the proxy says. */
export async function subjectOf(
  deps: Deps,
  request: Request,
  mode: Mode,
): Promise<Subject | Refused> {
  const named = namedBy(request)
  const origin = signatureAgentOf(request.headers)
  if (origin === null) {
    return named
  }
  const { agentId } = await deps.names.holder(origin, mode)
  // A directory of an unknown agent is not read: a caller must not be able to choose an address.
  if (agentId === null) {
    return { identifier: origin }
  }
  if (!(await deps.signers.isSigner({ agentId, origin }, clientRequest(request)))) {
    const message = `the signature is not one of ${origin} for this host and time`
    return { code: 'signature_invalid', message }
  }
  return named.agentId !== undefined && named.agentId !== agentId
    ? {
        code: 'identity_conflict',
        message: 'X-Agent-Id names another agent than the one that signed',
      }
    : { agentId }
}

function namedBy({ headers }: Request): Subject {
  const text = headers.get('x-agent-id')?.trim() || headers.get('x-agent-identifier')?.trim() || ''
  const id = Id.safeParse(text)
  return id.success ? { agentId: id.data } : { identifier: text }
}

/** Where the gate is: proxies that keep the path put it behind this. */
const PREFIX = '/v1/gate'

/** The request as it reached the proxy. */
function clientRequest({ method, path, search, headers }: Request) {
  const first = (...names: readonly string[]) =>
    names
      .map((name) => headers.get(name)?.split(',')[0]?.trim() ?? '')
      .find((value) => value !== '')
  const host = first('x-forwarded-host', 'host') ?? ''
  const scheme = first('x-forwarded-proto') ?? 'https'
  const uri = first('x-original-uri', 'x-forwarded-uri') ?? `${path.slice(PREFIX.length)}${search}`
  return {
    method: first('x-original-method', 'x-forwarded-method') ?? method,
    url: `${scheme}://${host}${uri.startsWith('/') ? uri : `/${uri}`}`,
    headers,
  }
}
