import { randomUUID } from 'node:crypto'
import { type Answer, check, idIn, lists, objectIn, refused, succeeded } from './answer.ts'
import type { Rule } from './rules.ts'
import type { World } from './world.ts'

async function issued({ send, newAgent }: World) {
  const { id: agentId, owner } = await newAgent()
  const { headers } = owner
  const body = { agentId, type: 'SecurityAudit', claims: { grade: 'A' } }
  const id = idIn(await send('POST', '/v1/credentials', { body, headers }))
  return { id, agentId, headers }
}

const isValid = (answer: Answer) => objectIn(succeeded(answer).body).valid === true

export const credentialRules: readonly Rule[] = [
  {
    section: 'Endpoints 18 and 20',
    rule: 'an owner issues a credential, which anyone reads',
    async run(world) {
      const { id } = await issued(world)
      const answer = await world.send('GET', `/v1/credentials/${id}`)
      check(idIn(answer) === id, `the credential ${id}`, answer)
    },
  },
  {
    section: 'Endpoint 19',
    rule: 'an owner lists the credentials of an agent',
    async run(world) {
      const { id, agentId, headers } = await issued(world)
      const answer = await world.send('GET', `/v1/credentials?agentId=${agentId}`, { headers })
      lists(answer, id, 'credential')
    },
  },
  {
    section: 'Endpoint 21',
    rule: 'an owner verifies a credential by its id',
    async run(world) {
      const { id, headers } = await issued(world)
      const answer = await world.send('POST', `/v1/credentials/${id}/verify`, { headers })
      check(isValid(answer), 'valid true', answer)
    },
  },
  {
    section: 'Endpoint 22',
    rule: 'anyone verifies a credential',
    async run(world) {
      const { id } = await issued(world)
      const body = { credentialId: id }
      const answer = await world.send('POST', '/v1/credentials/verify', { body })
      check(isValid(answer), 'valid true', answer)
    },
  },
  {
    section: 'Endpoint 23',
    rule: 'a revoked credential no longer verifies',
    async run(world) {
      const { id, headers } = await issued(world)
      succeeded(await world.send('DELETE', `/v1/credentials/${id}`, { headers }))
      const body = { credentialId: id }
      const answer = await world.send('POST', '/v1/credentials/verify', { body })
      check(!isValid(answer), 'valid false', answer)
    },
  },
  {
    section: 'Endpoint 18',
    rule: 'an owner cannot issue a credential to an agent of another',
    async run(world) {
      const { agentId } = await issued(world)
      const { headers } = await world.newOwner()
      const body = { agentId, type: 'SecurityAudit', claims: {} }
      const answer = await world.send('POST', '/v1/credentials', { body, headers })
      check(answer.status === 403 || answer.status === 404, 'FORBIDDEN or NOT_FOUND', answer)
    },
  },
  {
    section: 'Errors',
    rule: 'a credential that does not exist is NOT_FOUND, 404',
    async run({ send }) {
      refused(await send('GET', `/v1/credentials/${randomUUID()}`), 404, 'NOT_FOUND')
    },
  },
]
