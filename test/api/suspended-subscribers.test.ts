import { Standing } from '@standing/sdk'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startReceiver, startSlowReceiver } from '../support/receiver.ts'
import { newAgent, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const at = await startService()
const reporter = await newPlatform(at)

const report = async (agentId: string) =>
  (await reporter.client.events.submit(agentId, { type: 'task.completed' })).id

/** Resolves when a subscription of another account got what was reported after everything before. */
async function othersAreServed() {
  const receiver = await startReceiver()
  const { agent, owner } = await newAgent(at)
  await owner.client.webhooks.create({ url: receiver.url, events: ['event.ingested'] })
  await report(agent.id)
  await receiver.until(1)
}

test('a suspended owner gets nothing: what was queued before waits until the account is active, what happens meanwhile is never sent', async () => {
  const { receiver, release } = await startSlowReceiver()
  const { agent, owner } = await newAgent(at)
  const { webhooks } = owner.client
  await webhooks.create({ url: receiver.url, events: ['event.ingested'] })
  const listener = await webhooks.listen({ events: ['event.ingested'] })
  const before = [await report(agent.id), await report(agent.id), await report(agent.id)]
  await receiver.until(1)
  // At another node than that in which deliveries may wait.
  const second = await at.node()
  const { operator } = new Standing({ baseUrl: second.url, operatorKey: OPERATOR_KEY })
  await operator.updateOwner(owner.owner.id, { status: 'suspended' })
  await report(agent.id)
  await othersAreServed()
  release()
  await othersAreServed()
  expect(receiver.bodies.map(({ data }) => data.eventId)).toEqual(before.slice(0, 1))
  await operator.updateOwner(owner.owner.id, { status: 'active' })
  const expected = [...before, await report(agent.id)]
  await receiver.until(expected.length)
  expect(receiver.bodies.map(({ data }) => data.eventId)).toEqual(expected)
  await eventually(async () => {
    const { data } = await webhooks.notifications(listener.id)
    const received = data.map((one) => 'eventId' in one.data && one.data.eventId)
    expect(received).toEqual(expected)
  })
  await second.close()
})

test('a suspended platform gets nothing about the agents that it watches, until it is active again', async () => {
  const { setAgentStatus } = at.operator.operator
  const { agent } = await newAgent(at)
  const receiver = await startReceiver()
  const watcher = await newPlatform(at)
  await watcher.client.watches.add(agent.id)
  await watcher.client.webhooks.create({ url: receiver.url, events: ['agent.status_changed'] })
  await at.operator.operator.updatePlatform(watcher.platform.id, { status: 'suspended' })
  await setAgentStatus(agent.id, { status: 'suspended', reason: 'seen' })
  await othersAreServed()
  expect(receiver.posts).toEqual([])
  await at.operator.operator.updatePlatform(watcher.platform.id, { status: 'active' })
  await setAgentStatus(agent.id, { status: 'active', reason: 'seen' })
  await receiver.until(1)
  expect(receiver.bodies.map(({ data }) => data.status)).toEqual(['active'])
})
