import type { Bound } from './bound.ts'
import { BURSTS } from './bursts.ts'
import { CIRCUMSTANCES } from './circumstances.ts'
import { COUNTERPARTIES } from './counterparties.ts'
import { DELEGATION } from './delegation.ts'
import { FIGURES } from './figures.ts'
import { HANDOVERS } from './handovers.ts'
import { HONEST } from './honest.ts'
import { MANY_PLATFORMS } from './many-platforms.ts'
import { MINORITY } from './minority.ts'
import { MONITORS } from './monitors.ts'
import { OWN_ORDERS } from './own-orders.ts'
import { OWNERS } from './owners.ts'
import { PRAISED } from './praise.ts'
import { PROBLEMS_ONLY } from './problems-only.ts'
import { REVOCATIONS } from './revocations.ts'
import { TAUGHT_WORK } from './taught-work.ts'
import { WEIGHTLESS } from './weightless.ts'

/** In the order of their rows. */
export const BOUNDS: readonly Bound[] = [
  ...MINORITY,
  ...PRAISED,
  ...WEIGHTLESS,
  ...HONEST,
  ...CIRCUMSTANCES,
  ...FIGURES,
  ...OWNERS,
  ...COUNTERPARTIES,
  ...HANDOVERS,
  ...DELEGATION,
  ...MANY_PLATFORMS,
  ...TAUGHT_WORK,
  ...PROBLEMS_ONLY,
  ...REVOCATIONS,
  ...OWN_ORDERS,
  ...MONITORS,
  ...BURSTS,
].sort((a, b) => Number(a.row) - Number(b.row))
