import type { InMemoryIngest } from '../../src/ingest/in-memory-ingest.ts'
import type { Report } from '../../src/ingest/report.ts'
import { type AgentLine, LineError, type PlatformLine } from './line.ts'

export interface Platform {
  readonly id: string
  readonly ownerId: string | null
  reporting: Reporting
}

export interface Agent {
  readonly id: string
  readonly ownerId: string
  isRegistered: boolean
  isDeactivated: boolean
  readonly credentials: Set<string>
  /** How it reports itself, and how its owner does. */
  readonly asAgent: Reporting
  readonly asOwner: Reporting
  /** Events since it was last asked about. */
  accepted: number
  quarantined: number
  refused: number
}

/** Who reports: as a report names it. */
type Reporting = Pick<Report, 'reporter' | 'reporterOwnerId' | 'reporterVerified'>

/**
 * The participants by their names in the file. One that an event names first is added then: a
 * platform that is not verified and that no owner runs, an agent of an owner of its own.
 */
export interface Participants {
  definePlatform(line: PlatformLine): void
  defineAgent(line: AgentLine, now: number): void
  /** The agent, registered. */
  agent(name: string, now: number): Agent
  /** A platform by its name, `self` or `owner`. */
  reporting(agent: Agent, by: string): Reporting
  readonly counts: { readonly agents: number; readonly platforms: number }
}

/** Ids are made here, so that no name of one participant is taken for that of another. */
export function createParticipants(ingest: InMemoryIngest): Participants {
  const platforms = new Map<string, Platform>()
  const agents = new Map<string, Agent>()
  const owners = new Map<string, string>()

  function ownerId(name: string): string {
    const id = owners.get(name) ?? `owner-${owners.size + 1}`
    owners.set(name, id)
    return id
  }

  function addPlatform(name: string, owner: string | null, verified: boolean): Platform {
    const id = `platform-${platforms.size + 1}`
    const platform = newPlatform(id, owner === null ? null : ownerId(owner), verified)
    platforms.set(name, platform)
    ingest.verify(id, verified)
    return platform
  }

  function changePlatform(known: Platform, { platform, owner, verified }: PlatformLine): void {
    const its = typeof owner === 'string' ? ownerId(owner) : owner
    if (its !== undefined && its !== known.ownerId) {
      throw new LineError(`${platform} is run by another owner. Give this platform another name.`)
    }
    const isVerified = verified ?? known.reporting.reporterVerified
    known.reporting = { ...known.reporting, reporterVerified: isVerified }
    ingest.verify(known.id, isVerified)
  }

  function addAgent(name: string, owner: string | null): Agent {
    const id = `agent-${agents.size + 1}`
    const its = owner === null ? `owner-of-${id}` : ownerId(owner)
    const agent: Agent = {
      id,
      ownerId: its,
      isRegistered: false,
      isDeactivated: false,
      credentials: new Set(),
      asAgent: reportingOf({ kind: 'agent', id }, its),
      asOwner: reportingOf({ kind: 'owner', id: its }, its),
      accepted: 0,
      quarantined: 0,
      refused: 0,
    }
    agents.set(name, agent)
    return agent
  }

  /** As late as the line allows: what its owner's other agents did until then limits its score. */
  function registered(agent: Agent, now: number): Agent {
    if (!agent.isRegistered) {
      agent.isRegistered = true
      ingest.register(agent, now)
    }
    return agent
  }

  return {
    definePlatform(line) {
      const known = platforms.get(line.platform)
      if (known) {
        changePlatform(known, line)
      } else {
        addPlatform(line.platform, line.owner ?? null, line.verified ?? false)
      }
    },
    defineAgent({ agent: name, owner, at }, now) {
      const known = agents.get(name)
      if (known && owner !== null && ownerId(owner) !== known.ownerId) {
        throw new LineError(`${name} belongs to another owner. Give this agent another name.`)
      }
      if (known?.isDeactivated) {
        throw new LineError(`${name} is deactivated for good. Give the next agent another name.`)
      }
      const agent = known ?? addAgent(name, owner)
      if (at !== null) {
        registered(agent, now)
      }
    },
    agent: (name, now) => registered(agents.get(name) ?? addAgent(name, null), now),
    reporting(agent, by) {
      switch (by) {
        case 'self':
          return agent.asAgent
        case 'owner':
          return agent.asOwner
        default:
          return (platforms.get(by) ?? addPlatform(by, null, false)).reporting
      }
    },
    get counts() {
      return { agents: agents.size, platforms: platforms.size }
    },
  }
}

function newPlatform(id: string, ownerId: string | null, verified: boolean): Platform {
  const reporting = reportingOf({ kind: 'platform', id }, ownerId, verified)
  return { id, ownerId, reporting }
}

function reportingOf(
  reporter: Reporting['reporter'],
  reporterOwnerId: string | null,
  reporterVerified = false,
): Reporting {
  return { reporter, reporterOwnerId, reporterVerified }
}
