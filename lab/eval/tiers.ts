import { tierMin } from '../../src/domain/tiers.ts'

/** The lowest score of each tier. */
export const EXCELLENT = tierMin('excellent')
export const GOOD = tierMin('good')
export const FAIR = tierMin('fair')
export const POOR = tierMin('poor')
