import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { TIERS_OF_SERVICE } from '../src/domain/limits.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
const written = (limit: number | null) => limit?.toLocaleString('en-US') ?? 'unlimited'

test('docs/operating.md has the limits of the code', () => {
  for (const [tier, limits] of Object.entries(TIERS_OF_SERVICE)) {
    const { requestsPerMinute, lookupsPerMonth, agentsMax } = limits
    const row = [requestsPerMinute, lookupsPerMonth, agentsMax].map(written).join(' | ')
    expect(page).toContain(`| \`${tier}\` | ${row} |`)
  }
  const { eventsPerAgentHour, eventsPerPlatformHour } = readConfig({})
  expect(page).toContain(`${written(eventsPerAgentHour)} events of one reporter`)
  expect(page).toContain(`${written(eventsPerPlatformHour)} from one platform`)
})

test('docs/operating.md says of each table what bounds it', () => {
  const migrations = join(import.meta.dirname, '../src/store/migrations')
  const sql = readdirSync(migrations).map((name) => readFileSync(join(migrations, name), 'utf8'))
  const tables = [...sql.join('').matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(
    ([, name = '']) => name,
  )
  const [, section = ''] = /### What bounds each table\n(.*?)\n## /s.exec(page) ?? []
  const named = [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  expect(named.toSorted()).toEqual(tables.toSorted())
})
