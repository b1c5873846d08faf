import { expect, test } from 'vitest'
import { eachAgent } from './each-agent.ts'

const PARTS = [['a', 'b'], ['c']]

test('an agent whose work fails is reported, and the agents behind it have their turn', async () => {
  const done: string[] = []
  const failures: unknown[] = []
  const work = async (agentId: string) => {
    if (agentId === 'a') {
      throw new Error('locked')
    }
    done.push(agentId)
  }
  const failed = await eachAgent(PARTS, work, {
    isStopping: () => false,
    onFailed: (error, agentId) => failures.push([agentId, error]),
  })
  expect(failed).toBe(1)
  expect(done).toEqual(['b', 'c'])
  expect(failures).toEqual([['a', new Error('locked')]])
})

test('no agent is begun after a stop, and no ids are read', async () => {
  const done: string[] = []
  const work = async (agentId: string) => done.push(agentId)
  const onFailed = () => expect.fail('nothing fails')
  await eachAgent(PARTS, work, { isStopping: () => done.length === 1, onFailed })
  expect(done).toEqual(['a'])
  async function* unread() {
    yield expect.fail('ids were read')
  }
  await eachAgent(unread(), work, { isStopping: () => true, onFailed })
})
