import { UserError } from '../lib/user-error.ts'
import type { Get } from './values.ts'

/** Days for which each is kept; null keeps it without limit. */
export interface RetentionSettings {
  /** Free text in events, and the names that reporters gave them. */
  readonly texts: number | null
  readonly audit: number | null
  /** Notifications and their deliveries. */
  readonly deliveries: number
  /** Events that are not archived; nothing of an archived event is lost. */
  readonly archive: number | null
  /** All snapshots; of older ones the last of each day is kept, and a year later of each week. */
  readonly snapshots: number | null
}

type Kind = keyof RetentionSettings

/**
 * The fewest days of each. A public profile shows the last 90 days, which are counted before events are
 * archived; changes of the last 30 days are explained from one snapshot to another.
 */
const DAYS_MIN: Readonly<Record<Kind, number>> = {
  texts: 1,
  audit: 1,
  deliveries: 1,
  archive: 91,
  snapshots: 31,
}

const DEFAULTS: RetentionSettings = {
  texts: null,
  audit: null,
  // As docs/webhooks.md says.
  deliveries: 30,
  archive: null,
  snapshots: null,
}

/** `texts=365,archive=180`. What is not named has its default. @throws UserError */
export function retentionSettings(get: Get): RetentionSettings {
  const days = new Map<Kind, number>()
  for (const part of get('STANDING_RETENTION')?.split(',') ?? []) {
    const [, name, number] = /^\s*([a-z]+)=(\d{1,5})\s*$/.exec(part) ?? []
    const kind = KINDS.find((one) => one === name)
    if (kind === undefined || days.has(kind)) {
      throw new UserError(
        `STANDING_RETENTION must name each of ${KINDS.join(', ')} once at most, ` +
          `with its days: texts=365,audit=730,archive=180. This is not so: "${part.trim()}".`,
      )
    }
    const least = DAYS_MIN[kind]
    if (Number(number) < least) {
      throw new UserError(
        `STANDING_RETENTION: ${kind} must be at least ${least} ${least === 1 ? 'day' : 'days'}.`,
      )
    }
    days.set(kind, Number(number))
  }
  return { ...DEFAULTS, ...Object.fromEntries(days) }
}

const KINDS = Object.keys(DAYS_MIN) as readonly Kind[]
