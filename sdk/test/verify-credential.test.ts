import { describe, expect, it as test } from 'vitest'
import { newAgent, startService } from '../../test/support/service.ts'

const at = await startService()
const { agent, owner } = await newAgent(at)
const input = { agentId: agent.id, type: 'Audit', claims: { grade: 'A' } }
const credential = await owner.client.credentials.issue(input)
const { verify } = at.anyone.credentials

describe('a credential can be verified by anyone', () => {
  test('by its id, in upper or lower case, and by its token', async () => {
    for (const shown of [credential.id, credential.id.toUpperCase(), credential.jwt]) {
      expect(await verify(shown)).toMatchObject({ valid: true, claims: { grade: 'A' } })
    }
  })

  test('and text that is not a credential is invalid, not an error', async () => {
    const cut = credential.jwt.slice(0, -4)
    for (const shown of [cut, 'a.b.c', 'nonsense', `${credential.id}x`]) {
      expect(await verify(shown)).toMatchObject({ valid: false, status: 'invalid', claims: null })
    }
  })

  test('and an unknown id is an error', async () => {
    const none = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
    await expect(verify(none)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
