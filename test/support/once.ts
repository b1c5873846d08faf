import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { eventually } from './eventually.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A directory of this run, removed at its end. */
    shared: string
  }
}

/** A new directory, removed with the run. It may be one in memory, from which no program may run. */
export function newDirectory(prefix: string): Promise<string> {
  return mkdtemp(join(inject('shared'), prefix))
}

/**
 * The directory of a name, made once for the whole run by the worker that asks first. What takes long to
 * make, and what nothing changes, is shared by all test files.
 */
export async function madeOnce(
  name: string,
  make: (dir: string) => Promise<void>,
): Promise<string> {
  const dir = join(inject('shared'), name)
  const turn = `${dir}.turn`
  while (!existsSync(dir)) {
    if (await takes(turn)) {
      try {
        await makeWhole(dir, make)
      } finally {
        await rm(turn, { recursive: true })
      }
    } else {
      await eventually(() => expect(existsSync(turn)).toBe(false))
    }
  }
  return dir
}

async function takes(turn: string): Promise<boolean> {
  return mkdir(turn).then(
    () => true,
    () => false,
  )
}

/** Under another name until it is whole. */
async function makeWhole(dir: string, make: (dir: string) => Promise<void>): Promise<void> {
  if (existsSync(dir)) {
    return
  }
  const draft = `${dir}.${randomUUID()}`
  await mkdir(draft)
  await make(draft)
  await rename(draft, dir)
}
