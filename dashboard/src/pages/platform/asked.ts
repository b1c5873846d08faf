import { signal } from '@preact/signals'
import type { Decision } from '../../api/types.ts'
import { session } from '../../session/session.ts'

/** A decision as the list of them shows it. */
export interface Asked {
  readonly at: number
  readonly subject: string
  readonly agentId: string | null
  readonly decision: Decision['decision']
  readonly reasons: string
}

/** Enough to look back over some weeks by hand; a program keeps its own log. */
const ASKED_MAX = 100

const asked = signal<{ readonly key: string; readonly rows: readonly Asked[] } | null>(null)

/** The decisions asked for in this browser with the key at hand, the latest first. */
export function askedBefore(): readonly Asked[] {
  const key = storageKey()
  return asked.value?.key === key ? asked.value.rows : stored(key)
}

export function keepDecision(name: string, { agent, decision, reasons }: Decision): void {
  const one: Asked = {
    at: Date.now(),
    subject: agent?.displayName ?? name,
    agentId: agent?.id ?? null,
    decision,
    reasons: reasons.map(({ message }) => message).join(' '),
  }
  write([one, ...askedBefore()].slice(0, ASKED_MAX))
}

export function forgetDecisions(): void {
  write([])
}

function write(rows: readonly Asked[]): void {
  const key = storageKey()
  asked.value = { key, rows }
  try {
    localStorage.setItem(key, JSON.stringify(rows))
  } catch {
    // A full or forbidden store: the list is that of the visit.
  }
}

/** By the checksum that a key ends with: it tells keys from each other, and gives none away. */
function storageKey(): string {
  return `standing.decisions.${session.value?.credential.slice(-6) ?? ''}`
}

function stored(key: string): readonly Asked[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(value) ? (value as Asked[]) : []
  } catch {
    return []
  }
}
