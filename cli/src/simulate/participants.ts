import { ANCESTORS_MAX, CHILDREN_MAX } from '../../../src/domain/delegation.ts'
import type { InMemoryIngest } from '../../../src/ingest/in-memory-ingest.ts'
import type { Report } from '../../../src/ingest/report.ts'
import { type AgentLine, LineError, type PlatformLine } from './line.ts'

export interface Platform {
  readonly id: string
  readonly ownerId: string | null
  reporting: Reporting
}

export interface Agent {
  readonly id: string
  readonly ownerId: string
  /** The agent that it acts for. */
  readonly parent: Agent | null
  /** How many that are not deactivated act for it. */
  children: number
  isRegistered: boolean
  isDeactivated: boolean
  /** Living ones. */
  credentials: readonly string[]
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

/**
 * Ids are made here, so that no name of one participant is taken for that of another. They are short: V8
 * compares texts of less than 13 characters, which it never builds as two halves, in one step.
 */
export function createParticipants(ingest: InMemoryIngest): Participants {
  const platforms = new Map<string, Platform>()
  const agents = new Map<string, Agent>()
  const owners = new Map<string, string>()

  function ownerId(name: string): string {
    const id = owners.get(name) ?? `o${owners.size + 1}`
    owners.set(name, id)
    return id
  }

  function addPlatform(name: string, owner: string | null, verified: boolean): Platform {
    const id = `p${platforms.size + 1}`
    const platform = newPlatform(id, owner === null ? null : ownerId(owner), verified)
    platforms.set(name, platform)
    ingest.verify(id, verified, platform.ownerId)
    return platform
  }

  function changePlatform(known: Platform, { platform, owner, verified }: PlatformLine): void {
    const its = typeof owner === 'string' ? ownerId(owner) : owner
    if (its !== undefined && its !== known.ownerId) {
      throw new LineError(`${platform} is run by another owner. Give this platform another name.`)
    }
    const isVerified = verified ?? known.reporting.reporterVerified
    known.reporting = { ...known.reporting, reporterVerified: isVerified }
    ingest.verify(known.id, isVerified, known.ownerId)
  }

  function addAgent(name: string, owner: string | null, parent: Agent | null = null): Agent {
    const id = `a${agents.size + 1}`
    const its = parent?.ownerId ?? (owner === null ? `of-${id}` : ownerId(owner))
    const agent: Agent = {
      id,
      ownerId: its,
      parent,
      children: 0,
      isRegistered: false,
      isDeactivated: false,
      credentials: [],
      accepted: 0,
      quarantined: 0,
      refused: 0,
    }
    agents.set(name, agent)
    return agent
  }

  /** As the service takes it. */
  function parentOf(name: string, parentName: string, owner: string | null): Agent {
    if (name === parentName) {
      throw new LineError(`${name} cannot act for itself. Leave parent out.`)
    }
    const parent = agents.get(parentName) ?? addAgent(parentName, owner)
    if (owner !== null && ownerId(owner) !== parent.ownerId) {
      throw new LineError(`${parentName}, for which ${name} acts, belongs to another owner.`)
    }
    const isNew = !agents.has(name)
    checkParent(name, parentName, parent, isNew)
    if (isNew) {
      parent.children += 1
    }
    return parent
  }

  /** As late as the line allows: what its owner's other agents did until then limits its score. */
  function registered(agent: Agent, now: number): Agent {
    if (!agent.isRegistered) {
      agent.isRegistered = true
      const { id, ownerId, parent } = agent
      ingest.register({ id, ownerId, parentId: parent && registered(parent, now).id }, now)
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
    defineAgent({ agent: name, owner, parent: parentName, at }, now) {
      const known = agents.get(name)
      const parent = parentName === undefined ? null : parentOf(name, parentName, owner)
      if (known && parent !== null && known.parent !== parent) {
        throw new LineError(`${name} does not act for ${parentName}. Give this agent another name.`)
      }
      if (known && owner !== null && ownerId(owner) !== known.ownerId) {
        throw new LineError(`${name} belongs to another owner. Give this agent another name.`)
      }
      if (known?.isDeactivated) {
        throw new LineError(`${name} is deactivated permanently. Give the next agent another name.`)
      }
      const agent = known ?? addAgent(name, owner, parent)
      if (at !== null) {
        registered(agent, now)
      }
    },
    agent: (name, now) => registered(agents.get(name) ?? addAgent(name, null), now),
    reporting(agent, by) {
      switch (by) {
        case 'self':
          return reportingOf({ kind: 'agent', id: agent.id }, agent.ownerId)
        case 'owner':
          return reportingOf({ kind: 'owner', id: agent.ownerId }, agent.ownerId)
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

/** @throws LineError where no agent may act for this one, or no new one */
function checkParent(name: string, parentName: string, parent: Agent, isNew: boolean): void {
  if (parent.isDeactivated) {
    throw new LineError(`${parentName}, for which ${name} acts, is deactivated.`)
  }
  if (levelOf(parent) > ANCESTORS_MAX || (isNew && parent.children >= CHILDREN_MAX)) {
    throw new LineError(
      `${name} cannot act for ${parentName}: there are at most ${ANCESTORS_MAX} agents above one, and ` +
        `${CHILDREN_MAX} children.`,
    )
  }
}

/** How many agents there are from this one up. */
function levelOf({ parent }: Agent): number {
  return parent === null ? 1 : 1 + levelOf(parent)
}
