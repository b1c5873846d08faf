import type { EventData as CurrentData } from '../../src/domain/event.ts'

export { EVENT_TYPES, type EventType, type Severity } from '../../src/domain/event.ts'

/** Event data with the two fields that name a kind of work. */
export interface EventData extends CurrentData {
  /** 1 easy to 3 hard, as the reporter says. Its effect is learnt, not declared. */
  readonly difficulty?: 1 | 2 | 3 | undefined
  readonly taskClass?: string | undefined
}
