/**
 * Agents and platforms of a simulated installation, decided on as the service does it, and a twin of it
 * without the attack. All numbers come from one seed.
 */

import { assess } from '../../../src/domain/assess.ts'
import type { Evidence } from '../../../src/domain/evidence-state.ts'
import { type Score, scoreAt } from '../../../src/domain/score.ts'
import { below, type Chance, chanceOf } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import type { InMemoryIngest } from '../../../src/ingest/in-memory-ingest.ts'
import type { Run } from './bound.ts'
import { honestDay, type Planned, type Work } from './days.ts'
import { type Counts, createTwins, type Twins } from './twins.ts'

const START = Date.UTC(2024, 0, 1)

/** Days after which platforms are established by their record. */
const LEARNING_DAYS = 100
const LEARNING_AGENTS = 8

export interface Panel {
  /** Established platforms that report what happened. */
  readonly honest: number
  /** Established ones that do not. */
  readonly colluders?: number
  /** Platforms that are not established. */
  readonly outsiders?: number
  /** Whether two other established platforms exist, so that outsiders are no longer provisional. */
  readonly isNewInstallation?: boolean
}

export interface World {
  readonly chance: Chance
  readonly honest: readonly string[]
  readonly colluders: readonly string[]
  readonly outsiders: readonly string[]
  /** Days since the learning days. */
  readonly day: number
  readonly counts: Counts
  /** With the agent that it acts for. */
  addAgent(id: string, owner?: string, parent?: string): void
  /** A platform of an owner, as established as `isVerified` says. */
  addPlatform(id: string, owner: string | null, isVerified: boolean): void
  /** By default the twin gets the credential too; its id. */
  issue(agent: string, by: string, issued?: { type?: string; isAttack?: boolean }): string
  /** Deactivates an agent. */
  deactivate(agent: string): void
  /** Passes an agent to another owner, in the twin too if the twin is to have it. */
  transfer(agent: string, owner: string): void
  /** Replaces an agent by a new one that carries its record. */
  succeed(agent: string, next: string): void
  honestDay(agent: string, work?: Work): readonly Planned[]
  /** Runs a day's events in the order of their times; `visit` sees the time after each. */
  play(events: readonly Planned[], visit?: (at: number) => void): void
  /** Points at a time, by default at the end of the last day; in the twin if asked. */
  points(agent: string, at?: number): number
  twinPoints(agent: string, at?: number): number
  score(agent: string, at?: number): Score
}

export function createWorld({ model, mode, seed }: Run, panel: Panel): World {
  const chance = chanceOf(seed)
  const twins = createTwins(model)
  const { main, twin, both, counts, addPlatform } = twins
  const honest = names('honest-', panel.honest)
  const colluders = names('colluder-', panel.colluders)
  const outsiders = names('outsider-', panel.outsiders)
  const isLearnt = mode === 'learnt' && !panel.isNewInstallation
  const began = isLearnt ? LEARNING_DAYS : 0
  let day = began

  for (const id of [...honest, ...colluders]) {
    addPlatform(id, null, mode === 'verified')
  }
  if (isLearnt) {
    learn(twins, chance, [...honest, ...colluders])
  } else if (!panel.isNewInstallation && honest.length + colluders.length < 2) {
    addPlatform('verified-0', null, true)
    addPlatform('verified-1', null, true)
  }
  for (const id of outsiders) {
    addPlatform(id, null, false)
  }

  const now = (ms = 0) => START + day * DAY_MS + ms
  const lastMs = () => now() - 1
  return {
    chance,
    honest,
    colluders,
    outsiders,
    get day() {
      return day - began
    },
    counts,
    addPlatform,
    addAgent: (id, owner = `owner-${id}`, parent) => twins.addAgent({ id, owner, parent }, now()),
    issue(agent, by, { type = 'KycVerified', isAttack = false } = {}) {
      const credentialId = `${agent} ${by} ${type}`
      for (const ingest of isAttack ? [main] : both) {
        ingest.setCredential(credentialId, { agentId: agent, type, expiresAt: null })
      }
      const data = { credentialId, credentialType: type }
      const event = { agent, ms: 0, by, type: 'credential.issued', data, isAttack } as const
      twins.report(event, now(1))
      return credentialId
    },
    deactivate(agent) {
      for (const ingest of both) {
        ingest.setStatus(agent, 'deactivated', now())
      }
    },
    transfer: (agent, owner) => main.transfer(agent, owner, now(), twins.platformsOf(owner)),
    succeed: (agent, next) => main.succeed(agent, next, now()),
    honestDay: (agent, work = {}) => honestDay(chance, agent, { on: honest, ...work }),
    play(events, visit) {
      for (const event of inOrder(events)) {
        const at = now(event.ms)
        twins.report(event, at)
        visit?.(at)
      }
      day += 1
    },
    points: (agent, at = lastMs()) => assess(model, evidenceIn(main, agent), at).whole,
    twinPoints: (agent, at = lastMs()) => assess(model, evidenceIn(twin, agent), at).whole,
    score: (agent, at = lastMs()) => scoreAt(model, evidenceIn(main, agent), at),
  }
}

function names(prefix: string, count = 0): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`)
}

/** Platforms are established by their record: all, at least three, report on the same agents of eight owners. */
function learn(twins: Twins, chance: Chance, platforms: readonly string[]): void {
  const others = names('other-', Math.max(0, 3 - platforms.length))
  for (const id of others) {
    twins.addPlatform(id, null, false)
  }
  const agents = names('known-', LEARNING_AGENTS)
  for (const id of agents) {
    twins.addAgent({ id, owner: `owner-${id}` }, START)
  }
  for (let day = 0; day < LEARNING_DAYS; day++) {
    const events = agents.flatMap((agent) => learningDay(chance, agent, [...platforms, ...others]))
    for (const event of inOrder(events)) {
      twins.report(event, START + day * DAY_MS + event.ms)
    }
  }
}

/** Most of the platforms report on an agent that succeeds as often as an honest one. */
function learningDay(chance: Chance, agent: string, platforms: readonly string[]): Planned[] {
  return platforms
    .filter(() => chance() < 0.7)
    .map((by) => {
      const type = chance() < 0.97 ? 'task.completed' : 'task.failed'
      return { agent, ms: below(chance, DAY_MS), by, type, data: {}, isAttack: false }
    })
}

function inOrder(events: readonly Planned[]): readonly Planned[] {
  return [...events].sort((a, b) => a.ms - b.ms)
}

function evidenceIn(ingest: InMemoryIngest, agent: string): Evidence {
  const state = ingest.agentState(agent)
  if (!state) {
    throw new Error(`no agent ${agent}`)
  }
  return state.evidence
}

/** Lets an agent work honestly for a number of days. */
export function age(world: World, agent: string, days: number, work: Work = {}): void {
  for (let day = 0; day < days; day++) {
    world.play(world.honestDay(agent, work))
  }
}

interface Past {
  /** Days of work; half a year by default. */
  readonly days?: number
  readonly work?: Work
  readonly isCertified?: boolean
}

/** A world with an honest agent of some age, by default with a credential. */
export function worldWithAgent(
  run: Run,
  panel: Panel,
  { days = 180, work, isCertified = true }: Past = {},
): World {
  const world = createWorld(run, panel)
  world.addAgent('agent')
  if (isCertified) {
    world.issue('agent', 'honest-0')
  }
  age(world, 'agent', days, work)
  return world
}
