import { expect, test } from 'vitest'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService()

test('an event that a platform reports moves the score and stands in the history', async () => {
  const { agent, standing } = await newAgent(at)
  const { standing: platform, platform: reporter } = await newPlatform(at)
  const event = await platform.events.submit(agent.id, {
    type: 'task.completed',
    data: { duration: 1200, success: true },
  })
  expect(event).toMatchObject({
    agentId: agent.id,
    type: 'task.completed',
    dimension: 'reliability',
    impact: 'positive',
    isSelfReported: false,
    reporter: { kind: 'platform', id: reporter.id },
    weight: 1,
    fraudFlags: [],
    isQuarantined: false,
    quarantineReason: null,
    attestationVerified: false,
    review: null,
  })
  const score = await at.anyone.score.get(agent.id)
  expect(score.score).toBeGreaterThan(100)
  expect(score).toMatchObject({
    eventCount: 1,
    evidence: { platformReported: 1, selfReported: 0, quarantined: 0 },
  })
  const history = await at.anyone.score.getHistory(agent.id)
  expect(history.data).toMatchObject([
    { score: score.score, trigger: { kind: 'event', id: event.id, type: 'task.completed' } },
  ])
  const own = await standing.events.list()
  expect(own.data).toEqual([event])
})
