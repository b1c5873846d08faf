import type { LoggedEvent } from '../domain/agent.ts'

/**
 * When an event began to count: when it was received or, if it was quarantined, when it was
 * released.
 */
export function countedSince({ createdAt, review }: LoggedEvent): number {
  return review?.counted?.since ?? createdAt
}
