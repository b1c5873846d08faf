import { createSocket } from 'node:dgram'
import { hostname } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import type { Attempt } from '../delivery/attempt.ts'
import { post } from '../delivery/post.ts'
import { createPolicy } from './address.ts'
import { createGuardedAgent, type GuardedAgentOptions } from './connect.ts'
import { createResolver } from './resolve.ts'
import { httpReceiver, httpsReceiver, type Receiver, tcpReceiver } from './testing/receiver.ts'

const PUBLIC_ONLY = createPolicy([])
const LOOPBACK = createPolicy(['127.0.0.0/8'])

/** Undone in reverse after each test. */
const open: (() => unknown)[] = []

afterEach(async () => {
  for (const close of open.splice(0).reverse()) {
    await close()
  }
})

async function kept<R extends Receiver>(receiver: Promise<R>): Promise<R> {
  const ready = await receiver
  open.push(ready.close)
  return ready
}

function send(url: string, options: GuardedAgentOptions, timeoutMs = 5000): Promise<Attempt> {
  const dispatcher = createGuardedAgent(options)
  open.push(() => dispatcher.destroy())
  return post({ url, headers: {}, body: '{}', dispatcher, timeoutMs })
}

/** After the answers have been judged, and before the socket can have been connected. */
async function forbidSoon(ranges: unknown[]) {
  for (let turn = 0; turn < 50; turn += 1) {
    await null
  }
  ranges.length = 0
}

const canary = () => kept(httpReceiver((_, response) => response.end('inside')))
const answers = (addresses: readonly string[]) => async () => addresses
const REFUSED = { outcome: 'failed', status: null, error: 'address not allowed' }

describe('a connection', () => {
  test('to an address on the allow-list is made', async () => {
    const { port } = await canary()
    const attempt = await send(`http://127.0.0.1:${port}/`, { policy: LOOPBACK })
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 200, responseStart: 'inside' })
  })

  test.each(['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0'])(
    'to loopback written as %s is refused and never attempted',
    async (host) => {
      const { port, connections } = await canary()
      for (const scheme of ['http', 'https']) {
        const attempt = await send(`${scheme}://${host}:${port}/`, { policy: PUBLIC_ONLY })
        expect(attempt).toMatchObject(REFUSED)
      }
      expect(connections()).toBe(0)
    },
  )

  test('to a public name that resolves to loopback is refused', async () => {
    const { port, connections } = await canary()
    const resolve = answers(['127.0.0.1'])
    const url = `https://hooks.example.com:${port}/`
    expect(await send(url, { policy: PUBLIC_ONLY, resolve })).toMatchObject(REFUSED)
    expect(connections()).toBe(0)
  })

  test('to a name is refused if any resolved address is forbidden', async () => {
    const { port, connections } = await canary()
    for (const hidden of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254']) {
      const resolve = answers(['8.8.8.8', hidden, '1.1.1.1'])
      const url = `https://hooks.example.com:${port}/`
      expect(await send(url, { policy: PUBLIC_ONLY, resolve })).toMatchObject(REFUSED)
    }
    expect(connections()).toBe(0)
  })

  test('to a name that turns from public to loopback is refused', async () => {
    const { port, connections } = await canary()
    // Only what is asked first is public: a check apart from the connection would be fooled.
    let asked = 0
    const resolve = async () => [asked++ === 0 ? '192.0.2.1' : '127.0.0.1']
    const policy = createPolicy(['192.0.2.0/24'])
    const options = { policy, resolve, connectTimeoutMs: 100 }
    const url = `http://rebind.example.com:${port}/`
    expect((await send(url, options)).outcome).toBe('failed')
    expect(asked).toBe(1)
    expect(await send(url, options)).toMatchObject(REFUSED)
    expect(connections()).toBe(0)
  })

  test('goes to the checked address, with the name in Host', async () => {
    const hosts: unknown[] = []
    const { port } = await kept(
      httpReceiver((request, response) => {
        hosts.push(request.headers.host)
        response.end()
      }),
    )
    const resolve = answers(['127.0.0.1'])
    const url = `http://receiver.example:${port}/`
    expect(await send(url, { policy: LOOPBACK, resolve })).toMatchObject({ outcome: 'delivered' })
    expect(hosts).toEqual([`receiver.example:${port}`])
  })

  test('tries the next address of a name when one does not answer', async () => {
    const { port } = await canary()
    // Nothing listens on .2: the receiver is bound to .1 alone.
    const resolve = answers(['127.0.0.2', '127.0.0.1'])
    const attempt = await send(`http://two.example:${port}/`, { policy: LOOPBACK, resolve })
    expect(attempt).toMatchObject({ outcome: 'delivered' })
  })

  test('to localhost uses no resolver and takes the listed address family', async () => {
    const { port } = await canary()
    const resolve = () => Promise.reject(new Error('asked'))
    for (const name of ['localhost', 'a.localhost']) {
      const attempt = await send(`http://${name}:${port}/`, { policy: LOOPBACK, resolve })
      expect(attempt).toMatchObject({ outcome: 'delivered' })
      expect(
        await send(`https://${name}:${port}/`, { policy: PUBLIC_ONLY, resolve }),
      ).toMatchObject(REFUSED)
    }
  })

  test('is closed before a byte is sent if its peer is forbidden', async () => {
    let requests = 0
    const { port, connections } = await kept(
      httpReceiver((_, response) => {
        requests += 1
        response.end()
      }),
    )
    const ranges = [...LOOPBACK.ranges]
    const resolve = async () => {
      void forbidSoon(ranges)
      return ['127.0.0.1']
    }
    const policy = { ...LOOPBACK, ranges }
    const attempt = await send(`http://turncoat.example:${port}/`, { policy, resolve })
    expect(attempt).toMatchObject(REFUSED)
    expect([connections(), requests]).toEqual([1, 0])
  })

  test('by plain http is refused outside the allow-list, even to a public address', async () => {
    for (const policy of [PUBLIC_ONLY, LOOPBACK]) {
      expect(await send('http://8.8.8.8/', { policy })).toMatchObject(REFUSED)
      const resolve = answers(['8.8.8.8'])
      expect(await send('http://dns.example/', { policy, resolve })).toMatchObject(REFUSED)
    }
  })

  test('to a name without an address fails', async () => {
    const attempt = await send('https://none.example/', {
      policy: PUBLIC_ONLY,
      resolve: answers([]),
    })
    expect(attempt).toMatchObject({ outcome: 'failed', error: 'name not found' })
  })

  test('fails if it is not established in time', async () => {
    const attempt = await send('https://slow.example/', {
      policy: PUBLIC_ONLY,
      resolve: () => new Promise(() => {}),
      connectTimeoutMs: 50,
    })
    expect(attempt).toMatchObject({ outcome: 'failed', error: 'connection timed out' })
  })

  test('ignores a proxy of the environment', async () => {
    const proxy = await canary()
    const target = await canary()
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy']
    for (const name of names) {
      process.env[name] = `http://127.0.0.1:${proxy.port}`
    }
    open.push(() => {
      for (const name of names) {
        delete process.env[name]
      }
    })
    const attempt = await send(`http://127.0.0.1:${target.port}/`, { policy: LOOPBACK })
    expect(attempt.outcome).toBe('delivered')
    expect([proxy.connections(), target.connections()]).toEqual([0, 1])
  })

  test('does not follow a redirect to loopback', async () => {
    const inside = await canary()
    const outside = await kept(
      httpReceiver((_, response) => {
        response.writeHead(301, { location: `http://127.0.0.1:${inside.port}/` }).end()
      }),
    )
    const attempt = await send(`http://127.0.0.1:${outside.port}/`, { policy: LOOPBACK })
    expect(attempt).toMatchObject({
      outcome: 'failed',
      status: 301,
      error: 'redirects are not followed',
    })
    expect(inside.connections()).toBe(0)
  })
})

