import { component, type MessageDescriptor } from 'http-message-sig'
import { createCache } from '../lib/cache.ts'
import { createFairQueue, type FairQueueOptions } from '../lib/fair-queue/fair-queue.ts'
import { labelsOf } from '../lib/signature-labels.ts'
import type { Keys, Reading } from './kind.ts'
import { WEB_BOT_AUTH } from './kinds/web-bot-auth.ts'
import { messageSigner } from './message-signature.ts'

/** A request as its client sent it. */
export interface ClientRequest {
  readonly method: string
  readonly url: string
  readonly headers: Iterable<readonly [name: string, value: string]> & {
    get(name: string): string | null
  }
}

/** Checks signatures by Web Bot Auth. */
export interface RequestSigners {
  /**
   * Whether a key in the directory of this origin signed the request for its host.
   * @throws SERVICE_UNAVAILABLE where too many requests wait for directories, of this agent or of all
   */
  isSigner(signer: Signer, request: ClientRequest): Promise<boolean>
}

/** Who a request says that it comes from: an agent, and the origin of its directory. */
export interface Signer {
  readonly agentId: string
  readonly origin: string
}

/** A new key is taken after a minute; it is published before it is used. */
const KEYS_FRESH_MS = 60_000

/** A directory that could not be read is asked again soon, but not by every request. */
const PROBLEM_FRESH_MS = 10_000

/** Some kilobytes each. */
const DIRECTORIES_MAX = 1_000

/**
 * Requests that wait until a directory is read, at a host that may take eight seconds. Meanwhile each has a place
 * among the reads in progress: with these bounds a quarter of the places is always left to other reads.
 */
const WAITS: FairQueueOptions = {
  runningMax: 32,
  runningPerKeyMax: 16,
  waitingMax: 64,
  waitingPerKeyMax: 32,
  waitMaxMs: 500,
  refusal: 'too many requests wait for key directories; retry',
}

const TAG = 'web-bot-auth'

export function createRequestSigners(reading: Reading): RequestSigners {
  const directories = createCache<Keys>({
    async read(origins) {
      const read = async (origin: string) =>
        [origin, await WEB_BOT_AUTH.read(reading, origin)] as const
      return new Map(await Promise.all(origins.map(read)))
    },
    isFresh: (keys, ageMs) => ageMs < ('problem' in keys ? PROBLEM_FRESH_MS : KEYS_FRESH_MS),
    now: reading.now,
    sizeMax: DIRECTORIES_MAX,
  })
  const waits = createFairQueue(WAITS)

  async function keysOf({ agentId, origin }: Signer): Promise<Keys | undefined> {
    const keys = directories.get(origin)
    if (!(keys instanceof Promise)) {
      return keys
    }
    // Where this request may not wait, the directory is still read, for later ones.
    keys.catch(() => {})
    return waits.run(agentId, 1, () => keys)
  }

  return {
    async isSigner(signer, request) {
      const found = await keysOf(signer)
      // What the proxy says of the host may be no host at all.
      if (!found || 'problem' in found || !URL.canParse(request.url)) {
        return false
      }
      const message = messageOf(request)
      const input = request.headers.get('signature-input') ?? ''
      for (const label of labelsOf(input)) {
        const components = componentsOf(request, input)
        const signature = { label, tag: TAG, components, keys: found.keys, now: reading.now() }
        if ((await messageSigner(message, signature)) !== null) {
          return true
        }
      }
      return false
    },
  }
}

/** The origin that a request says its keys are published at; null where it says nothing usable. */
export function signatureAgentOf(headers: ClientRequest['headers']): string | null {
  const [, url = ''] = AGENT_URL.exec(headers.get('signature-agent') ?? '') ?? []
  return URL.canParse(url) ? new URL(url).origin : null
}

/** A string, or a dictionary with one member: both are in use. */
const AGENT_URL = /^\s*(?:[a-z*][a-z0-9_.*-]*=)?"(https?:\/\/[^"\s]{1,500})"\s*$/

/** What must be signed, so that a signature is good for this host and this directory alone. */
function componentsOf({ headers }: ClientRequest, input: string) {
  const [, member] = /^\s*([a-z*][a-z0-9_.*-]*)=/.exec(headers.get('signature-agent') ?? '') ?? []
  const agent =
    member !== undefined && input.includes('"signature-agent";key=')
      ? component('signature-agent', { key: member })
      : component('signature-agent')
  const host = input.includes('"@authority"') ? '@authority' : '@target-uri'
  return [component(host), agent]
}

function messageOf({ method, url, headers }: ClientRequest): MessageDescriptor {
  const fields = [...headers].map(([name, value]) => ({ name, value }))
  return { kind: 'request', method, targetUri: url, fields }
}
