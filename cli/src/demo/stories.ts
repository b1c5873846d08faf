/** The marketplaces of the demo. Mirror is run by friends of Mirror One, and no established platform confirms what it reports. */
export const MARKETS = {
  northwind: { name: 'Northwind Market', verified: true },
  harbor: { name: 'Harbor Exchange', verified: true },
  cobalt: { name: 'Cobalt Tasks', verified: true },
  mirror: { name: 'Mirror Exchange', verified: false },
} as const

export type Market = keyof typeof MARKETS

/** Of every account: only this machine can reach them, and they end with the demo. */
export const PASSWORD = 'correct horse battery staple'

/** The owners of the demo; Ada's account is the one to sign in with. */
export const OWNERS = {
  ada: { email: 'ada@example.com', name: 'Ada Lovelace' },
  marie: { email: 'marie@example.com', name: 'Marie Curie' },
  max: { email: 'max@example.com', name: 'Max Mirror' },
} as const

/** An agent by how it does. Days are counted back from today. */
export interface Story {
  readonly name: string
  readonly owner: keyof typeof OWNERS
  /** What the story shows. */
  readonly lesson: string
  readonly markets: readonly Market[]
  readonly since: number
  readonly until?: number
  readonly perDay: number
  /** The share of bad outcomes on a day, at a market. */
  readonly failing: (day: number, market: Market) => number
  /** The share of reports that are about payments. */
  readonly pays: number
  readonly isPublic?: boolean
}

const ALL: readonly Market[] = ['northwind', 'harbor', 'cobalt']
const TWO: readonly Market[] = ['northwind', 'harbor']

export const STORIES: readonly Story[] = [
  {
    name: 'Atlas Invoicing',
    owner: 'ada',
    lesson: 'honest for a year, at work and with money',
    markets: ALL,
    since: 364,
    perDay: 2.4,
    failing: () => 0.005,
    pays: 0.45,
    isPublic: true,
  },
  {
    name: 'Beacon Research',
    owner: 'ada',
    lesson: 'a bad month in the past, and the recovery',
    markets: ALL,
    since: 300,
    perDay: 2,
    failing: (day) => (day < 120 && day > 90 ? 0.35 : 0.02),
    pays: 0.3,
    isPublic: true,
  },
  {
    name: 'Courier Dispatch',
    owner: 'ada',
    lesson: 'careless: one task in eleven fails',
    markets: TWO,
    since: 240,
    perDay: 3,
    failing: () => 0.09,
    pays: 0.2,
    isPublic: true,
  },
  {
    name: 'Drift Translator',
    owner: 'marie',
    lesson: 'worked well for ten months; most tasks have failed for three weeks',
    markets: ALL,
    since: 330,
    perDay: 2,
    failing: (day) => (day < 21 ? 0.6 : 0.01),
    pays: 0.4,
    isPublic: true,
  },
  {
    name: 'Ember Scraper',
    owner: 'max',
    lesson: 'bad from the first day',
    markets: TWO,
    since: 60,
    perDay: 3,
    failing: () => 0.45,
    pays: 0.4,
  },
  {
    name: 'Fern Onboarding',
    owner: 'ada',
    lesson: 'new: little is known yet',
    markets: ['northwind'],
    since: 6,
    perDay: 3,
    failing: () => 0,
    pays: 0.2,
    isPublic: true,
  },
  {
    name: 'Granite Backup',
    owner: 'marie',
    lesson: 'good, and silent for six weeks',
    markets: TWO,
    since: 280,
    until: 45,
    perDay: 2,
    failing: () => 0.01,
    pays: 0.1,
  },
  {
    name: 'Juniper Legal',
    owner: 'marie',
    lesson: 'disputed: two markets praise it and one does not',
    markets: ALL,
    since: 200,
    perDay: 3,
    failing: (_day, market) => (market === 'harbor' ? 0.55 : 0.01),
    pays: 0.3,
    isPublic: true,
  },
  ...['Mirror One', 'Mirror Two', 'Mirror Three'].map(
    (name): Story => ({
      name,
      owner: 'max',
      lesson: 'colluding: praised by a market of friends alone',
      markets: ['mirror'],
      since: 90,
      perDay: 4,
      failing: () => 0,
      pays: 0.6,
    }),
  ),
]
