import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildDashboard } from '../dashboard/build.mjs'
import { readFiles } from '../src/startup/dashboard.ts'

/** The name and size of each file. */
async function filesIn(dist: string) {
  const files = await readFiles(dist)
  return new Map([...files].map(([path, { byteLength }]) => [path, byteLength]))
}

test('starts that build the dashboard at the same time leave it whole at every moment', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'standing-dashboard-'))
  onTestFinished(() => rm(dist, { recursive: true }))
  await buildDashboard(dist)
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
