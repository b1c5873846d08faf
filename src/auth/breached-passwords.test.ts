import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { someOf } from '../../test/support/cases.ts'
import { UserError } from '../lib/user-error.ts'
import { openBreachedPasswords } from './breached-passwords.ts'

const dir = await mkdtemp(join(tmpdir(), 'standing-breached-'))
afterAll(() => rm(dir, { recursive: true }))

const sha1 = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const listed = Array.from({ length: 3_000 }, (_, at) => `password number ${at}`)

async function listOf(lines: readonly string[], ending = '\n') {
  const path = join(dir, crypto.randomUUID())
  await writeFile(path, lines.map((line) => line + ending).join(''))
  return path
}

describe.each([
  ['with counts and Windows line ends', (hash: string) => `${hash}:${hash.length}`, '\r\n'],
  ['of bare hashes in small letters', (hash: string) => hash.toLowerCase(), '\n'],
])('a list %s', (_what, lineOf, ending) => {
  test('has each of its passwords and no others', async () => {
    const hashes = listed.map(sha1).sort()
    const list = await openBreachedPasswords(await listOf(hashes.map(lineOf), ending))
    onTestFinished(list.close)
    const missing: string[] = []
    for (const password of someOf(listed)) {
      if (!(await list.has(password))) {
        missing.push(password)
      }
    }
    expect(missing).toEqual([])
    for (let at = 0; at < 200; at++) {
      expect(await list.has(`another password ${at}`)).toBe(false)
    }
  })
})

test('a list of one line has that password', async () => {
  const list = await openBreachedPasswords(await listOf([sha1('tr0ub4dor and 3')], ''))
  onTestFinished(list.close)
  expect(await list.has('tr0ub4dor and 3')).toBe(true)
  expect(await list.has('tr0ub4dor and 4')).toBe(false)
})

test.each([
  ['that does not exist', join(dir, 'missing')],
  ['that is a directory', dir],
  ['of plain passwords', await listOf(['qwertyuiop12', 'password1234'])],
  ['that is empty', await listOf([])],
])('a list %s is refused at the start', async (_what, path) => {
  const error = await openBreachedPasswords(path).catch((one: unknown) => one)
  expect(error).toBeInstanceOf(UserError)
  expect(String(error)).toContain(`STANDING_BREACHED_PASSWORDS: ${path}`)
})
