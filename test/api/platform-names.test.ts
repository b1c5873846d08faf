import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal } from '../support/http.ts'
import {
  newAgent,
  newOwner,
  newPlatform,
  startService,
  type TestService,
} from '../support/service.ts'

let at: TestService

beforeAll(async () => {
  at = await startService()
})
afterAll(() => at.close())

test('an owner reads the name of the platform that reported an event, and nothing else about it', async () => {
  const { owner, agent } = await newAgent(at)
  const { client, platform } = await newPlatform(at)
  const { reporter } = await client.events.submit(agent.id, { type: 'task.completed' })
  const { id, name } = platform
  expect(await owner.client.events.platform(reporter.id)).toEqual({ id, name, mode: 'live' })
})

test('a platform reads its own record, with what its reports weigh', async () => {
  const { client, platform } = await newPlatform(at)
  const { apiKey: _, discarded: operatorOnly, ...record } = platform
  expect(operatorOnly).toBeNull()
  const own = await client.events.ownPlatform()
  expect(own).toEqual(record)
  expect(own).not.toHaveProperty('discarded')
  expect(await refusal(at.operator.events.ownPlatform())).toMatchObject({ status: 403 })
})

test('a platform is named to callers with a credential of the same mode', async () => {
  const { client } = await newOwner(at)
  const { platform } = await newPlatform(at)
  const testPlatform = await client.testData.createPlatform({ name: 'A test market' })
  expect((await at.operator.events.platform(testPlatform.id)).name).toBe('A test market')
  const answers = [
    at.anyone.events.platform(platform.id),
    client.events.platform(crypto.randomUUID()),
    client.events.platform(testPlatform.id),
  ]
  const refused = await Promise.all(answers.map(refusal))
  expect(refused.map(({ code }) => code)).toEqual([
    'AUTHENTICATION_REQUIRED',
    'NOT_FOUND',
    'FORBIDDEN',
  ])
})
