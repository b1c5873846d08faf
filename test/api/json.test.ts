import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inTurns } from '../support/refusals.ts'
import { newAgent, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { agent, owner } = await newAgent(at)
const headers = {
  authorization: `Bearer ${owner.token}`,
  'content-type': 'application/json',
}

const file = join(import.meta.dirname, '../vectors/public/json-test-suite.json')
const all = (JSON.parse(readFileSync(file, 'utf8')) as [string, string, string][]).map(
  ([verdict, name, base64]) => ({ verdict, name, bytes: Buffer.from(base64, 'base64') }),
)

/** JSON allows NUL in text, PostgreSQL does not, and so neither do we. */
const WITH_NUL = ['y_object_escaped_null_in_key', 'y_string_null_escape']

interface Answered {
  readonly status: number
  readonly body: {
    readonly metadata?: { readonly v: unknown }
    readonly error?: {
      readonly message: string
      readonly details: { readonly issues: readonly { code: string }[] }
    }
  }
}

async function put(bytes: Uint8Array): Promise<Answered> {
  const url = `${at.url}/v1/agents/${agent.id}`
  const response = await fetch(url, { method: 'PATCH', headers, body: bytes })
  return { status: response.status, body: (await response.json()) as Answered['body'] }
}

function within(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('{"metadata":{"v":'), bytes, Buffer.from('}}')])
}

async function found(verdict: string, check: (one: (typeof all)[number]) => Promise<string[]>) {
  const wrong: string[] = []
  const cases = all.filter((one) => one.verdict === verdict)
  expect(cases.length).toBeGreaterThan(30)
  await inTurns(cases, async (one) => {
    wrong.push(...(await check(one)))
  })
  return wrong
}

test('an object of more than 4,096 members is refused before it is parsed, at any depth', async () => {
  const object = (members: number) =>
    `{${Array.from({ length: members }, (_, i) => `"${i.toString(36)}":0`).join(',')}}`
  const put = async (text: string) => {
    const url = `${at.url}/v1/agents/${agent.id}`
    const body = `{"metadata":${text}}`
    const response = await fetch(url, { method: 'PATCH', headers, body })
    return [response.status, await response.text()]
  }
  expect((await put(object(1_500)))[0]).toBe(200)
  const tooMany = expect.stringContaining('has an object of more than 4096 members')
  for (const text of [object(4_097), object(25_000), `{"a":[${object(4_097)}]}`]) {
    expect(await put(text)).toEqual([400, tooMany])
  }
  // Refused for their size alone.
  const tooLarge = [400, expect.stringContaining('16384 bytes')]
  expect(await put(object(4_096))).toEqual(tooLarge)
  expect(await put(`{"a":[${object(2_500)},${object(2_500)}]}`)).toEqual(tooLarge)
})

describe('a body that is not JSON is refused', () => {
  test.each([
    ['{"a": x}', 'at column 7, it must have a value (text is in double quotes)'],
    ['{\n  "a": 1\n  "b": 2}', 'in line 3, column 3, it must have "," or "}"'],
    ['{"a" at position 99 x}', 'at column 6, it must have ":"'],
    ['{"password": "hunter2', 'at column 14, it must have a value'],
    ['[1, 2', 'at column 6, it must have "," or "]"'],
    ['\ufeff{}', 'at column 1, it must have a value, without a byte order mark (U+FEFF) before it'],
  ])('and the message for %j says where it is wrong, and shows none of it', async (text, place) => {
    const { status, body } = await put(Buffer.from(text))
    expect([status, body.error?.details.issues[0]?.code]).toEqual([400, 'invalid_json'])
    expect(body.error?.message).toContain(`body: is not valid JSON: ${place}`)
    expect(body.error?.message).not.toContain('hunter2')
  })

  test.each([
    ['brackets', '['.repeat(100_000), 'too_deep'],
    ['commas', `[${'1,'.repeat(100_000)}`, 'invalid_json'],
    ['escapes', `"${'\\n'.repeat(100_000)}`, 'invalid_json'],
    ['digits', `${'1'.repeat(200_000)}x`, 'invalid_json'],
    ['spaces', `${' '.repeat(200_000)}x`, 'invalid_json'],
  ])('also if it is a very long text of %s', async (_, text, code) => {
    const { status, body } = await put(Buffer.from(text))
    expect([status, body.error?.details.issues[0]?.code]).toEqual([400, code])
  })
})

describe('in the public JSONTestSuite', () => {
  test('texts that every parser must refuse are refused, as a body and within one', async () => {
    const wrong = await found('reject', async ({ name, bytes }) => {
      const answers = [await put(bytes), await put(within(bytes))]
      return answers.every(({ status }) => status === 400) ? [] : [name]
    })
    expect(wrong).toEqual([])
  })

  test('texts that every parser must accept are accepted, and returned unchanged', async () => {
    const wrong = await found('accept', async ({ name, bytes }) => {
      const { status, body } = await put(within(bytes))
      if (WITH_NUL.includes(name)) {
        return body.error?.details.issues[0]?.code === 'invalid_text' ? [] : [name]
      }
      const isSame = JSON.stringify(body.metadata?.v) === JSON.stringify(JSON.parse(String(bytes)))
      return status === 200 && isSame ? [] : [`${name}: ${status}`]
    })
    expect(wrong).toEqual([])
  })

  test('texts that parsers can accept or refuse are accepted or refused, never a fault', async () => {
    const wrong = await found('either', async ({ name, bytes }) => {
      const answers = [await put(bytes), await put(within(bytes))]
      return answers.every(({ status }) => status === 200 || status === 400) ? [] : [name]
    })
    expect(wrong).toEqual([])
  })
})
