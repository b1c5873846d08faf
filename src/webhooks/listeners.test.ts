import { expect, test } from 'vitest'
import type { ListenerRow, Store } from '../store/store.ts'
import { readNotifications } from './listeners.ts'

test('nothing more is read for a client that has gone while it waited: the service may have stopped', async () => {
  let reads = 0
  let isGone = false
  const notifications: Pick<Store['notifications'], 'listFor'> = {
    async listFor() {
      reads += 1
      // Once the wait has begun.
      setImmediate(() => {
        isGone = true
      })
      return { rows: [], position: null }
    },
  }
  const reading = { position: null, limit: 10, waitSeconds: 5, isGone: () => isGone }
  const read = await readNotifications({ notifications } as Store, {} as ListenerRow, reading)
  expect(read.rows).toEqual([])
  expect(reads).toBe(1)
})
