import { expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService()

test('what happens to an agent is told, signed, in order', async () => {
  const receiver = await startReceiver()
  const { agent, owner } = await newAgent(at)
  const { standing: platform } = await newPlatform(at)
  const webhook = await owner.standing.webhooks.create({ url: receiver.url, events: ['*'] })
  receiver.secrets.push(webhook.secret)
  for (let i = 0; i < 5; i++)
    await platform.events.submit(agent.id, { type: 'task.completed', data: { success: true } })
  await receiver.until(10)
  expect(receiver.bodies.filter(({ type }) => type === 'event.ingested')).toHaveLength(5)
})
