import list from '../../../docs/price-list.json' with { type: 'json' }
import { ESTABLISHED } from '../../fraud/establishment.ts'

/** What the cheapest attack of each goal was found to cost, for an installation such as this one. */
export function pricesHere(established: number, counterpartiesNamed: number | null) {
  const orders = counterpartiesNamed === 1 ? 'orders-named' : 'orders'
  const own = established < ESTABLISHED.installationMin ? 'own-new' : 'own'
  return list.rows
    .filter(({ attacker }) => [orders, own, 'bribed-1', 'bribed-2', 'bribed-3'].includes(attacker))
    .map(({ goal, attacker, outcome }) => ({
      goal,
      attacker,
      cost: outcome && {
        accounts: outcome.accounts,
        fees: outcome.dollars,
        days: outcome.days,
        reports: outcome.events,
      },
    }))
}
