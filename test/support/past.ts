import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { OPERATOR_KEY, type TestService } from './service.ts'

/** An event of a past: when, about which agent, and by which platform. */
export interface PastLine {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly agent: string
  readonly by: string
  readonly type: string
  readonly externalId?: string
  readonly data?: object
}

/** Imports a past in one request, in the order of its times. Reports would take one for each day. */
export async function importPast(service: TestService, lines: readonly PastLine[]): Promise<void> {
  // A line that is imported again under another name is another event.
  const response = await fetch(`${service.url}/v1/operator/imports?name=${randomUUID()}`, {
    method: 'POST',
    headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'application/x-ndjson' },
    body: lines
      .map(({ at, ...line }) => JSON.stringify({ at: new Date(at).toISOString(), ...line }))
      .join('\n'),
  })
  expect(await response.json()).toMatchObject({ imported: lines.length, errors: [] })
}
