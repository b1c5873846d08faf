import { createHash } from 'node:crypto'
import type { EventInput } from '../api/events/schema.ts'
import type { RecordedEvent } from '../domain/agent.ts'
import type { TrustError } from '../domain/error.ts'
import type { Reporter } from '../domain/event.ts'
import { canonicalData } from '../fraud/digest.ts'
import type { Attestation } from '../fraud/rule.ts'
import type { Response } from '../http/response.ts'
import type { IdempotentRequest } from '../http/route.ts'
import type { ExternalName } from '../store/store.ts'

/** The events of one request, from one reporter about one agent. */
export interface Submission {
  readonly agentId: string
  readonly reporter: Reporter
  /** Who runs the platform that reports, if an owner does. */
  readonly reporterOwnerId: string | null
  readonly attestation: Attestation
  /** What is wrong with the signature, where it does not hold. */
  readonly attestationProblem?: string | null
  /** The signature's own name: events without one of their own go by it, so that a replay is seen. */
  readonly signature?: string | null
  readonly events: readonly EventInput[]
  readonly idempotency: IdempotentRequest | null
  /**
   * What the service notes down of its own doings, such as a credential that was revoked: no status
   * of the agent refuses it, and it takes no place in the hour that reporters share.
   */
  readonly isSystemEvent?: boolean
  /** What the request is answered, once it is known what became of each event. */
  readonly answer: (outcomes: readonly Outcome[]) => Response
}

/** What became of one event. */
export type Outcome =
  | { readonly event: RecordedEvent; readonly isNew: boolean }
  | { readonly refusal: TrustError }

/** The names by which a submission's events may be known already. */
export function namesOf(submission: Submission): readonly ExternalName[] {
  const reporterId = submission.reporter.id
  return submission.events.flatMap((_, index) => {
    const externalId = nameOf(submission, index)
    return externalId === null ? [] : [{ reporterId, externalId }]
  })
}

/**
 * What an event goes by on its reporter's side: its own name, or else the signature that it came
 * under and its place there. Whoever sends a signed request again adds nothing.
 */
export function nameOf({ events, signature }: Submission, index: number): string | null {
  return events[index]?.externalId ?? (signature ? `${signature} ${index}` : null)
}

/** What an event says, so that the same id with other words is noticed. */
export function contentDigest(agentId: string, input: EventInput): Uint8Array {
  const content = [agentId, input.type, input.occurredAt ?? '', canonicalData(input.data ?? {})]
  return createHash('sha256').update(content.join('\n')).digest()
}
