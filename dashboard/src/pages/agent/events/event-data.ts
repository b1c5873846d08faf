import type { TrustEvent } from '../../../api/types.ts'
import { duration, money, number, share } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'

type Data = Readonly<Record<string, unknown>>

/** What an event says, in a few words: its figures with their units. */
export function dataWords({ data }: Pick<TrustEvent, 'data'>): string {
  return Object.entries(data)
    .filter(([name]) => !ELSEWHERE.has(name))
    .map(([name, value]) => wordOf(name, value, { ...data }))
    .filter((word) => word !== '')
    .join(' · ')
}

/** A currency goes with its amount; the id of a credential says nothing to a reader. */
const ELSEWHERE = new Set(['currency', 'credentialId'])

function wordOf(name: string, value: unknown, data: Data): string {
  if (typeof value === 'number') {
    return figureOf(name, value, data)
  }
  if (typeof value === 'boolean') {
    return `${name}: ${value}`
  }
  return typeof value === 'string' ? value : ''
}

function figureOf(name: string, value: number, data: Data): string {
  switch (name) {
    case 'duration':
    case 'responseTimeMs':
      return duration(value)
    case 'amount':
      return money(value, typeof data.currency === 'string' ? data.currency : 'USD')
    case 'daysLate':
      return t.value.events.daysLate(number(value, 1), value)
    case 'uptimePercentage':
      return share(value / 100, 2)
    default:
      return `${name}: ${number(value, 2)}`
  }
}
