import { execFileSync } from 'node:child_process'
import { pause } from '../../src/lib/pause.ts'

/** What was killed keeps its files open for a moment. */
const TRIES = 100
const EVERY_MS = 50

export function mount(...args: readonly string[]): void {
  execFileSync('mount', args)
}

export async function unmount(mountPoint: string): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return void execFileSync('umount', [mountPoint], { stdio: 'pipe' })
    } catch (error) {
      if (left === 0) {
        throw error
      }
      await pause(EVERY_MS)
    }
  }
}
