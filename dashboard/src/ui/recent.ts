import { shortId } from '../ids.ts'

/** Agents looked at in this tab, the last one first. */
const KEY = 'standing.recent'
const MAX = 20

export interface Recent {
  readonly id: string
  readonly name: string
}

export function recentAgents(): readonly Recent[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(value) ? (value as Recent[]) : []
  } catch {
    return []
  }
}

/** The name of an agent that was looked at, if more than its id is known of it. */
export function recentName(id: string): string | undefined {
  const name = recentAgents().find((agent) => agent.id === id)?.name
  return name === shortId(id) ? undefined : name
}

export function rememberAgent(agent: Recent): void {
  const others = recentAgents().filter(({ id }) => id !== agent.id)
  sessionStorage.setItem(KEY, JSON.stringify([agent, ...others].slice(0, MAX)))
}

export function forgetRecent(): void {
  sessionStorage.removeItem(KEY)
}
