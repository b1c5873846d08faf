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

const SNIPPETS = snippetsOf('sdk/README.md')
for (const [i, code] of SNIPPETS.entries()) {
  await project.write(`snippet-${i}.js`, code)
}

/** One process for all of them: what each prints, or how it failed. */
const RUN_ALL = `
  const all = []
  let lines = []
  const { log } = console
  console.log = (...words) => lines.push(words.join(' '))
  for (let i = 0; i < ${SNIPPETS.length}; i++) {
    lines = []
    await import('./snippet-' + i + '.js').catch((error) => lines.push('failed: ' + error.stack))
    all.push(lines.join('\\n'))
  }
  log(JSON.stringify(all))`
await project.write('run-all.js', RUN_ALL)
const out: readonly string[] = JSON.parse(
  await project.node('run-all.js', [], env, ['--import', './given.js']),
)

describe('each snippet of the README runs', () => {
  const printed: Readonly<Record<number, RegExp>> = {
    1: /^\d+ of 1000: untrusted, with low confidence$/,
    5: /^no such agent \(request .+\)$/,
    8: /^true$/,
    9: /^512$/,
  }
  test.each(SNIPPETS.map((_, n) => n + 1))('%i', (n) => {
    expect(out[n - 1]?.trim()).toMatch(printed[n] ?? /^$/)
  })
})

test('the README names every method of every group', async () => {
  const text = await readFile('sdk/README.md', 'utf8')
  const groups = Object.entries(new Standing({ baseUrl: 'http://127.0.0.1' }))
  expect(groups).toHaveLength(18)
  const missing = groups.flatMap(([group, methods]) => {
    const from = text.indexOf(`| \`${group}\` | as`)
    const table = text.slice(from, text.indexOf('\n\n', from))
    const names = Object.keys(methods).filter((name) => !table.includes(`\`${name}(`))
    return names.map((name) => `${group}.${name}`)
  })
  expect(missing).toEqual([])
})
