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

export function rememberAgent(agent: Recent): void {
  const others = recentAgents().filter(({ id }) => id !== agent.id)
  sessionStorage.setItem(KEY, JSON.stringify([agent, ...others].slice(0, MAX)))
}

export function forgetRecent(): void {
  sessionStorage.removeItem(KEY)
}
