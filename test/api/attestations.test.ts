import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AgentCard } from '@a2a-js/sdk'
import { compactVerify, importJWK } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { newAgent, newPlatform, startService } from '../support/service.ts'
import { newSigningAgent } from '../support/web-bot-auth.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { client: platform } = await newPlatform(at)

/** An agent that has proven an address, with reports. */
async function newKnownAgent() {
  const { agent, host } = await newSigningAgent(at)
  const events = Array.from({ length: 20 }, () => ({ type: 'task.completed' as const }))
  await platform.events.report(agent.id, events)
  return { agent, host }
}

const directory = await mkdtemp(join(tmpdir(), 'standing-attestation-'))
afterAll(() => rm(directory, { recursive: true }))

// biome-ignore lint/suspicious/noExplicitAny: documents of standards have no types here
const getJson = async (path: string): Promise<any> => (await fetch(at.url + path)).json()

const payloadOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())

describe('an attestation', () => {
  test('is a credential with the score and the proven names, verified with the published keys', async () => {
    const { agent, host } = await newKnownAgent()
    const score = await at.anyone.score.get(agent.id)
    const { attestation, subject, expiresAt } = await at.anyone.score.getAttestation(agent.id)
    const { keys } = await getJson('/.well-known/jwks.json')
    const { protectedHeader, payload } = await compactVerify(attestation, async ({ kid }) =>
      importJWK(keys.find((key: { kid: string }) => key.kid === kid)),
    )
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'vc+jwt' })
    const claims = JSON.parse(Buffer.from(payload).toString())
    expect(claims).toMatchObject({
      type: ['VerifiableCredential', 'StandingAttestation'],
      credentialSubject: subject,
    })
    expect(claims.exp * 1000 - claims.nbf * 1000).toBe(3_600_000)
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(claims.exp * 1000)
    expect(subject).toMatchObject({
      agentId: agent.id,
      status: 'active',
      score: score.score,
      classification: score.classification,
      identifiers: [host.origin],
    })
  })

  test('is only the token for clients that ask for it', async () => {
    const { agent } = await newAgent(at)
    const headers = { accept: 'application/vc+jwt' }
    const response = await fetch(`${at.url}/v1/agents/${agent.id}/attestation`, { headers })
    expect(response.headers.get('content-type')).toBe('application/vc+jwt')
    expect(payloadOf(await response.text()).credentialSubject.agentId).toBe(agent.id)
  })

  test('of an agent that does not exist is NOT_FOUND', async () => {
    const nobody = at.anyone.score.getAttestation(crypto.randomUUID())
    await expect(nobody).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('an agent card that carries an attestation', () => {
  const run = promisify(execFile)

  async function node(name: string, ...args: readonly string[]) {
    const env = { PATH: process.env.PATH, STANDING_URL: at.url }
    return run(process.execPath, [`examples/${name}`, ...args], { env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    )
  }

  async function file(name: string, value: unknown): Promise<string> {
    const path = join(directory, name)
    await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value))
    return path
  }

  const plainCard = (url: string) => ({
    name: 'Shop',
    description: 'Sells.',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, extensions: [] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  })

  test('is made by one example and checked offline by the other', async () => {
    const { agent, host } = await newKnownAgent()
    const card = await file('card.json', plainCard(`${host.origin}/a2a`))
    const did = await file('did.json', await getJson('/.well-known/did.json'))
    const made = await node('agent-card.mjs', agent.id, card)
    const parsed = AgentCard.fromJSON(JSON.parse(made.stdout))
    expect(parsed.capabilities?.extensions).toMatchObject([
      { uri: 'urn:standing:a2a:attestation:1', required: false },
    ])
    const carrying = await file('carrying.json', made.stdout)
    const trusted = await node('verify-attestation.mjs', carrying, did, '100')
    expect(trusted.stdout).toMatch(/^trusted: Shop has a score of \d+ /)
    const low = await node('verify-attestation.mjs', carrying, did, '1000')
    expect(low.stderr).toMatch(/its score is \d+/)
    const other = { ...JSON.parse(made.stdout), ...plainCard('https://other.example.com/a2a') }
    const { extensions } = JSON.parse(made.stdout).capabilities
    const copied = await file('copied.json', { ...other, capabilities: { extensions } })
    const theirs = await node('verify-attestation.mjs', copied, did, '100')
    expect(theirs.stderr).toContain('the agent has not proven other.example.com')
    const [extension] = extensions
    const [head, body, signature] = extension.params.attestation.split('.')
    const claims = payloadOf(extension.params.attestation)
    const better = { ...claims, credentialSubject: { ...claims.credentialSubject, score: 1000 } }
    const encoded = Buffer.from(JSON.stringify(better)).toString('base64url')
    expect(body).not.toBe(encoded)
    const forged = {
      ...JSON.parse(made.stdout),
      capabilities: {
        extensions: [{ ...extension, params: { attestation: `${head}.${encoded}.${signature}` } }],
      },
    }
    const changed = await node('verify-attestation.mjs', await file('forged.json', forged), did)
    expect(changed.stderr).toContain('a wrong signature')
    const later = 'data:text/javascript,const n=Date.now;Date.now=()=>n()+7.2e6'
    const args = ['--import', later, 'examples/verify-attestation.mjs', carrying, did]
    const stale = await run(process.execPath, args).catch((error: { stderr: string }) => error)
    expect(stale.stderr).toContain('not in force')
  })
})
