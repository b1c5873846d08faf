import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  newAgent,
  newOwner,
  newPlatform,
  PASSWORD,
  startService,
} from '../../test/support/service.ts'
import { Standing } from '../src/index.ts'
import { createProject } from './project.ts'
import { notification, snippetsOf, WEBHOOK_SECRET } from './snippets.ts'

const at = await startService()
const project = await createProject('code')
const owner = await newOwner(at)
const { agent } = await newAgent(at, owner)
const { d, x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const { platform } = await newPlatform(at, { publicKey: x })
const { jwt } = await owner.client.credentials.issue({
  agentId: agent.id,
  type: 'Audit',
  claims: { grade: 'A' },
})

/** The names that the README uses without defining them. */
const given = {
  agentId: agent.id,
  email: owner.email,
  password: PASSWORD,
  token: owner.token,
  jwt,
  signingKey: { kty: 'OKP', crv: 'Ed25519', d, x },
  ...notification(),
}
await project.write('given.js', `Object.assign(globalThis, ${JSON.stringify(given)})`)
const env = { STANDING_URL: at.url, PLATFORM_KEY: platform.apiKey, WEBHOOK_SECRET }

describe('each snippet of the README runs', () => {
  const printed: Readonly<Record<number, RegExp>> = {
    1: /^\d+ of 1000: untrusted, with low confidence$/,
    5: /^no such agent \(request .+\)$/,
    8: /^true$/,
    9: /^512$/,
  }
  test.each(snippetsOf('sdk/README.md').map((code, n) => [n + 1, code] as const))(
    '%i',
    async (n, code) => {
      await project.write(`snippet-${n}.js`, code)
      const out = await project.node(`snippet-${n}.js`, [], env, ['--import', './given.js'])
      expect(out.trim()).toMatch(printed[n] ?? /^$/)
    },
  )
})

test('the README names every method of every group', async () => {
  const text = await readFile('sdk/README.md', 'utf8')
  const groups = Object.entries(new Standing({ baseUrl: 'http://127.0.0.1' }))
  expect(groups).toHaveLength(16)
  const missing = groups.flatMap(([group, methods]) => {
    const from = text.indexOf(`| \`${group}\` | as`)
    const table = text.slice(from, text.indexOf('\n\n', from))
    const names = Object.keys(methods).filter((name) => !table.includes(`\`${name}(`))
    return names.map((name) => `${group}.${name}`)
  })
  expect(missing).toEqual([])
})
