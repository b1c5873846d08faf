/** An attribution as text, exact: JSON gives back the same numbers. The evidence is kept beside it. */
import type { Attribution, Group, ReporterGroup, Strongest } from './attribution.ts'
import type { EventType } from './event.ts'
import type { Evidence } from './evidence-state.ts'

interface Stored extends Omit<Attribution, 'evidence' | 'types' | 'reporters'> {
  readonly types: readonly (readonly [EventType, Group])[]
  readonly reporters: readonly (readonly [string, ReporterGroup])[]
}

export function encodeAttribution({ evidence: _, types, reporters, ...rest }: Attribution): string {
  const stored: Stored = { ...rest, types: [...types], reporters: [...reporters] }
  return JSON.stringify(stored)
}

export function decodeAttribution(text: string, evidence: Evidence): Attribution {
  const { types, reporters, ...rest } = JSON.parse(text) as Stored
  return { ...rest, evidence, types: new Map(types), reporters: new Map(reporters) }
}

export function encodeStrongest(strongest: Strongest): string {
  return JSON.stringify(strongest)
}

export function decodeStrongest(text: string): Strongest {
  return JSON.parse(text) as Strongest
}
