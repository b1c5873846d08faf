import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'
import type { Seeded } from '../demo/seed.ts'

const HOME = join(import.meta.dirname, '..', '..')

/** What the demo says of itself once it can be looked at. */
export interface Demo extends Seeded {
  readonly url: string
  readonly operatorKey: string
}

declare module 'vitest' {
  interface ProvidedContext {
    demo: Demo
  }
}

/** Enough for a history, a change for the worse and a recovery. */
const DAYS = '75'

/**
 * Starts the demo that most pages are looked at with. DEMO, the line that
 * a running one (`npm run demo`) has printed, saves the half minute while tests are written.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env.DEMO
  if (running) {
    project.provide('demo', JSON.parse(running) as Demo)
    return async () => {}
  }
  const demo = spawn(process.execPath, ['test/demo.mjs'], {
    cwd: HOME,
    env: { ...process.env, DAYS },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(demo, 'exit')
  for await (const line of createInterface({ input: demo.stdout })) {
    if (!line.startsWith('{"msg":"demo"')) {
      continue
    }
    project.provide('demo', JSON.parse(line) as Demo)
    break
  }
  if (demo.exitCode !== null) {
    throw new Error(`the demo ended with ${demo.exitCode}`)
  }
  return async () => {
    demo.kill('SIGTERM')
    await exited
  }
}
