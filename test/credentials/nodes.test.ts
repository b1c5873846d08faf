import { describe, expect, test } from 'vitest'
import { send } from '../support/http.ts'
import { inTurns } from '../support/refusals.ts'
import { newAgent, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const others = [await at.node(), await at.node()].map(({ url }) => url)
const { agent, owner } = await newAgent(at)

describe('on three nodes', () => {
  test('a verification that begins after the response to a revocation never returns valid (A15)', async () => {
    const { credentials } = owner.client
    const issued = await Promise.all(
      // More than a node has connections: none may wait for another while it holds one.
      Array.from({ length: 24 }, () =>
        credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} }),
      ),
    )
    const verify = async (node: string, proof: object) => {
      const { body } = await send(`${node}/v1/credentials/verify`, { json: proof })
      return body.valid as boolean
    }
    const heldBefore: boolean[] = []
    const heldAfter: boolean[] = []
    await inTurns(issued, async ({ id, jwt }) => {
      const proofs = others.flatMap((node) => [
        () => verify(node, { jwt }),
        () => verify(node, { credentialId: id }),
      ])
      const ask = () => Promise.all(proofs.map((one) => one()))
      heldBefore.push(...(await ask()))
      await credentials.revoke(id)
      heldAfter.push(...(await ask()))
    })
    expect(heldBefore).toEqual(Array(issued.length * 4).fill(true))
    expect(heldAfter).toEqual(Array(issued.length * 4).fill(false))
  })

  test('keys are rotated in use without a refused request (A17)', async () => {
    let { apiKey } = agent
    let isDone = false
    const refused: number[] = []
    let served = 0
    const callers = [at.url, ...others, ...others].map(async (node) => {
      while (!isDone) {
        const { status } = await send(`${node}/v1/agents/me`, { key: apiKey })
        if (status === 200) {
          served++
        } else {
          refused.push(status)
        }
      }
    })
    for (let i = 0; i < 10; i++) {
      apiKey = (await owner.client.agents.rotateKey(agent.id, { overlapSeconds: 60 })).apiKey
    }
    isDone = true
    await Promise.all(callers)
    expect(refused).toEqual([])
    expect(served).toBeGreaterThan(10)
  })
})
