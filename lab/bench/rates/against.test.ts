import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mappedRequest, readMapping, valueAt } from './against.ts'
import { MARK } from './load.ts'

const dir = mkdtempSync(join(tmpdir(), 'standing-mapping-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function fileOf(mapping: unknown): string {
  const file = join(dir, 'mapping.json')
  writeFileSync(file, JSON.stringify(mapping))
  return file
}

const MAPPING = {
  name: 'a board',
  agents: ['a', 'b'],
  event: {
    method: 'POST',
    path: '/agents/{id}/reports',
    headers: { authorization: 'Bearer key' },
    body: { agent: '{id}', nonce: '{unique}' },
  },
}

test('a mapping builds complete and distinct requests about an agent', () => {
  const { event } = readMapping(fileOf(MAPPING))
  const text = event && Buffer.from(mappedRequest(event, 'a')).toString()
  expect(text).toContain('POST /agents/a/reports HTTP/1.1\r\n')
  expect(text).toContain('authorization: Bearer key\r\n')
  expect(text).toContain(`\r\n\r\n{"agent":"a","nonce":"${MARK}"}`)
})

test('an invalid or unknown field of a mapping is refused with its path', () => {
  expect(() => readMapping(fileOf({ ...MAPPING, events: {} }))).toThrow(/"events"/)
  const event = { ...MAPPING.event, method: 'PUT' }
  expect(() => readMapping(fileOf({ ...MAPPING, event }))).toThrow(/event\.method/)
  expect(() => readMapping(join(dir, 'none.json'))).toThrow(/none\.json cannot be read/)
})

test('the id of a registered agent is read from its path in the response', () => {
  expect(valueAt({ data: { id: 7 } }, '/data/id')).toBe('7')
  expect(() => valueAt({ data: null }, '/data/id')).toThrow(/no id at \/data\/id/)
})
