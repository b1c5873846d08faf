import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { linesIn } from './text-lines.ts'

const folder = await mkdtemp(join(tmpdir(), 'standing-lines-'))
afterAll(() => rm(folder, { recursive: true }))

async function linesOf(text: string, unfinished?: () => Error): Promise<readonly string[]> {
  const file = join(folder, 'lines')
  await writeFile(file, text)
  const lines: string[] = []
  for await (const line of linesIn(createReadStream(file, 'utf8'), 100, unfinished)) {
    lines.push(line)
  }
  return lines
}

test('a line feed ends a line; Unicode separators and a lone carriage return do not', async () => {
  expect(await linesOf('a\u2028b\nc\u2029d\r\n\ne\rf')).toEqual([
    'a\u2028b',
    'c\u2029d\r',
    '',
    'e\rf',
  ])
})

test('lines and characters that span two reads are whole', async () => {
  const lines = Array.from({ length: 5_000 }, (_, i) => `${i} ${'ü€'.repeat(i % 30)}`)
  expect(await linesOf(`${lines.join('\n')}\n`)).toEqual(lines)
})

test('a last line without a line feed can be an error', async () => {
  const unfinished = () => new Error('incomplete')
  await expect(linesOf('a\nb', unfinished)).rejects.toThrow('incomplete')
  expect(await linesOf('a\nb\n', unfinished)).toEqual(['a', 'b'])
})

test('a line that is too long takes the memory of one read and the maximum of a line', async () => {
  const lines = await linesOf(`short\n${'x'.repeat(3_000_000)}\nshort`)
  expect(lines.map((line) => Math.min(line.length, 101))).toEqual([5, 101, 5])
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(101 + 65_536)
})
