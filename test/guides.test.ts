import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Block, blocksOf, NPX, paste } from './support/pasted.ts'
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
  'database distribute': 'citus.test: it needs a cluster',
  'webhook listen --forward-to': 'cli/src/commands.test: it runs until it is stopped',
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

function isRunHere({ code }: Block): boolean {
  return !Object.keys(ELSEWHERE).some((part) => code.includes(part))
}

const BLOCKS = GUIDES.flatMap(blocksOf).filter(isRunHere)
const home = await mkdtemp(join(tmpdir(), 'standing-guides-'))
afterAll(() => rm(home, { recursive: true }))

/** As printed, but for the address of the service and the key that a person fills in. */
function asPasted(code: string, url: string): string {
  return code.replaceAll('http://127.0.0.1:8080', url).replace('avo_…', OPERATOR_KEY)
}

let answerTo: (place: number) => Answer

/** All of them are pasted into one shell, one after the other. */
async function pasteAll(url: string): Promise<void> {
  await symlink(join(ROOT, 'examples'), join(home, 'examples'))
  await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules'))
  await cp(join(ROOT, 'package.json'), join(home, 'package.json'))
  const scripts = BLOCKS.map(({ code }) => asPasted(code, url))
  answerTo = await paste(home, `${NPX}\nexec 2>&1`, scripts)
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
      const { code, said } = answerTo(i)
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

test('the score of the one-minute guide exists, and the platform’s report counts', () => {
  const all = BLOCKS.map((_, i) => answerTo(i).said).join('')
  expect(all).toMatch(/"score":1\d\d,"classification":"untrusted"/)
  expect(all).toMatch(/"type":"payment\.completed".*"isSelfReported":false/)
})
