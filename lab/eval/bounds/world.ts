/**
 * Agents and platforms of a simulated installation, decided on as the service does it, and a twin of it
 * without the attack. All numbers come from one seed.
 */
import { assess, type Score, scoreAt } from '../../../src/domain/score.ts'
import { below, type Chance, chanceOf } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import type { InMemoryIngest } from '../../../src/ingest/in-memory-ingest.ts'
import { newIngest } from '../ingest.ts'
import type { Run } from './bound.ts'
import { honestDay, type Planned, type Work } from './days.ts'

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

interface Counts {
  accepted: number
  quarantined: number
  refused: number
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
  /** By default the twin gets the credential too. */
  issue(agent: string, by: string, issued?: { type?: string; isAttack?: boolean }): void
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

interface Platform {
  readonly owner: string | null
  readonly isVerified: boolean
}

export function createWorld({ model, mode, seed }: Run, panel: Panel): World {
  const chance = chanceOf(seed)
  const [main, twin] = [newIngest({ model }), newIngest({ model })]
  const both = [main, twin]
  const platforms = new Map<string, Platform>()
  const counts: Counts = { accepted: 0, quarantined: 0, refused: 0 }
  const names = (prefix: string, count = 0) =>
    Array.from({ length: count }, (_, i) => `${prefix}${i}`)
  const honest = names('honest-', panel.honest)
  const colluders = names('colluder-', panel.colluders)
  const outsiders = names('outsider-', panel.outsiders)
  const isLearnt = mode === 'learnt' && !panel.isNewInstallation
  let day = isLearnt ? LEARNING_DAYS : 0
  const began = day

  function addPlatform(id: string, owner: string | null, isVerified: boolean): void {
    platforms.set(id, { owner, isVerified })
    if (isVerified) {
      for (const ingest of both) {
        ingest.verify(id, true, owner)
      }
    }
  }

  function report(ingest: InMemoryIngest, event: Planned, at: number): void {
    const { agent, by, type, data, externalId } = event
    const platform = by === null ? undefined : platforms.get(by)
    const outcome = ingest.report(
      {
        agentId: agent,
        reporter: by === null ? { kind: 'agent', id: agent } : { kind: 'platform', id: by },
        reporterOwnerId: platform?.owner ?? null,
        reporterVerified: platform?.isVerified ?? false,
        attestation: 'none',
        events: [{ type, data, externalId }],
      },
      at,
    )
    if (ingest === main) {
      count(outcome, counts)
    }
  }

  function register(id: string, owner: string, at: number, parentId?: string): void {
    for (const ingest of both) {
      ingest.register({ id, ownerId: owner, parentId: parentId ?? null }, at)
    }
  }

  /** All platforms report on the same agents of eight owners. */
  function learn(): void {
    const all = [...honest, ...colluders]
    for (const id of names('other-', Math.max(0, 3 - all.length))) {
      addPlatform(id, null, false)
      all.push(id)
    }
    const agents = names('known-', LEARNING_AGENTS)
    for (const id of agents) {
      register(id, `owner-${id}`, START)
    }
    for (let past = 0; past < LEARNING_DAYS; past++) {
      const events = agents.flatMap((agent) =>
        all
          .filter(() => chance() < 0.7)
          .map((by): Planned => {
            const type = chance() < 0.97 ? 'task.completed' : 'task.failed'
            return { agent, ms: below(chance, DAY_MS), by, type, data: {}, isAttack: false }
          }),
      )
      for (const event of events.sort((a, b) => a.ms - b.ms)) {
        for (const ingest of both) {
          report(ingest, event, START + past * DAY_MS + event.ms)
        }
      }
    }
  }

  const isVerified = mode === 'verified'
  for (const id of [...honest, ...colluders]) {
    addPlatform(id, null, isVerified)
  }
  if (isLearnt) {
    learn()
  } else if (!panel.isNewInstallation && honest.length + colluders.length < 2) {
    addPlatform('verified-0', null, true)
    addPlatform('verified-1', null, true)
  }
  for (const id of outsiders) {
    addPlatform(id, null, false)
  }

  const now = (ms = 0) => START + day * DAY_MS + ms
  const evidenceIn = (ingest: InMemoryIngest, agent: string) => {
    const state = ingest.agentState(agent)
    if (!state) {
      throw new Error(`no agent ${agent}`)
    }
    return state.evidence
  }
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
    addAgent: (id, owner = `owner-${id}`, parent) => register(id, owner, now(), parent),
    issue(agent, by, { type = 'KycVerified', isAttack = false } = {}) {
      for (const ingest of isAttack ? [main] : both) {
        const credentialId = `${agent} ${by} ${type}`
        ingest.setCredential(credentialId, { agentId: agent, type, expiresAt: null })
        const data = { credentialId, credentialType: type }
        report(ingest, { agent, ms: 0, by, type: 'credential.issued', data, isAttack }, now(1))
      }
    },
    deactivate(agent) {
      for (const ingest of both) {
        ingest.setStatus(agent, 'deactivated', now())
      }
    },
    transfer(agent, owner) {
      const own = [...platforms].filter(([, platform]) => platform.owner === owner)
      const ids = own.map(([id]) => id)
      main.transfer(agent, owner, now(), ids)
    },
    succeed(agent, next) {
      main.succeed(agent, next, now())
    },
    honestDay: (agent, work = {}) => honestDay(chance, agent, { on: honest, ...work }),
    play(events, visit) {
      for (const event of [...events].sort((a, b) => a.ms - b.ms)) {
        const at = now(event.ms)
        report(main, event, at)
        if (!event.isAttack) {
          report(twin, event, at)
        }
        visit?.(at)
      }
      day += 1
    },
    points: (agent, at = now() - 1) => assess(model, evidenceIn(main, agent), at).whole,
    twinPoints: (agent, at = now() - 1) => assess(model, evidenceIn(twin, agent), at).whole,
    score: (agent, at = now() - 1) => scoreAt(model, evidenceIn(main, agent), at),
  }
}

function count(outcome: ReturnType<InMemoryIngest['report']>, counts: Counts): void {
  const [first] = 'events' in outcome ? outcome.events : []
  if (!first || !('event' in first)) {
    counts.refused += 1
  } else if (first.event.isQuarantined) {
    counts.quarantined += 1
  } else {
    counts.accepted += 1
  }
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
