import { expect, onTestFinished, test } from 'vitest'
import type { Caller } from '../../domain/caller.ts'
import type { Store } from '../../store/store.ts'
import { createEventStreams } from './streams.ts'

/** A log without events: what the streams would send does not matter here. */
const store = { events: { list: async () => ({ rows: [], hasMore: false }) } } as unknown as Store

const followed = { agentId: 'a', reporterId: undefined, after: 0, isGap: false }

function ownerOf(ownerId: string): Caller {
  return { kind: 'agent', agentId: 'a', ownerId, tier: 'free' }
}

/** A node with room for four streams. */
function smallNode() {
  const changes = { subscribe: () => () => {}, isConnected: () => true }
  const streams = createEventStreams({
    store,
    changes,
    isValid: async () => true,
    onError: () => {},
    streamsMax: 4,
  })
  onTestFinished(streams.close)
  const ended: string[] = []
  return {
    ended,
    open(ownerId: string, name: string) {
      const body = streams.open({ caller: ownerOf(ownerId), credential: '' }, followed)
      void body.pipeTo(new WritableStream()).then(() => ended.push(name))
    },
  }
}

test('on a full node the oldest stream of the account with the most ends for an account with fewer', async () => {
  const { open, ended } = smallNode()
  open('greedy', 'first')
  open('modest', 'own')
  open('greedy', 'second')
  open('greedy', 'third')
  open('other', 'its')
  await expect.poll(() => ended).toEqual(['first'])
  // Two and one: to end one of two would only exchange them.
  expect(() => open('other', 'more')).toThrow('too many streams are open')
  open('third account', 'last')
  await expect.poll(() => ended).toEqual(['first', 'second'])
  expect(() => open('fourth account', 'none')).toThrow('too many streams are open')
})
