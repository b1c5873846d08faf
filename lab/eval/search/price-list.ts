/** The price list: what attacks cost that the search found, as a file of rows and as tables of pages. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODEL_VERSION, type Model } from '../../../src/domain/model.ts'
import { modelFingerprint } from '../../../src/domain/model-fingerprint.ts'
import { sha256 } from '../../../src/ingest/digest.ts'
import { base64url } from '../../../src/lib/base64url.ts'
import { markdown, plain, type Table, writeSection } from '../../report.ts'
import { ATTACKERS, GOALS } from './attacker.ts'
import type { Plan } from './plan.ts'
import { ACCOUNT_PRICE, type Outcome } from './play.ts'
import { search } from './search.ts'

export interface PriceList {
  /** The day on which it was made, the model, its figures, and how long was searched. */
  readonly date: string
  readonly modelVersion: string
  readonly figures: string
  readonly seed: number
  /** Plans played for each row. */
  readonly budget: number
  readonly rows: readonly PriceRow[]
}

export interface PriceRow {
  readonly goal: string
  readonly attacker: string
  /** Null where no plan reached the goal. */
  readonly plan: Plan | null
  readonly outcome: Outcome | null
}

const PRICE_FILE = join('docs', 'price-list.json')
const PAGE = join('docs', 'attacks.md')
const README = 'README.md'
const SECTION = 'prices'

/** A digest of all figures of a model: a list of other figures is out of date. */
export function figuresOf(model: Model): string {
  return base64url(sha256(modelFingerprint(model))).slice(0, 16)
}

export function makePriceList(
  model: Model,
  options: { readonly seed: number; readonly budget: number; readonly date: string },
  onRow: (row: PriceRow) => void = () => {},
): PriceList {
  const rows = GOALS.flatMap((goal) =>
    ATTACKERS.map((attacker): PriceRow => {
      const { seed, budget } = options
      const found = search({ attacker, goal, model, seed, budget: attacker.budgets * budget })
      const row = {
        goal: goal.name,
        attacker: attacker.name,
        plan: found?.plan ?? null,
        outcome: found?.outcome ?? null,
      }
      onRow(row)
      return row
    }),
  )
  return { ...options, modelVersion: MODEL_VERSION, figures: figuresOf(model), rows }
}

function priceTable({ rows }: Pick<PriceList, 'rows'>): Table {
  return {
    head: [
      'goal',
      'what the attacker has',
      'established platforms bribed',
      'own platforms admitted',
      'days',
      'reports',
      'accounts',
      'fees in $',
      'with accounts in $',
      'limit bought in $',
    ],
    rows: GOALS.flatMap((goal) =>
      ATTACKERS.flatMap((attacker, i) => {
        const row = rows.find((one) => one.goal === goal.name && one.attacker === attacker.name)
        const first = i === 0 ? goal.label : ''
        return row ? [[first, attacker.label, ...cellsOf(attacker.bribed, row)]] : []
      }),
    ),
  }
}

function cellsOf(bribed: number, { goal, outcome }: PriceRow): readonly string[] {
  if (!outcome) {
    return [String(bribed), '', 'not found', '', '', '', '', '']
  }
  const { ownPlatforms, days, events, accounts, dollars, exposureLimit } = outcome
  const limit = goal === 'ruin' ? '' : String(exposureLimit ?? 'none')
  const counts = [bribed, ownPlatforms, days, events, accounts].map(String)
  const inAll = dollars + ACCOUNT_PRICE * accounts
  return [...counts, dollars.toFixed(2), inAll.toFixed(2), limit]
}

/** The whole table, as docs/attacks.md has it. */
export function longBlock(list: PriceList): string {
  return `${sourceOf(list)}\n\n${markdown(priceTable(list))}`
}

/** The lines that say most, as the README has them. */
export function shortBlock(list: PriceList): string {
  const shown = ['orders', 'orders-named', 'bribed-1', 'bribed-2', 'built-1']
  const rows = list.rows.filter(({ attacker }) => shown.includes(attacker))
  return `${sourceOf(list)}\n\n${markdown(priceTable({ rows }))}`
}

function sourceOf({ date, modelVersion, seed, budget }: PriceList): string {
  return (
    `Found on ${date} by \`npm run attack\` with model ${modelVersion}: seed ${seed}, ` +
    `${budget} plans played for each line, and ${2 * budget} for orders.`
  )
}

export function printable(list: PriceList): string {
  return `${sourceOf(list)}\n\n${plain(priceTable(list))}`
}

export function writePriceList(list: PriceList): void {
  writeFileSync(PRICE_FILE, `${JSON.stringify(list, null, 2)}\n`)
  writeSection(PAGE, SECTION, longBlock(list))
  writeSection(README, SECTION, shortBlock(list))
}

export function readPriceList(): PriceList {
  return JSON.parse(readFileSync(PRICE_FILE, 'utf8')) as PriceList
}
