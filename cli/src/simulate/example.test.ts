import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { simulate } from './run.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PAGE = readFileSync(join(ROOT, 'docs/simulate.md'), 'utf8')

async function outputOf(json: boolean): Promise<string> {
  const said: string[] = []
  await simulate({
    file: join(ROOT, 'examples/simulate.jsonl'),
    ...{ stdin: Readable.from([]), settings: DEFAULT_SETTINGS, json, skipsBadLines: false },
    say: (lines) => void said.push(lines),
    warn: (line) => void said.push(line),
  })
  return said.join('\n')
}

/** The one block of code in this language. */
function blockOf(language: string): string {
  return new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(PAGE)?.[1] ?? ''
}

test('the example prints the table that the page shows', async () => {
  expect(await outputOf(false)).toBe(blockOf('text'))
})

test('the example prints its committed answers, one of which the page shows', async () => {
  const answers = await outputOf(true)
  expect(`${answers}\n`).toBe(readFileSync(join(ROOT, 'examples/simulate.answers.jsonl'), 'utf8'))
  expect(answers.split('\n')).toContain(blockOf('json'))
})
