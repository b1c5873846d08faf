import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openHere } from './here.ts'
import { madeOnce } from './once.ts'

/**
 * A data directory as a first start leaves it: with an empty database and its key. It is a copy of one
 * that is made once, as initialising takes a second of a core.
 */
export async function createDataDir(dataDir: string): Promise<void> {
  const template = await madeOnce('data', async (dir) => {
    await (await openHere({ STANDING_DATA_DIR: dir })).close()
  })
  await promisify(execFile)('cp', ['-a', template, dataDir])
}