describe('a TLS connection', () => {
  const resolve = answers(['127.0.0.1'])

  test('requests and verifies the name of the URL, not the address', async () => {
    const { port, cert, serverNames } = await kept(
      httpsReceiver(['hooks.example.com'], (_, response) => response.end()),
    )
    const options = { policy: LOOPBACK, resolve, ca: cert }
    const attempt = await send(`https://hooks.example.com:${port}/`, options)
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 200 })
    expect(serverNames).toEqual(['hooks.example.com'])
  })

  test('is refused if the certificate is for another name', async () => {
    let requests = 0
    const { port, cert } = await kept(
      httpsReceiver(['other.example.com'], (_, response) => {
        requests += 1
        response.end()
      }),
    )
    const options = { policy: LOOPBACK, resolve, ca: cert }
    const attempt = await send(`https://hooks.example.com:${port}/`, options)
    expect(attempt.error).toBe('certificate refused: ERR_TLS_CERT_ALTNAME_INVALID')
    expect(requests).toBe(0)
  })

  test('is refused with any configuration if the certificate is not trusted', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    open.push(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
    const { port } = await kept(
      httpsReceiver(['hooks.example.com'], (_, response) => response.end()),
    )
    const attempt = await send(`https://hooks.example.com:${port}/`, { policy: LOOPBACK, resolve })
    expect(attempt.error).toMatch(/^certificate refused: /)
  })

  test('fails with a receiver that does not use TLS', async () => {
    const { port } = await canary()
    const attempt = await send(`https://127.0.0.1:${port}/`, { policy: LOOPBACK })
    expect(attempt).toMatchObject({ outcome: 'failed', status: null })
  })

  test('fails if its handshake is not completed in time', async () => {
    const { port } = await kept(tcpReceiver(() => {}))
    const options = { policy: LOOPBACK, connectTimeoutMs: 50 }
    const attempt = await send(`https://127.0.0.1:${port}/`, options)
    expect(attempt).toMatchObject({ outcome: 'failed', error: 'connection timed out' })
  })
})

describe('names', () => {
  test('on a name server that never answers delay no other lookup', async () => {
    const silent = createSocket('udp4')
    const port = await new Promise<number>((resolve) =>
      silent.bind(0, '127.0.0.1', () => resolve(silent.address().port)),
    )
    open.push(() => silent.close())
    const resolve = createResolver({ system: false, servers: [`127.0.0.1:${port}`] })
    const hung = Array.from({ length: 50 }, (_, i) =>
      resolve(`h${i}.example`).catch(() => 'failed'),
    )
    const inside = await canary()
    const attempt = await send(`http://localhost:${inside.port}/`, { policy: LOOPBACK })
    expect(attempt.outcome).toBe('delivered')
    const system = createResolver({ system: true, servers: ['127.0.0.1:1'] })
    const first = await Promise.race([system('localhost'), ...hung])
    expect(first).toContain('127.0.0.1')
  })

  test('are asked of the operator’s name servers alone, even if these do not answer', async () => {
    const resolve = createResolver({ system: false, servers: ['127.0.0.1:1'] })
    await expect(resolve('localhost')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    // With an allow-list too, under which the machine’s own lookup would find this name.
    const options = { policy: LOOPBACK, dnsServers: ['127.0.0.1:1'] }
    const inside = await canary()
    const attempt = await send(`http://${hostname()}:${inside.port}/`, options)
    expect(attempt).toMatchObject({ status: null, error: 'connection refused' })
  })
})
