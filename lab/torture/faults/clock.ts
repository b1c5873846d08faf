import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS } from '../../../src/domain/time.ts'
import type { Fault } from '../fault.ts'

/**
 * Forward, back behind the start, by half a day, and back. Less than a day in all: after that a stored
 * response may be forgotten, as documented, and a repeated request is a new one.
 */
const OFFSETS_MS = [HOUR_MS, -HOUR_MS, 12 * HOUR_MS, 0]

/** The file that says by how much the clock of the service is wrong. */
let offsetFile = ''

/** The clock of the service jumps; that of the database does not, so that both disagree too. */
export const clock: Fault = {
  name: 'clock jumps',
  what: "the clock of the service's processes jumps by +1 h, −2 h, +13 h and −12 h",
  async prepare() {
    const dir = await mkdtemp(join(tmpdir(), 'standing-clock-'))
    offsetFile = join(dir, 'offset')
    await writeFile(offsetFile, '0')
    const preload = join(process.cwd(), 'lab/torture/shifted-clock.mjs')
    return {
      stage: {
        nodes: 'three',
        nodeArgs: ['--import', preload],
        env: { TORTURE_CLOCK_OFFSET: offsetFile },
      },
      remove: () => rm(dir, { recursive: true }),
    }
  },
  async strike({ round, load }) {
    await writeFile(offsetFile, String(OFFSETS_MS[round % OFFSETS_MS.length]))
    // The clock is read from the file ten times a second.
    await load.more(100)
  },
}
