import { expect, test } from 'vitest'
import { createProxyWatch } from './proxy-watch.ts'

function watch(trusted: string) {
  const noticed: string[] = []
  const { observe } = createProxyWatch({
    isProxy: (peer) => peer === trusted,
    onUntrusted: (peer) => void noticed.push(peer),
  })
  return {
    noticed,
    send(count: number, peer: string, forwardedFor: string | null) {
      for (let i = 0; i < count; i++) {
        observe(peer, forwardedFor)
      }
    },
  }
}

test('a proxy that sends nearly all requests is reported once, unless it is trusted', () => {
  const { noticed, send } = watch('10.0.0.9')
  send(3, '127.0.0.1', null)
  send(1_000, '10.0.0.5', '198.51.100.7')
  expect(noticed).toEqual(['10.0.0.5'])
  const other = watch('10.0.0.9')
  other.send(1_000, '10.0.0.9', '198.51.100.7')
  expect(other.noticed).toEqual([])
})

test('clients that send the header from ever new addresses are reported a few times only', () => {
  const { noticed, send } = watch('')
  for (let i = 0; i < 250; i++) {
    send(100, `198.51.100.${i}`, '1.2.3.4')
  }
  expect(noticed).toHaveLength(20)
})

test('one client among others that sends the header itself is not taken for a proxy', () => {
  const { noticed, send } = watch('')
  for (let i = 0; i < 100; i++) {
    send(5, '198.51.100.7', '1.2.3.4')
    send(5, `198.51.100.${i}`, null)
  }
  expect(noticed).toEqual([])
})
