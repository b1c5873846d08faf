import { call } from './client.ts'
import { PAGE_MAX } from './limits.ts'
import type {
  Explanation,
  Page,
  QuarantinedScore,
  Score,
  ScoreSeries,
  SeriesPoint,
  Snapshot,
  WhatIfScore,
} from './types.ts'

export function getScore(id: string, signal: AbortSignal): Promise<Score> {
  return call('GET', `/v1/agents/${id}/score`, { signal })
}

export interface Span {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The score at evenly spaced times, oldest first. */
export async function getSeries(
  id: string,
  query: Span & { readonly points: number },
  signal: AbortSignal,
): Promise<readonly SeriesPoint[]> {
  const answer = await call<ScoreSeries>('GET', `/v1/agents/${id}/score/series`, {
    query: { ...query },
    signal,
  })
  return answer.data
}

/** In parts of 100, which is what one request may ask for. */
export async function getScores(
  agentIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly Score[]> {
  const scores: Score[] = []
  for (let i = 0; i < agentIds.length; i += PAGE_MAX) {
    const body = { agentIds: agentIds.slice(i, i + PAGE_MAX) }
    const answer = await call<{ data: Score[] }>('POST', '/v1/scores/batch', { body, signal })
    scores.push(...answer.data)
  }
  return scores
}

export function listSnapshots(
  id: string,
  query: Span & { readonly limit: number },
  signal: AbortSignal,
): Promise<Page<Snapshot>> {
  return call('GET', `/v1/agents/${id}/score/history`, { query: { ...query }, signal })
}

export function explain(id: string, signal: AbortSignal): Promise<Explanation> {
  return call('GET', `/v1/agents/${id}/score/explanation`, { signal })
}

/** What the score would be after this many more events, each kind by itself. */
export async function suppose(
  id: string,
  more: readonly { readonly type: string; readonly count: number }[],
  signal: AbortSignal,
): Promise<readonly WhatIfScore[]> {
  const query = { more: more.map(({ type, count }) => `${type}:${count}`).join(',') }
  const path = `/v1/agents/${id}/score/explanation`
  return (await call<Explanation>('GET', path, { query, signal })).after
}

export function quarantinedScore(id: string, signal: AbortSignal): Promise<QuarantinedScore> {
  return call('GET', `/v1/agents/${id}/score/quarantined`, { signal })
}
