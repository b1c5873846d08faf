import { signal } from '@preact/signals'
import type { Member, Owner, Permission } from '../api/types.ts'
import { comesFromProvider } from './arrival.ts'

/** Who uses the dashboard, and what is shown to the service as proof. */
export type Session =
  | {
      readonly kind: 'owner'
      readonly credential: string
      readonly owner: Owner
      /** Both are read again as the dashboard opens; a session that an older one stored has neither. */
      readonly member?: Member | null
      readonly permissions?: readonly Permission[]
      readonly expiresAt: string
    }
  | { readonly kind: 'operator'; readonly credential: string }
  | { readonly kind: 'platform'; readonly credential: string }

export type Kind = Session['kind']

/** Whether reading scores uses up a small allowance: the smallest tier has 1,000 a month. */
export function areLookupsScarce(): boolean {
  const who = session.value
  return who?.kind === 'owner' && who.owner.tier === 'free'
}

/** Of this tab alone, and gone with it: a key is not left behind on a shared machine. */
const KEY = 'standing.session'

// Somebody who comes back from a sign-in is not whom this tab knew before.
export const session = signal<Session | null>(comesFromProvider ? null : stored())

/** Why the last session ended, if the service ended it. */
export const wasEnded = signal(false)

export function begin(next: Session): void {
  sessionStorage.setItem(KEY, JSON.stringify(next))
  wasEnded.value = false
  session.value = next
}

/** The session is over: signed out, or the service does not take its credential any more. */
export function end(byService = false): void {
  sessionStorage.removeItem(KEY)
  wasEnded.value = byService
  session.value = null
}

function stored(): Session | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return isSession(value) ? value : null
  } catch {
    return null
  }
}

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) {
    return false
  }
  const { kind, credential } = value as Record<string, unknown>
  const isKnown = kind === 'owner' ? 'owner' in value : kind === 'operator' || kind === 'platform'
  return isKnown && typeof credential === 'string'
}
