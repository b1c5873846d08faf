import { describe, expect, test } from 'vitest'
import { send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'
import { newSigningAgent } from '../support/web-bot-auth.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { client: platform } = await newPlatform(at)

async function get(path: string, headers: Readonly<Record<string, string>> = {}, base = at.url) {
  const response = await fetch(base + path, { headers })
  return { response, text: await response.text() }
}

/** An agent that its owner has made public, with so many good reports. */
async function publicAgent(displayName: string, reports: number) {
  const owner = await newOwner(at)
  const { id } = await owner.client.agents.register({ displayName })
  await owner.client.agents.update(id, { publicProfile: true })
  const events = Array.from({ length: reports }, (_, i) => ({
    type: 'task.completed' as const,
    data: { duration: 1_000 + i * 37 },
  }))
  if (events.length > 0) {
    await platform.events.report(id, events)
  }
  return { id, owner: owner.client }
}

describe('a profile', () => {
  test('exists after the owner makes it public, and not after it is hidden again', async () => {
    const { agent, owner } = await newAgent(at)
    const seen = async () => {
      const page = await get(`/agents/${agent.id}`, { accept: 'text/html' })
      const json = await get(`/v1/agents/${agent.id}/profile`)
      return [page.response.status, json.response.status]
    }
    expect(agent.publicProfile).toBe(false)
    expect(await seen()).toEqual([404, 404])
    const shown = await owner.client.agents.update(agent.id, { publicProfile: true })
    expect(shown).toMatchObject({ publicProfile: true, displayName: agent.displayName })
    expect(await seen()).toEqual([200, 200])
    await owner.client.agents.update(agent.id, { publicProfile: false })
    expect(await seen()).toEqual([404, 404])
  })

  test('is 304 for a client that has it, until something of it changes', async () => {
    const { id, owner } = await publicAgent('Lasting', 1)
    const path = `/v1/agents/${id}/profile`
    const first = await get(path)
    const have = { 'if-none-match': first.response.headers.get('etag') ?? '' }
    expect((await get(path, have)).response.status).toBe(304)
    await owner.agents.update(id, { displayName: 'Renamed' })
    const renamed = await get(path, have)
    expect([renamed.response.status, JSON.parse(renamed.text).agent.displayName]).toEqual([
      200,
      'Renamed',
    ])
  })

  test('is changed only by the owner', async () => {
    const { agent, client } = await newAgent(at)
    const stranger = await newOwner(at)
    for (const other of [stranger.client, client]) {
      const refused = other.agents.update(agent.id, { publicProfile: true })
      await expect(refused).rejects.toMatchObject({ name: 'StandingError' })
    }
    expect((await get(`/agents/${agent.id}`)).response.status).toBe(404)
  })

  test('shows score, days, credentials and the owner, and neither e-mail nor metadata', async () => {
    const { id, owner } = await publicAgent('Atlas', 60)
    await owner.agents.update(id, { metadata: { secret: 'inside' } })
    const { id: credentialId } = await owner.credentials.issue({
      agentId: id,
      type: 'SecurityAudit',
      claims: {},
    })
    const profile = await at.anyone.agents.publicProfile(id)
    expect(profile.agent).toMatchObject({ id, displayName: 'Atlas', status: 'active' })
    expect(profile.score).toMatchObject({ agentId: id, confidence: 'medium' })
    expect(profile.days).toHaveLength(90)
    expect(profile.days.at(-1)).toMatchObject({ good: 61, bad: 0, isKnown: true })
    expect(profile.credentials).toMatchObject([{ id: credentialId, type: 'SecurityAudit' }])
    expect(profile.owner.agents).toBe(1)
    const { text } = await get(`/agents/${id}`)
    expect(text).toContain('<h1>Atlas</h1>')
    expect(text).toContain(`<span class="figure">${profile.score.score}</span>`)
    expect(text).toContain(`href="/verify/${credentialId}"`)
    for (const whole of [text, JSON.stringify(profile)]) {
      expect(whole).not.toMatch(/@example\.com|inside/)
    }
  })

  test('of an agent with little evidence says so, without any negative mark', async () => {
    const { id } = await publicAgent('Fern', 3)
    const { text } = await get(`/agents/${id}`)
    expect(text).toContain('Not enough data yet')
    expect(text).toContain('3 of 50 events')
    expect(text).toContain('That is no bad sign')
    expect(text).not.toContain('tier-word tier-untrusted')
  })

  test('escapes the text of an owner', async () => {
    const { id } = await publicAgent('<script>alert(1)</script>"', 0)
    const { text } = await get(`/agents/${id}`)
    expect(text).not.toContain('<script')
    expect(text).toContain('&#60;script&#62;')
  })

  test('of a suspended agent says so, and that of a deactivated one is removed', async () => {
    const { id, owner } = await publicAgent('Granite', 1)
    await at.operator.operator.setAgentStatus(id, { status: 'suspended', reason: 'asked' })
    expect((await get(`/agents/${id}`)).text).toContain('suspended by the operator')
    await owner.agents.deactivate(id)
    expect((await get(`/agents/${id}`)).response.status).toBe(404)
  })

  test('names a preview for other sites, and loads nothing from them', async () => {
    const { id } = await publicAgent('Quartz', 0)
    const { response, text } = await get(`/agents/${id}`)
    expect(text).toContain(`<meta property="og:image" content="${at.url}/agents/${id}/card.png">`)
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|https:/)
    const card = await fetch(`${at.url}/agents/${id}/card.png`)
    expect(card.headers.get('content-type')).toBe('image/png')
    const bytes = new Uint8Array(await card.arrayBuffer())
    expect([...bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10])
  })
})

