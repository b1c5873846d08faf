import type { ServerResponse } from 'node:http'
import { Standing } from '@standing/sdk'
import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { holdLocks, lockAgent, RETRIED, waitForLocks } from '../support/hold-locks.ts'
import { startHost } from '../support/host.ts'
import { send } from '../support/http.ts'
import { CHALLENGE_PATH } from '../support/identifiers.ts'
import { newAgent, newOwner, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 3 })
afterAll(() => pool.end())
const other = await newOwner(at)

/** An agent on offer, and the function by which the other account accepts it. */
async function onOffer() {
  const { agent, owner } = await newAgent(at)
  const buyer = await newOwner(at)
  const { id } = await owner.client.transfers.offer(agent.id, { toOwnerId: buyer.owner.id })
  const accept = () => buyer.client.with({ retriesMax: 10 }).transfers.accept(id)
  return { agent, seller: owner.client, sellerToken: owner.token, buyerToken: buyer.token, accept }
}

type Seller = Awaited<ReturnType<typeof onOffer>>['seller']

test.each<[string, (seller: Seller, agentId: string) => Promise<unknown>]>([
  ['replace it by a successor', (seller, id) => seller.agents.registerSuccessor(id)],
  ['deactivate it', (seller, id) => seller.agents.deactivate(id)],
  ['rename it', (seller, id) => seller.agents.update(id, { displayName: 'sold' })],
  ['rotate its key', (seller, id) => seller.agents.rotateKey(id)],
  ['erase it', (seller, id) => seller.agents.erase(id)],
  [
    'issue a credential for it',
    (seller, agentId) => seller.credentials.issue({ agentId, type: 'Works', claims: { a: 1 } }),
  ],
  [
    'give up a name of it',
    async (seller, id) => {
      const value = `agent-${id}.example.com`
      const name = await seller.identifiers.claim(id, { type: 'domain', value })
      return seller.identifiers.delete(id, name.id)
    },
  ],
  ['offer it again', (seller, id) => seller.transfers.offer(id, { toOwnerId: other.owner.id })],
])('an owner whose agent is transferred at the same moment cannot %s', RETRIED, async (_, act) => {
  const { agent, seller, accept } = await onOffer()
  const unlock = await lockAgent(pool, agent.id)
  const accepting = accept()
  await waitForLocks(pool, 1, accepting)
  const acting = act(seller, agent.id)
  const refused = acting.then(
    () => null,
    (error: unknown) => error,
  )
  await waitForLocks(pool, 2, accepting, acting)
  await unlock()
  const { apiKey } = await accepting
  expect(await refused).toMatchObject({
    code: expect.stringMatching(/FORBIDDEN|SERVICE_UNAVAILABLE/),
  })
  const own = new Standing({ baseUrl: at.url, apiKey })
  expect(await own.agents.me()).toMatchObject({ status: 'active', displayName: 'agent' })
})

test(
  'a key that an owner gets just before the agent is transferred stops with it',
  RETRIED,
  async () => {
    const { agent, seller, accept } = await onOffer()
    const unlock = await holdLocks(pool, {
      text: 'select from api_keys where principal_id = $1 for update',
      values: [agent.id],
    })
    const rotating = seller.agents.rotateKey(agent.id)
    await waitForLocks(pool, 1, rotating)
    const accepting = accept()
    await waitForLocks(pool, 2, rotating, accepting)
    await unlock()
    const rotated = await rotating.catch(() => null)
    await accepting
    const former = new Standing({ baseUrl: at.url, apiKey: rotated?.apiKey ?? agent.apiKey })
    await expect(former.agents.me()).rejects.toMatchObject({ code: 'AUTHENTICATION_REQUIRED' })
  },
)

test.each(['agent', 'owner'] as const)(
  'a name that the %s proves while the agent is transferred is not proven by the former owner',
  async (kind) => {
    const host = await startHost()
    const { agent, seller, buyerToken, accept } = await onOffer()
    const former = kind === 'owner' ? seller : at.anyone.with({ apiKey: agent.apiKey })
    const claim = { type: 'domain', value: host.host } as const
    const { id, challenge } = await seller.identifiers.claim(agent.id, claim)
    const asked = new Promise<ServerResponse>((resolve) =>
      host.put(CHALLENGE_PATH, (_, response) => resolve(response)),
    )
    const refused = expect(former.identifiers.verify(agent.id, id)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'other_owner' },
    })
    const response = await asked
    await accept()
    response.end(challenge)
    await refused
    const buyer = at.anyone.with({ token: buyerToken })
    expect((await buyer.identifiers.list(agent.id)).data).toMatchObject([{ status: 'claimed' }])
  },
)

/** Listens to changes of status, and reads what came. */
async function listen(key: string) {
  const url = `${at.url}/v1/webhooks/listeners`
  const { body } = await send(url, { key, json: { events: ['agent.status_changed'] } })
  return async () => (await send(`${url}/${body.id}/notifications`, { key })).body.data
}

test(
  'if the operator suspends an agent while it is transferred, its new owner is notified, and not the former one',
  RETRIED,
  async () => {
    const { agent, sellerToken, buyerToken, accept } = await onOffer()
    const [toSeller, toBuyer] = await Promise.all([sellerToken, buyerToken].map(listen))
    const unlock = await lockAgent(pool, agent.id)
    const accepting = accept()
    await waitForLocks(pool, 1, accepting)
    const suspending = at.operator.operator.setAgentStatus(agent.id, {
      status: 'suspended',
      reason: 'under investigation',
    })
    await waitForLocks(pool, 2, accepting, suspending)
    await unlock()
    await accepting
    await suspending
    expect(await toBuyer?.()).toMatchObject([{ data: { agentId: agent.id, status: 'suspended' } }])
    expect(await toSeller?.()).toEqual([])
  },
)
