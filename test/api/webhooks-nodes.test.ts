import { Standing } from '@standing/sdk'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startReceiver, startSlowReceiver } from '../support/receiver.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService()
const { platform } = await newPlatform(at)

const reporterAt = (baseUrl: string) => new Standing({ baseUrl, apiKey: platform.apiKey })

/** An owner with agents, and a subscription to what is taken in about them. */
async function subscribed(agentsMax: number) {
  const receiver = await startReceiver()
  const { agent, owner } = await newAgent(at)
  const others = Array.from({ length: agentsMax - 1 }, () => newAgent(at, owner))
  const agents = [agent, ...(await Promise.all(others)).map((other) => other.agent)]
  const { webhooks } = owner.client
  const hook = await webhooks.create({ url: receiver.url, events: ['event.ingested'] })
  const undelivered = async () => (await webhooks.deliveries(hook.id, { status: 'pending' })).data
  return { receiver, agents, undelivered }
}

/** Reports on each agent in turns over several nodes; the events of each agent, in their order. */
async function report(urls: readonly string[], agents: readonly { id: string }[], each: number) {
  const reporters = urls.map(reporterAt)
  const events = new Map<string, string[]>()
  await Promise.all(
    agents.map(async ({ id }) => {
      const own: string[] = []
      events.set(id, own)
      for (let i = 0; i < each; i++) {
        const reporter = reporters[i % reporters.length] as Standing
        own.push((await reporter.events.submit(id, { type: 'task.completed' })).id)
      }
    }),
  )
  return events
}

test('two nodes on one database send each notification once, in the order of its agent', async () => {
  const second = await at.node()
  const { receiver, agents } = await subscribed(6)
  const events = await report([at.url, second.url], agents, 20)
  await receiver.until(120)
  expect(new Set(receiver.bodies.map(({ id }) => id)).size).toBe(120)
  for (const [agentId, ids] of events) {
    const received = receiver.bodies.filter(({ data }) => data.agentId === agentId)
    expect(received.map(({ data }) => data.eventId)).toEqual(ids)
  }
  await second.close()
})

test('a node that is closed during deliveries loses nothing, and repeats no finished delivery', async () => {
  const second = await at.node()
  const { receiver, agents, undelivered } = await subscribed(6)
  const unanswered: (() => void)[] = []
  receiver.answer((response) => {
    if (receiver.posts.length < 10) {
      response.end()
    } else {
      unanswered.push(() => response.end())
    }
  })
  const reported = report([at.url], agents, 10)
  await receiver.until(12)
  const closed = second.close()
  receiver.answer((response) => response.end())
  for (const respond of unanswered) {
    respond()
  }
  await closed
  await reported
  await receiver.until(60)
  await eventually(async () => expect(await undelivered()).toEqual([]))
  expect(receiver.posts).toHaveLength(60)
  expect(new Set(receiver.bodies.map(({ id }) => id)).size).toBe(60)
})

test('deliveries that wait when the last node closes are sent by the next one to start', async () => {
  const own = await startService()
  const { agent, owner } = await newAgent(own)
  const { client } = await newPlatform(own)
  const receiver = await startReceiver()
  let letGo = () => {}
  receiver.answer((response) => {
    letGo = () => response.end()
  })
  await owner.client.webhooks.create({ url: receiver.url, events: ['event.ingested'] })
  for (let i = 0; i < 3; i++) {
    await client.events.submit(agent.id, { type: 'task.completed' })
  }
  await receiver.until(1)
  const closed = own.service.close()
  receiver.answer((response) => response.end())
  letGo()
  await closed
  expect(receiver.posts).toHaveLength(1)
  await own.node()
  await receiver.until(3)
  expect(new Set(receiver.bodies.map(({ id }) => id)).size).toBe(3)
})

test('a subscription that is moved at one node gets nothing more of another at the old address', async () => {
  const { receiver, release } = await startSlowReceiver()
  const moved = await startReceiver()
  const { agent, owner } = await newAgent(at)
  const { webhooks, policies, decisions } = owner.client
  const { id } = await webhooks.create({ url: receiver.url, events: ['event.ingested'] })
  const decide = async () => (await decisions.decide({ agentId: agent.id, policy: 'own' })).decision
  await policies.put('own', { minScore: 0 })
  expect(await decide()).toBe('allow')
  const others = Array.from({ length: 3 }, () => newAgent(at, owner))
  const agents = [agent, ...(await Promise.all(others)).map((other) => other.agent)]
  await report([at.url], agents, 1)
  // Of a new subscription two deliveries are sent at a time; the others wait in the node.
  await receiver.until(2)
  const second = await at.node()
  const client = new Standing({ baseUrl: second.url, token: owner.token })
  await client.webhooks.update(id, { url: moved.url })
  // The first node learns of changes in their order: where it knows this one, it knows the one before.
  await client.policies.put('own', { minScore: 1000 })
  await eventually(async () => expect(await decide()).toBe('deny'))
  release()
  await moved.until(2)
  const all = [...receiver.bodies, ...moved.bodies].map(({ data }) => data.agentId)
  expect(all.toSorted()).toEqual(agents.map((one) => one.id).toSorted())
  await second.close()
})
