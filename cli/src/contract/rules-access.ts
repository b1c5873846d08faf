import { check, idIn, JWT, objectIn, pageIn, refused, succeeded, textIn } from './answer.ts'
import type { Rule } from './rules.ts'

export const accessRules: readonly Rule[] = [
  {
    section: 'Endpoint 1',
    rule: 'registering an owner returns a JWT',
    run: async ({ newOwner }) => void (await newOwner()),
  },
  {
    section: 'Endpoint 2',
    rule: 'signing in returns a JWT',
    async run({ send, newOwner }) {
      const { email, password } = await newOwner()
      textIn(await send('POST', '/v1/auth/login', { body: { email, password } }), JWT, 'a JWT')
    },
  },
  {
    section: 'Authentication 3',
    rule: 'a missing credential is AUTHENTICATION_REQUIRED, 401',
    async run({ send }) {
      refused(await send('GET', '/v1/agents'), 401, 'AUTHENTICATION_REQUIRED')
    },
  },
  {
    section: 'Authentication 3',
    rule: 'a wrong key and a wrong token are AUTHENTICATION_REQUIRED, 401',
    async run({ send }) {
      const wrong = { 'x-api-key': `avs_${'0'.repeat(38)}` }
      refused(
        await send('GET', '/v1/agents/me', { headers: wrong }),
        401,
        'AUTHENTICATION_REQUIRED',
      )
      const token = { authorization: 'Bearer eyJh.eyJz.c2ln' }
      refused(await send('GET', '/v1/agents', { headers: token }), 401, 'AUTHENTICATION_REQUIRED')
    },
  },
  {
    section: 'Authentication 3',
    rule: 'a credential without access is FORBIDDEN, 403',
    async run({ send, newAgent }) {
      const { headers } = await newAgent()
      const call = { headers, body: { displayName: 'not mine to register' } }
      refused(await send('POST', '/v1/agents', call), 403, 'FORBIDDEN')
    },
  },
  {
    section: 'Authentication 1',
    rule: 'an API key may be sent as Authorization: Bearer',
    async run({ send, newAgent }) {
      const { headers, id } = await newAgent()
      const bearer = { authorization: `Bearer ${headers['x-api-key']}` }
      const answer = await send('GET', '/v1/agents/me', { headers: bearer })
      check(idIn(answer) === id, `the agent ${id}`, answer)
    },
  },
  {
    section: 'Authentication 2',
    rule: 'the key of an agent is returned once, when it is registered',
    async run({ send, newAgent }) {
      const { id, headers, owner } = await newAgent()
      for (const path of ['/v1/agents/me', `/v1/agents/${id}`]) {
        const answer = succeeded(await send('GET', path, { headers }))
        check(!JSON.stringify(answer.body).includes('avs_'), 'no API key', answer)
      }
      const list = await send('GET', '/v1/agents', { headers: owner.headers })
      check(!JSON.stringify(list.body).includes('avs_'), 'no API key', list)
    },
  },
  {
    section: 'Endpoint 4',
    rule: 'an owner lists the own agents, and no others',
    async run({ send, newAgent }) {
      const [mine, other] = [await newAgent(), await newAgent()]
      const answer = await send('GET', '/v1/agents', { headers: mine.owner.headers })
      const ids = pageIn(answer).items.map(({ id }) => id)
      check(ids.includes(mine.id) && !ids.includes(other.id), `only ${mine.id}`, answer)
    },
  },
  {
    section: 'Endpoint 6',
    rule: 'an agent reads the profile of an agent by its id',
    async run({ send, newAgent }) {
      const { id, headers } = await newAgent()
      const answer = await send('GET', `/v1/agents/${id}`, { headers })
      check(idIn(answer) === id, `the agent ${id}`, answer)
    },
  },
  {
    section: 'Endpoint 7',
    rule: 'an owner updates the display name and the metadata',
    async run({ send, newAgent }) {
      const { id, owner, headers } = await newAgent()
      const body = { displayName: 'renamed', metadata: { team: 'billing' } }
      succeeded(await send('PATCH', `/v1/agents/${id}`, { body, headers: owner.headers }))
      const answer = succeeded(await send('GET', '/v1/agents/me', { headers }))
      const text = JSON.stringify(answer.body)
      check(text.includes('"renamed"') && text.includes('"billing"'), 'what was updated', answer)
    },
  },
  {
    section: 'Endpoint 8',
    rule: 'an owner deactivates an agent',
    async run({ send, newAgent }) {
      const { id, owner } = await newAgent()
      succeeded(await send('DELETE', `/v1/agents/${id}`, { headers: owner.headers }))
    },
  },
  {
    section: 'Payloads',
    rule: 'a write that is repeated with its Idempotency-Key returns the first response',
    async run({ send, newOwner }) {
      const { headers } = await newOwner()
      const call = {
        body: { displayName: 'once' },
        headers: { ...headers, 'idempotency-key': `contract-${Date.now()}` },
      }
      const first = succeeded(await send('POST', '/v1/agents', call))
      const again = succeeded(await send('POST', '/v1/agents', call))
      check(idIn(again) === idIn(first), `the agent ${idIn(first)} again`, again)
      const list = await send('GET', '/v1/agents', { headers })
      check(pageIn(list).items.length === 1, 'one agent', list)
    },
  },
  {
    section: 'Payloads',
    rule: 'pages follow each other by nextCursor, and each item is on one of them',
    async run({ send, newOwner, newAgent }) {
      const owner = await newOwner()
      for (let i = 0; i < 3; i++) {
        await newAgent(owner)
      }
      const seen: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null && seen.length < 10) {
        const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const answer = await send('GET', `/v1/agents?limit=1${query}`, { headers: owner.headers })
        const page = pageIn(answer)
        check(page.items.length <= 1, 'at most one item', answer)
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      }
      const answer = await send('GET', '/v1/agents', { headers: owner.headers })
      check(seen.length === 3 && new Set(seen).size === 3, 'three agents, each once', answer)
    },
  },
  {
    section: 'Payloads',
    rule: 'a limit of 100 is taken',
    async run({ send, newOwner }) {
      const { headers } = await newOwner()
      pageIn(await send('GET', '/v1/agents?limit=100', { headers }))
    },
  },
  {
    section: 'Errors',
    rule: 'a body that is no JSON is VALIDATION_ERROR, 400',
    async run({ send, newOwner }) {
      const { headers } = await newOwner()
      refused(await send('POST', '/v1/agents', { text: '{', headers }), 400, 'VALIDATION_ERROR')
    },
  },
  {
    section: 'Errors',
    rule: 'a path that does not exist is NOT_FOUND, 404',
    async run({ send }) {
      refused(await send('GET', '/v1/nothing'), 404, 'NOT_FOUND')
    },
  },
  {
    section: 'Endpoints 24 to 26',
    rule: 'an owner creates, lists and deletes a webhook subscription',
    async run({ send, newOwner }) {
      const { headers } = await newOwner()
      const body = { url: 'https://example.com/hooks', events: ['score.changed'] }
      const id = idIn(await send('POST', '/v1/webhooks', { body, headers }))
      const ids = async () => {
        const answer = succeeded(await send('GET', '/v1/webhooks', { headers }))
        const items = Object.values(objectIn(answer.body)).find((value) => Array.isArray(value))
        return { answer, ids: ((items ?? []) as { id: string }[]).map((one) => one.id) }
      }
      const listed = await ids()
      check(listed.ids.includes(id), `the subscription ${id}`, listed.answer)
      succeeded(await send('DELETE', `/v1/webhooks/${id}`, { headers }))
      const left = await ids()
      check(!left.ids.includes(id), `no subscription ${id}`, left.answer)
    },
  },
]
