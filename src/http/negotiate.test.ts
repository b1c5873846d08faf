import { expect, test } from 'vitest'
import { preferred } from './negotiate.ts'

const TYPES = ['application/json', 'text/html', 'application/vc+jwt'] as const
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'

test.each([
  [null, 'application/json'],
  ['*/*', 'application/json'],
  ['', 'application/json'],
  ['image/png', 'application/json'],
  ['application/json', 'application/json'],
  [BROWSER, 'text/html'],
  ['application/vc+jwt', 'application/vc+jwt'],
  ['text/html, application/json', 'application/json'],
  ['text/html;q=0.5, application/json;q=0.4', 'text/html'],
  ['text/html;q=0, */*;q=0.1', 'application/json'],
  ['application/json;q=0.1, application/*', 'application/vc+jwt'],
  ['TEXT/HTML', 'text/html'],
  ['text/html;q=x, application/vc+jwt;q=0.2', 'application/vc+jwt'],
])('Accept %s is answered with %s', (accept, type) => {
  expect(preferred(accept, TYPES)).toBe(type)
})
