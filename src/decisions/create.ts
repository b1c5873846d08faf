import type { Log } from '../lib/log.ts'
import type { Sources } from '../lib/sources.ts'
import type { Store } from '../store/store.ts'
import { createDecisionLog, type DecisionLog } from './decision-log.ts'
import { createExperiences, type Experiences } from './experience.ts'

export interface DecisionsOptions extends Sources {
  readonly store: Store
  readonly log: Log
}

/** What decisions are made with, and where they are kept. */
export interface Decisions {
  readonly experiences: Experiences
  readonly decisionLog: DecisionLog
}

export function createDecisions(options: DecisionsOptions): Decisions {
  return {
    experiences: createExperiences(options),
    decisionLog: createDecisionLog({
      ...options,
      onError: (err) =>
        options.log.warn({ err }, 'the latest decisions of platforms were not stored'),
    }),
  }
}
