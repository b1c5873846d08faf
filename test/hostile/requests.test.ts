import { afterAll, expect, test } from 'vitest'
import { below, type Chance, chanceOf, pick } from '../../src/domain/testing/chance.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { drawn } from '../support/cases.ts'
import { awkward, generated, mutated } from '../support/generate.ts'
import { type Described, OPERATIONS } from '../support/operations.ts'
import { inTurns } from '../support/refusals.ts'
import { startService } from '../support/service.ts'
import { CALLERS, createWorld, type World } from '../support/world.ts'

/** `npm run fuzz` makes many more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? drawn(1_200))
const SEED = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31)

/** So many requests leave little of what a world was made of: accounts are erased, keys revoked. */
const REQUESTS_PER_WORLD = 400

/** No operation takes a tenth of it; a client that waits for more has met a hang. */
const ANSWER_MAX_MS = 30_000

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 1 })
afterAll(() => pool.end())

/** A stream of events ends when its client leaves. */
const ANSWERED = OPERATIONS.filter(({ path }) => !path.endsWith('/stream'))

/** Of the caller, the parameters, the headers and the body each is right, nearly right or wrong. */
function requestOf(world: World, operation: Described, chance: Chance) {
  const example = below(chance, Math.max(1, operation.examples.length))
  const { url, init } = world.request(operation, {
    example,
    query: queryOf(operation, chance),
    params: paramsOf(operation, chance),
  })
  const caller = chance() < 0.3 ? world.headers[pick(chance, CALLERS)] : {}
  const headers = { ...init.headers, ...caller, ...headersOf(operation, chance) }
  const body = typeof init.body === 'string' ? bodyOf(operation, init.body, chance) : undefined
  return { url, init: { ...init, headers, ...(body !== undefined && { body }) } }
}

function queryOf({ parameters }: Described, chance: Chance): Record<string, string> {
  const asked = parameters.filter((one) => one.in === 'query' && chance() < 0.5)
  return Object.fromEntries(
    asked.map(({ name, schema }) => {
      // To wait for what never comes is no hang.
      const value = name === 'waitSeconds' ? pick(chance, [0, 1]) : generated(schema, chance)
      return [name, asText(value)]
    }),
  )
}

function paramsOf({ parameters }: Described, chance: Chance): Record<string, string> {
  const wrong = parameters.filter((one) => one.in === 'path' && chance() < 0.2)
  return Object.fromEntries(
    wrong.map(({ name }) => {
      const value = chance() < 0.5 ? crypto.randomUUID() : asText(awkward(chance))
      return [name, encodeURIComponent(value.slice(0, 300)) || '-']
    }),
  )
}

/** Lone surrogates have no form in a URL. */
function asText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(
    /[\ud800-\udfff]/gu,
    '\ufffd',
  )
}

function headersOf({ parameters }: Described, chance: Chance): Record<string, string> {
  const headers: Record<string, string> = {}
  if (chance() < 0.3) {
    headers['idempotency-key'] = pick(chance, [`key-${below(chance, 50)}`, '"quoted"', '', '\xff'])
  }
  if (parameters.some(({ name }) => name === 'If-None-Match') && chance() < 0.3) {
    headers['if-none-match'] = pick(chance, ['*', '"a", W/"b"', '"', ','])
  }
  if (chance() < 0.05) {
    headers['content-type'] = pick(chance, ['text/plain', 'application/json; charset=utf-16', ''])
  }
  if (chance() < 0.05) {
    headers.accept = pick(chance, [
      'text/html',
      'application/json;q=0',
      '*/*;q=',
      'a'.repeat(4_000),
    ])
  }
  return headers
}

function bodyOf({ bodySchema }: Described, example: string, chance: Chance): string {
  const turn = chance()
  if (turn < 0.3) {
    return example
  }
  if (turn < 0.65) {
    return JSON.stringify(mutated(JSON.parse(example), chance))
  }
  if (turn < 0.95 && bodySchema) {
    return JSON.stringify(generated(bodySchema, chance))
  }
  return pick(chance, [
    '',
    '{',
    'null',
    '[]',
    '{"a":1,"a":2}',
    '['.repeat(500),
    '{"a":1e400}',
    example.slice(1),
    JSON.stringify(awkward(chance)),
  ])
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** A busy machine may refuse a request for now, with the time after which it can be sent again. */
const ATTEMPTS_MAX = 5

async function answerTo(url: string, init: RequestInit): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const { isForNow, ...answer } = await fetch(url, {
      ...init,
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    })
      .then(async (one) => ({
        status: one.status,
        text: await one.text(),
        isForNow: one.status === 503 && one.headers.has('retry-after'),
      }))
      .catch((error: unknown) => ({ status: 599, text: String(error), isForNow: false }))
    if (!isForNow || attempt === ATTEMPTS_MAX) {
      return answer
    }
  }
}

test(`${REQUESTS} generated requests get no 5xx, none hangs, and each response matches the document`, async () => {
  const wrong: string[] = []
  const statuses = new Map<number, number>()
  for (let first = 0; first < REQUESTS; first += REQUESTS_PER_WORLD) {
    // Invitations are limited even where requests are not: each world sends some by mail.
    await pool.query('delete from login_failures')
    await pool.query("delete from installation where name = 'issuing_halt'")
    const world = await createWorld(at)
    const count = Math.min(REQUESTS_PER_WORLD, REQUESTS - first)
    await inTurns([...Array(count).keys()], async (i) => {
      const chance = chanceOf(SEED + first + i)
      const operation = pick(chance, ANSWERED)
      const { url, init } = requestOf(world, operation, chance)
      // Some are sent twice at the same time, as by a person who clicks twice.
      const times = chance() < 0.3 ? 2 : 1
      const answers = Array.from({ length: times }, () => answerTo(url, init))
      for (const { status, text } of await Promise.all(answers)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        // A generated request may halt the issuing of credentials; others are then refused rightly.
        if (status >= 500 && !text.includes('"reason":"issuing_halted"')) {
          const seed = SEED + first + i
          wrong.push(`seed ${seed}: ${operation.name} ${status} ${text} to ${init.body}`)
        }
      }
    })
    await world.close()
  }
  expect(wrong, `PROPERTY_SEED=${SEED}`).toEqual([])
  // Requests that never come through would show nothing.
  const accepted = [...statuses].filter(([status]) => status < 300)
  const sum = (of: readonly (readonly [number, number])[]) => of.reduce((all, [, n]) => all + n, 0)
  const share = sum(accepted) / sum([...statuses])
  expect(share).toBeGreaterThan(0.1)
}, 3_600_000)
