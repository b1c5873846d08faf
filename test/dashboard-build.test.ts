import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildDashboard } from '../dashboard/build.mjs'
import { readFiles } from '../src/startup/dashboard.ts'

/** As it was built for this run, of the same sources. */
const BUILT = join(import.meta.dirname, '../dashboard/dist')

/** The name and size of each file. */
async function filesIn(dist: string) {
  const files = await readFiles(dist)
  return new Map([...files].map(([path, { byteLength }]) => [path, byteLength]))
}

test('simultaneous starts that build the dashboard leave it complete at every moment', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'standing-dashboard-'))
  onTestFinished(() => rm(dist, { recursive: true }))
  await cp(BUILT, dist, { recursive: true })
  const whole = await filesIn(dist)
  expect([...whole.keys()]).toContain('index.html')
  expect(whole.size).toBeGreaterThan(5)

  let isOver = false
  const builds = Promise.all([buildDashboard(dist), buildDashboard(dist)]).finally(() => {
    isOver = true
  })
  while (!isOver) {
    expect(await filesIn(dist)).toEqual(whole)
  }
  await builds
  expect(await filesIn(dist)).toEqual(whole)
})
