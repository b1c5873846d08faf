import type { Model } from '../../../src/domain/model.ts'
import type { InMemoryIngest } from '../../../src/ingest/in-memory-ingest.ts'
import { newIngest } from '../ingest.ts'
import type { Planned } from './days.ts'

export interface Counts {
  accepted: number
  quarantined: number
  refused: number
}

/** An installation, and its twin without the attack. */
export interface Twins {
  readonly main: InMemoryIngest
  readonly twin: InMemoryIngest
  readonly both: readonly InMemoryIngest[]
  /** What became of the events in the installation. */
  readonly counts: Counts
  /** A platform of an owner, as established as `isVerified` says. */
  addPlatform(id: string, owner: string | null, isVerified: boolean): void
  platformsOf(owner: string): readonly string[]
  /** In both, at a time, with the agent that it acts for. */
  addAgent(agent: NewAgent, at: number): void
  /** In both or, for an event of the attack, in the installation alone. */
  report(event: Planned, at: number): void
}

interface NewAgent {
  readonly id: string
  readonly owner: string
  readonly parent?: string | null | undefined
}

interface Platform {
  readonly owner: string | null
  readonly isVerified: boolean
}

export function createTwins(model: Model): Twins {
  const [main, twin] = [newIngest({ model }), newIngest({ model })]
  const both = [main, twin]
  const platforms = new Map<string, Platform>()
  const counts: Counts = { accepted: 0, quarantined: 0, refused: 0 }

  function reportTo(ingest: InMemoryIngest, event: Planned, at: number): void {
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

  return {
    main,
    twin,
    both,
    counts,
    addPlatform(id, owner, isVerified) {
      platforms.set(id, { owner, isVerified })
      if (isVerified) {
        for (const ingest of both) {
          ingest.verify(id, true, owner)
        }
      }
    },
    platformsOf: (owner) =>
      [...platforms].filter(([, platform]) => platform.owner === owner).map(([id]) => id),
    addAgent({ id, owner, parent = null }, at) {
      for (const ingest of both) {
        ingest.register({ id, ownerId: owner, parentId: parent }, at)
      }
    },
    report(event, at) {
      reportTo(main, event, at)
      if (!event.isAttack) {
        reportTo(twin, event, at)
      }
    },
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
