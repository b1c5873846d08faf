import { pause } from '../../src/lib/pause.ts'

/** A client of several nodes that repeats a request until its outcome is known. */
export interface Client {
  /** Sends to one node after the other, by the same key; null where time ran out first. */
  settle(request: Asked, firstNode: number): Promise<Answer | null>
  /** From now on requests are sent again for so long and no longer. */
  giveUpAfter(ms: number): void
  /** Requests without an answer, or with one that says nothing about the outcome. */
  retried(): number
  /** Answers that a service may never give. */
  readonly faults: readonly string[]
}

export interface Asked {
  readonly path: string
  readonly key: string
  readonly body: unknown
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface ClientOptions {
  readonly urls: readonly string[]
  readonly apiKey: string
}

/** A request that a dead connection swallows ends by this. */
const ANSWER_MAX_MS = 10_000

/** The pause before the same request is sent again. */
const RETRY_MS = 50

export function createClient({ urls, apiKey }: ClientOptions): Client {
  const faults: string[] = []
  let retried = 0
  let until = Number.POSITIVE_INFINITY

  /** One request; null where its outcome is unknown. */
  async function send({ path, key, body }: Asked, node: number): Promise<Answer | null> {
    const response = await fetch(`${urls[node % urls.length]}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    }).catch(() => null)
    const text = await response?.text().catch(() => null)
    if (!response || typeof text !== 'string' || isToRepeat(response.status, text)) {
      retried++
      return null
    }
    // Every report is a valid one of a platform in good standing.
    if (!response.ok) {
      faults.push(`${response.status} ${text.slice(0, 300)}`)
    }
    return response.status >= 500 ? null : { status: response.status, body: JSON.parse(text) }
  }

  return {
    faults,
    retried: () => retried,
    giveUpAfter(ms) {
      until = performance.now() + ms
    },
    async settle(asked, firstNode) {
      for (let node = firstNode; performance.now() < until; node++) {
        const answer = await send(asked, node)
        if (answer) {
          return answer
        }
        await pause(RETRY_MS)
      }
      return null
    },
  }
}

/** 503: nothing is known. 409 while the same key is in progress elsewhere. */
function isToRepeat(status: number, text: string): boolean {
  return status === 503 || text.includes('IDEMPOTENCY_IN_PROGRESS')
}
