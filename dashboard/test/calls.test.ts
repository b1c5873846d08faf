import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const API = join(import.meta.dirname, '../src/api')
const DOCUMENT = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
) as { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> }

/** Method and path of every request in src/api, with `{}` for what is filled in. */
function calls(): readonly (readonly [string, string])[] {
  const text = readdirSync(API)
    .map((name) => readFileSync(join(API, name), 'utf8'))
    .join('\n')
  const found = text.matchAll(/call(?:<[^(]*>)?\(\s*'(\w+)',\s*['`]([^'`]+)['`]/g)
  return [...found].map(([, method = '', path = '']) => [
    method.toLowerCase(),
    path.replaceAll(/\$\{[^}]*\}/g, '{}'),
  ])
}

const OPERATIONS = new Set(
  Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
  ),
)

test('every request of the dashboard is an operation of the service', () => {
  expect(calls().length).toBeGreaterThan(40)
  const unknown = calls().filter(([method, path]) => !OPERATIONS.has(`${method} ${path}`))
  expect(unknown).toEqual([])
})
