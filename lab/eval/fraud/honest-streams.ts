import { occurredAt } from '../../../cli/src/replay/times.ts'
import type { SimulatedEvent } from '../../../src/ingest/testing/simulation.ts'
import { type Line, readLines } from '../lines.ts'

const STREAMS = [
  'swe-bench-verified',
  'bitcoin-otc',
  'uci-credit-default',
  'upptime-sites',
] as const

/** An honest stream, as it was reported while it happened, and as a history sent in at once. */
export interface Honest {
  readonly name: string
  readonly events: readonly SimulatedEvent[]
}

export function honestStreams(dataDir: string): readonly Honest[] {
  return STREAMS.flatMap((name) => {
    const lines = readLines(dataDir, name).filter((line) => 'type' in line)
    return [
      { name: `${name}, live`, events: live(lines) },
      { name: `${name}, sent in at once`, events: atOnce(lines) },
    ]
  })
}

function live(lines: readonly Line[]): readonly SimulatedEvent[] {
  const inOrder = [...lines].sort((a, b) => a.t - b.t)
  return inOrder.map(({ agent, platform, t, type, data }) => ({
    agent,
    by: platform,
    type,
    data,
    at: t * 1000,
  }))
}

const NOW = Date.UTC(2026, 5, 15, 12)
/** About the rate of the service on two cores. */
const STEP_MS = 1

/** As `standing replay` sends a history. */
function atOnce(lines: readonly Line[]): readonly SimulatedEvent[] {
  const periods = new Map<string, { from: number; to: number }>()
  for (const { agent, t } of lines) {
    const { from, to } = periods.get(agent) ?? { from: t, to: t }
    periods.set(agent, { from: Math.min(from, t), to: Math.max(to, t) })
  }
  return lines.map(({ agent, platform, t, type, data }, i) => {
    const period = periods.get(agent) ?? { from: t, to: t }
    const at = NOW + i * STEP_MS
    return { agent, by: platform, type, data, at, occurredAt: occurredAt(period, t, NOW) }
  })
}
