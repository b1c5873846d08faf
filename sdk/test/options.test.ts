import { afterEach, beforeEach, describe, expect, it as test, vi } from 'vitest'
import { Standing, type StandingOptions } from '../src/index.ts'

/** Where a client sends a request, and with which credential. */
async function sent(
  make: (fetch: StandingOptions['fetch']) => Standing,
): Promise<{ url: string; credential: string | null }> {
  let request: Request | undefined
  const client = make(async (url, init) => {
    request = new Request(url as string, init)
    return Response.json({})
  })
  await client.score.get('a')
  const { url = '', headers } = request ?? {}
  return { url, credential: headers?.get('x-api-key') ?? headers?.get('authorization') ?? null }
}

const NAMES = ['STANDING_URL', 'STANDING_API_KEY', 'STANDING_TOKEN', 'STANDING_OPERATOR_KEY']

beforeEach(() => {
  for (const name of NAMES) {
    vi.stubEnv(name, undefined)
  }
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a client without options', () => {
  test('is anonymous, and calls the service on this machine', async () => {
    expect(await sent((fetch) => new Standing({ fetch }))).toEqual({
      url: 'http://127.0.0.1:8080/v1/agents/a/score',
      credential: null,
    })
    expect(new Standing()).toBeInstanceOf(Standing)
  })

  test('uses the address and the keys of the environment', async () => {
    vi.stubEnv('STANDING_URL', 'https://trust.example.com')
    vi.stubEnv('STANDING_API_KEY', 'avs_environment')
    const expected = {
      url: 'https://trust.example.com/v1/agents/a/score',
      credential: 'avs_environment',
    }
    expect(await sent((fetch) => new Standing({ fetch }))).toEqual(expected)
    const changed = (fetch: StandingOptions['fetch']) => new Standing().with({ fetch })
    expect(await sent(changed)).toEqual(expected)
  })

  test('treats an empty variable as missing', async () => {
    vi.stubEnv('STANDING_URL', '')
    vi.stubEnv('STANDING_TOKEN', '')
    const { url, credential } = await sent((fetch) => new Standing({ fetch }))
    expect([new URL(url).host, credential]).toEqual(['127.0.0.1:8080', null])
  })
})

describe('a key of the environment', () => {
  beforeEach(() => {
    vi.stubEnv('STANDING_API_KEY', 'avs_environment')
    vi.stubEnv('STANDING_OPERATOR_KEY', 'avo_environment')
  })

  test('is not sent to an address that the program sets', async () => {
    const baseUrl = 'http://other.example.com'
    const { credential } = await sent((fetch) => new Standing({ fetch, baseUrl }))
    expect(credential).toBeNull()
    const changed = await sent((fetch) => new Standing({ fetch }).with({ baseUrl }))
    expect(changed.credential).toBeNull()
    const own = await sent((fetch) => new Standing({ fetch, apiKey: 'avp_own' }).with({ baseUrl }))
    expect(own.credential).toBe('avp_own')
  })

  test('does not replace a credential that the program sets, even to undefined', async () => {
    const { credential } = await sent((fetch) => new Standing({ fetch, apiKey: 'avp_own' }))
    expect(credential).toBe('avp_own')
    const none = await sent((fetch) => new Standing({ fetch, token: undefined }))
    expect(none.credential).toBeNull()
  })

  test('is never the operator’s', async () => {
    vi.stubEnv('STANDING_API_KEY', undefined)
    expect((await sent((fetch) => new Standing({ fetch }))).credential).toBeNull()
  })
})

describe('a base URL', () => {
  test.each([
    'https://trust.example.com',
    'https://trust.example.com/',
    'https://trust.example.com/v1',
    'https://trust.example.com/v1/',
  ])('%s is accepted with and without /v1', async (baseUrl) => {
    const { url } = await sent((fetch) => new Standing({ fetch, baseUrl }))
    expect(url).toBe('https://trust.example.com/v1/agents/a/score')
  })

  test('can have a path', async () => {
    const baseUrl = 'https://example.com/trust/'
    const { url } = await sent((fetch) => new Standing({ fetch, baseUrl }))
    expect(url).toBe('https://example.com/trust/v1/agents/a/score')
  })
})

describe('an invalid option', () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ baseUrl: 'here' }, 'baseUrl is "here", which is not an http:// or https:// URL'],
    [{ baseUrl: 'localhost:8080' }, 'baseUrl is "localhost:8080", which is not an http://'],
    [{ baseUrl: 8080 }, 'baseUrl is 8080, which is not an http://'],
    [{ baseUrl: 'https://me:secret@example.com' }, 'baseUrl has a user'],
    [{ baseURL: 'https://example.com' }, 'baseURL is not an option: there are apiKey, '],
    [{ apiKey: 17 }, 'apiKey is empty'],
    [{ timeoutMs: '5s' }, 'timeoutMs is 5s: it takes a number of milliseconds'],
    [{ retriesMax: -1 }, 'retriesMax is -1: it takes a number, 0 or more'],
    [{ retryForMs: Number.NaN }, 'retryForMs is NaN'],
    [{ onWait: 'log' }, 'onWait is not a function'],
  ]
  test.each(wrong)('%j is refused by its name', (options, message) => {
    expect(() => new Standing(options as StandingOptions)).toThrow(message)
  })

  test('is refused if the options are not an object', () => {
    const text = 'http://127.0.0.1' as StandingOptions
    expect(() => new Standing(text)).toThrow("a client's options are an object")
  })

  test('does not show a secret in its error', () => {
    const baseUrl = 'https://me:secret@example.com'
    expect(() => new Standing({ baseUrl })).not.toThrow('secret')
  })
})
