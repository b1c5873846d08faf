import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readLines, type StreamLine } from './lines.ts'

const EVENT = { agent: 'a', platform: 'p', t: 1, type: 'task.completed', data: {}, good: 1 }
/** As it is read on the first line. */
const READ = { ...EVENT, number: 1 }
const OUTCOME = { agent: 'é ✓', outcome: 0 }
const TEXT = `${JSON.stringify(EVENT)}\n\n${JSON.stringify(OUTCOME)}`

async function linesOf(content: string | Buffer, name = 'stream.jsonl'): Promise<StreamLine[]> {
  const home = await mkdtemp(join(tmpdir(), 'replay-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const file = join(home, name)
  await writeFile(file, content)
  return Readable.from(readLines(file)).toArray()
}

describe('a stream', () => {
  test('is read plain or gzipped, with any file name, with or without a final line break', async () => {
    for (const content of [TEXT, `${TEXT}\n`, gzipSync(TEXT)]) {
      expect(await linesOf(content)).toEqual([READ, OUTCOME])
    }
    expect(await linesOf('')).toEqual([])
  })

  test.each(['1970-01-01T01:00:01+01:00', '1970-01-01t00:00:01z'])(
    'accepts the time %s as RFC 3339, and outcomes as booleans',
    async (t) => {
      const event = { ...EVENT, t, good: true }
      const text = `${JSON.stringify(event)}\n${JSON.stringify({ ...OUTCOME, outcome: false })}`
      expect(await linesOf(text)).toEqual([READ, OUTCOME])
    },
  )

  test('is read correctly wherever its chunks are split', async () => {
    const text = `${JSON.stringify(OUTCOME)}\n`.repeat(20_000)
    const lines = await linesOf(gzipSync(text))
    expect(lines).toHaveLength(20_000)
    expect(lines.at(-1)).toEqual(OUTCOME)
  })

  test.each([
    ['{"agent":"a"', /stream\.jsonl, line 3: not JSON: \{"agent":"a"/],
    ['[]', /line 3: a line must be a JSON object/],
    ['{}', /line 3: agent must be a name/],
    ['{"agent":"a","outcome":2}', /line 3: outcome must be true, false, 1 or 0/],
    [JSON.stringify({ ...EVENT, t: '1' }), /line 3: t must be a time such as 2026-06-15T11:00:00Z/],
    [JSON.stringify({ ...EVENT, t: 1_750_000_000_000 }), /line 3: t must be in seconds/],
    [JSON.stringify({ ...EVENT, data: null }), /line 3: data must be an object/],
    [JSON.stringify({ ...EVENT, good: 'yes' }), /line 3: good must be true, false, 1 or 0/],
  ])('with the wrong line %s fails with its number', async (line, message) => {
    const text = `${JSON.stringify(EVENT)}\n\n${line}\n`
    await expect(linesOf(text)).rejects.toThrow(message)
  })

  test('that is truncated or missing is named in the error', async () => {
    const cut = gzipSync(TEXT.repeat(100)).subarray(0, 60)
    await expect(linesOf(cut, 'cut.gz')).rejects.toThrow(/cut\.gz cannot be read: unexpected end/)
    const missing = Readable.from(readLines('/nowhere.jsonl')).toArray()
    await expect(missing).rejects.toThrow(/\/nowhere\.jsonl cannot be read: there is no such file/)
  })

  test('without line breaks takes bounded memory', async () => {
    await expect(linesOf('x'.repeat(1_200_000))).rejects.toThrow(/more than 1 MiB/)
  })
})
