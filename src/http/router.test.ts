import { expect, test } from 'vitest'
import type { Method, Route } from './route.ts'
import { createRouter } from './router.ts'

function at(method: Method, path: string): Route {
  const handle = () => Promise.reject(new Error('not called'))
  return {
    method,
    path,
    operationId: `${method} ${path}`,
    tag: '',
    summary: '',
    description: '',
    callers: [],
    responses: {},
    handle,
  }
}

const router = createRouter([
  at('get', '/v1/agents/{id}'),
  at('patch', '/v1/agents/{id}'),
  at('get', '/v1/agents/me'),
  at('get', '/v1/agents/{id}/events'),
  at('post', '/v1/agents/{agentId}/events/{eventId}'),
  at('get', '/v1/gate'),
  at('get', '/v1/gate/{path*}'),
])

function find(method: string, path: string) {
  const found = router(method, path)
  return found && [found.route?.operationId ?? null, found.params]
}

test('a literal segment takes precedence over a parameter', () => {
  expect(find('GET', '/v1/agents/me')).toEqual(['get /v1/agents/me', {}])
  expect(find('GET', '/v1/agents/you')).toEqual(['get /v1/agents/{id}', { id: 'you' }])
  expect(find('GET', '/v1/agents/me/events')).toEqual(['get /v1/agents/{id}/events', { id: 'me' }])
  expect(find('POST', '/v1/agents/a/events/b')).toEqual([
    'post /v1/agents/{agentId}/events/{eventId}',
    { agentId: 'a', eventId: 'b' },
  ])
})

test('percent-encoded text is decoded, and never becomes a slash', () => {
  expect(find('GET', '/v1/%61gents/a%2Fb')).toEqual(['get /v1/agents/{id}', { id: 'a/b' }])
  expect(find('GET', '/v1/agents/%zz')).toEqual(['get /v1/agents/{id}', { id: '%zz' }])
  expect(find('GET', '/v1/agents%2Fme')).toBeNull()
})

test('a last parameter with a star matches the rest of the path', () => {
  const all = 'get /v1/gate/{path*}'
  expect(find('GET', '/v1/gate/a/b%2Fc/')).toEqual([all, { path: 'a/b/c/' }])
  expect(find('GET', '/v1/gate/')).toEqual([all, { path: '' }])
  expect(find('GET', '/v1/gate')).toEqual(['get /v1/gate', {}])
})

test('HEAD is answered by GET; for another method the path names the allowed ones', () => {
  expect(find('HEAD', '/v1/agents/me')).toEqual(['get /v1/agents/me', {}])
  expect(find('DELETE', '/v1/agents/a')).toEqual([null, {}])
  expect([...(router('DELETE', '/v1/agents/a')?.methods.keys() ?? [])]).toEqual([
    'GET',
    'HEAD',
    'PATCH',
  ])
})

test('a path that is longer, shorter, or has an empty segment does not match', () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/agents',
    '/v1/agents/',
    '/v1/agents/a/',
    '/v1/agents//events',
  ]) {
    expect(find('GET', path), path).toBeNull()
  }
})