describe('a badge', () => {
  test('does not require a public profile, as the score does not, and is labelled with its text', async () => {
    const { agent } = await newAgent(at)
    const { response, text } = await get(`/v1/agents/${agent.id}/badge.svg`)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(text).toMatch(/^<svg /)
    expect(text).toContain('not enough data')
    expect(text).toContain('stroke-dasharray')
    expect(Buffer.byteLength(text)).toBeLessThan(1_500)
  })

  test('is found by a name that the agent has proven, and by no other name', async () => {
    const { agent, host } = await newSigningAgent(at)
    const { text } = await get(`/v1/agents/${agent.id}/badge.svg?label=trust`)
    const named = await get(`/v1/badge.svg?identifier=${host.origin}/&label=trust`)
    expect(named.text).toBe(text)
    const { client } = await newAgent(at)
    await client.identifiers.claim((await client.agents.me()).id, {
      type: 'domain',
      value: 'claimed.example.com',
    })
    for (const [query, status] of [
      ['identifier=claimed.example.com', 404],
      ['identifier=nobody.example.com', 404],
      ['identifier=', 400],
      ['', 400],
      [`identifier=${host.origin}&style=round`, 400],
    ]) {
      expect([query, (await get(`/v1/badge.svg?${query}`)).response.status]).toEqual([
        query,
        status,
      ])
    }
  })

  test('accepts a style and a label, and refuses unknown styles', async () => {
    const { agent } = await newAgent(at)
    const path = `/v1/agents/${agent.id}/badge.svg`
    const label = 'Vertrauen für 1.0'
    const square = await get(`${path}?style=flat-square&label=${encodeURIComponent(label)}`)
    expect(square.text).toContain('rx="0"')
    expect(square.text).toContain(`aria-label="${label}: 100 of 1000`)
    for (const query of ['style=round', 'label=', 'label=%3Cb%3E', 'colour=red']) {
      expect([query, (await get(`${path}?${query}`)).response.status]).toEqual([query, 400])
    }
    expect((await get('/v1/agents/nobody/badge.svg')).response.status).toBe(400)
  })

  test.each([
    ['\u200b', 'must have a character that can be seen'],
    ['\u202etsurt', 'characters that reorder text'],
    ['a\u2066b', 'characters that reorder text'],
    ['a\u0085b', 'control characters'],
  ])('refuses a label that would show nothing or another text: %j', async (label, message) => {
    const { agent } = await newAgent(at)
    const path = `/v1/agents/${agent.id}/badge.svg?label=${encodeURIComponent(label)}`
    const { status, body } = await send(`${at.url}${path}`)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.message).toContain(message)
  })

  test('says that its agent is suspended or deactivated, in place of the tier', async () => {
    const { id, owner } = await publicAgent('Granite', 60)
    const path = `/v1/agents/${id}/badge.svg`
    const card = await get(`/agents/${id}/card.png`)
    await at.operator.operator.setAgentStatus(id, { status: 'suspended', reason: 'asked' })
    const suspended = await get(path)
    expect(suspended.text).toMatch(/aria-label="standing: suspended, \d+ of 1000/)
    expect(suspended.text).toContain('>suspended<')
    expect((await get(`/agents/${id}/card.png`)).text).not.toBe(card.text)
    expect((await get(`/agents/${id}`)).text).toMatch(
      /og:description" content="Suspended by the operator\. Trust score/,
    )
    await owner.agents.deactivate(id)
    const { text } = await get(path, {
      'if-none-match': suspended.response.headers.get('etag') ?? '',
    })
    expect(text).toMatch(/aria-label="standing: deactivated, \d+ of 1000/)
  })

  test('is 304 for a client that has it, until the score changes', async () => {
    const { id } = await publicAgent('Beacon', 0)
    const path = `/v1/agents/${id}/badge.svg`
    const first = await get(path)
    const etag = first.response.headers.get('etag') ?? ''
    expect(first.response.headers.get('cache-control')).toContain('max-age=300')
    expect((await get(path, { 'if-none-match': etag })).response.status).toBe(304)
    await platform.events.report(
      id,
      Array.from({ length: 60 }, (_, i) => ({
        type: 'task.completed' as const,
        data: { duration: i },
      })),
    )
    const changed = await get(path, { 'if-none-match': etag })
    expect(changed.response.status).toBe(200)
    expect(changed.text).not.toContain('not enough data')
  })
})

describe('the page that verifies a credential', () => {
  test('distinguishes valid, revoked and unknown credentials', async () => {
    const { id, owner } = await publicAgent('Courier', 0)
    const { id: credentialId } = await owner.credentials.issue({
      agentId: id,
      type: 'KycVerified',
      claims: { level: '<2>' },
    })
    const valid = await get(`/verify/${credentialId}`)
    expect(valid.text).toContain('verdict-fine')
    expect(valid.text).toContain(`<a href="/agents/${id}">Courier</a>`)
    expect(valid.text).not.toContain('<2>')
    expect(valid.response.headers.get('cache-control')).toBe('no-store')
    await owner.credentials.revoke(credentialId, 'Lost.')
    const revoked = await get(`/verify/${credentialId}`)
    expect(revoked.text).toContain('verdict-bad')
    expect(revoked.text).toContain('Lost.')
    for (const path of ['/verify/none', '/verify/01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e']) {
      expect((await get(path, { accept: 'text/html' })).response.status).toBe(404)
    }
  })

  test('does not name an agent without a public profile', async () => {
    const { agent, owner } = await newAgent(at)
    const { id } = await owner.client.credentials.issue({
      agentId: agent.id,
      type: 'Audit',
      claims: {},
    })
    const { text } = await get(`/verify/${id}`)
    expect(text).not.toContain(`href="/agents/`)
  })
})

describe('the leaderboard', () => {
  test('exists only if the operator enables it', async () => {
    expect((await get('/agents')).response.status).toBe(404)
  })

  test('lists public agents with enough data, the best first', async () => {
    const { url } = await at.node({ STANDING_LEADERBOARD: 'on' })
    const { id } = await publicAgent('Leader', 90)
    const { id: few } = await publicAgent('Newcomer', 5)
    const { agent: hidden } = await newAgent(at)
    const { text } = await get('/agents', {}, url)
    expect(text).toContain(`href="/agents/${id}"`)
    for (const other of [few, hidden.id]) {
      expect(text).not.toContain(other)
    }
  })
})
