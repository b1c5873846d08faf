import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR_KEY, startService } from './support/service.ts'

const ROOT = join(import.meta.dirname, '..')

/** The README first: the guides continue in its shell. */
const GUIDES = [
  'README.md',
  'docs/test-mode.md',
  'docs/marketplace.md',
  'docs/decisions.md',
  'docs/thresholds.md',
  'docs/gate.md',
  'docs/reviews.md',
  'docs/credentials.md',
  'docs/proofs.md',
  'docs/webhooks.md',
  'docs/identifiers.md',
  'docs/continuity.md',
  'docs/integrations.md',
  'docs/scale.md',
]

/** Blocks that are for another place, by a part of them, and where they are run. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'scripts/check-install',
  'npm ci && npm test': 'this run',
  'npm run demo': 'demo.test',
  'STANDING_DATA_DIR=/tmp/standing-replay npm start': 'cli/src/commands.test',
  'pgbouncer.internal': 'pooler.test: it needs a pooler and a replica',
  'webhooks listen --forward-to': 'cli/src/commands.test: it runs until it is stopped',
  'curl -N': 'api/event-stream.test: it runs until it is stopped',
  'score replay --all': 'cli/src/run.test: it opens the database',
}

/** What a block answers where the guide shows a refusal, by a part of the block. */
const REFUSED: Readonly<Record<string, string>> = {
  // A live key names test data.
  mode_mismatch: 'mode_mismatch',
  '"atLeast": "good"': 'score_too_low',
  // A new agent has too low a score for the default policy.
  '$URL/v1/gate': 'x-standing-decision: deny',
  // Nobody serves the challenge of example.com.
  'identifiers/$IDENTIFIER/verify -H "X-API-Key: $KEY"\n': 'VALIDATION_ERROR',
}

interface Block {
  readonly guide: string
  readonly code: string
}

function blocksOf(guide: string): readonly Block[] {
  const text = readFileSync(join(ROOT, guide), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => ({
    guide,
    code,
  }))
  return blocks.filter(({ code }) => !Object.keys(ELSEWHERE).some((part) => code.includes(part)))
}

const BLOCKS = GUIDES.flatMap(blocksOf)
const home = await mkdtemp(join(tmpdir(), 'standing-guides-'))
afterAll(() => rm(home, { recursive: true }))

/** As printed, but for the address of the service and the key that a person fills in. */
function asPasted(code: string, url: string): string {
  return code.replaceAll('http://127.0.0.1:8080', url).replace('avo_…', OPERATOR_KEY)
}

const answers = new Map<string, { readonly code: string; readonly said: string }>()

/** All of them are pasted into one shell, one after the other. */
async function pasteAll(url: string): Promise<void> {
  await symlink(join(ROOT, 'examples'), join(home, 'examples'))
  await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules'))
  await cp(join(ROOT, 'package.json'), join(home, 'package.json'))
  const pasted = BLOCKS.map(
    ({ code }, i) => `echo "@@@ ${i}"\n${asPasted(code, url)}\necho; echo "@@@ ended $?"\n`,
  )
  const npx = `npx() { shift; node '${ROOT}/scripts/standing.mjs' "$@"; }\n`
  await writeFile(join(home, 'pasted.sh'), `${npx}exec 2>&1\n${pasted.join('')}`)
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const out = await new Promise<string>((done) => {
    const options = { cwd: home, env, maxBuffer: 64 * 1024 ** 2 }
    execFile('bash', ['pasted.sh'], options, (_, stdout) => done(stdout))
  })
  for (const [, index = '', said = '', code = ''] of out.matchAll(
    /^@@@ (\d+)\n(.*?)^@@@ ended (\d+)$/gms,
  )) {
    answers.set(index, { code, said })
  }
}

/** A shell, and a process for each command in it. */
const PASTE_MS = 180_000

beforeAll(async () => {
  const { url } = await startService({ STANDING_RATE_LIMITS: 'off' })
  await pasteAll(url)
}, PASTE_MS)

describe('a block that is pasted from the guide works', () => {
  test.each(BLOCKS.map(({ guide, code }, i) => [guide, code.split('\n')[0] ?? '', i] as const))(
    '%s: %s',
    (_, __, i) => {
      const { code, said } = answers.get(String(i)) ?? { code: 'none', said: '' }
      const [, refusal] =
        Object.entries(REFUSED).find(([part]) => BLOCKS[i]?.code.includes(part)) ?? []
      expect(code, said).toBe('0')
      if (refusal === undefined) {
        expect(said).not.toMatch(/"error":\{|Error:|command not found|undefined/)
      } else {
        expect(said).toContain(refusal)
      }
    },
  )
})

test('the score of the one minute is there, and the report of the platform counts', () => {
  const all = [...answers.values()].map(({ said }) => said).join('')
  expect(all).toMatch(/"score":1\d\d,"classification":"untrusted"/)
  expect(all).toMatch(/"type":"payment\.completed".*"isSelfReported":false/)
})
