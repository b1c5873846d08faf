import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openPage } from './browser.ts'
import { setUpPeople } from './people.ts'

const SDK = join(import.meta.dirname, '..', '..', '..', 'sdk')
const demo = inject('demo')
const people = setUpPeople()
await promisify(execFile)(process.execPath, [join(SDK, 'build.mjs')])

/** A page of another origin that imports the package's file as it is, without a bundler. */
async function siteWith(script: string): Promise<string> {
  const code = await readFile(join(SDK, 'dist/index.js'))
  const page = `<!doctype html><title>Page</title><script type="module">${script}</script>`
  const server = createServer(({ url }, response) => {
    const isCode = url === '/sdk.js'
    response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html')
    response.end(isCode ? code : page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a page of another origin reads scores, and verifies credentials and webhooks, with the SDK', async () => {
  const agentId = String(demo.agents['Atlas Invoicing'])
  const script = `
    import { Standing, verifyWebhookSignature } from '/sdk.js'
    const client = new Standing({ baseUrl: '${demo.url}' })
    const id = '${agentId}'
    const { score } = await client.score.get(id)
    let snapshots = 0
    for await (const one of client.score.getHistory(id, { limit: 1 })) {
      if (++snapshots === 2) break
    }
    const forged = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' }
    globalThis.read = {
      inBatch: (await client.score.getBatch([id])).get(id)?.score === score,
      explained: (await client.score.explain(id)).score === score,
      snapshots,
      valid: (await client.credentials.verify('${demo.credentials.valid}')).valid,
      revoked: (await client.credentials.verify('${demo.credentials.revoked}')).valid,
      webhook: await verifyWebhookSignature('{}', forged, 'whsec_AAAA').catch(({ code }) => code),
      unknown: await client.score.get('01931b66-0000-7000-8000-000000000000').catch(({ code }) => code),
    }`
  const site = await siteWith(script)
  const watched = await openPage(people.browser, site, {}, [demo.url])
  await watched.page.goto('/')
  const read = await watched.page.waitForFunction(
    () => (globalThis as unknown as { read: unknown }).read,
  )
  expect(await read.jsonValue()).toEqual({
    inBatch: true,
    explained: true,
    snapshots: 2,
    valid: true,
    revoked: false,
    webhook: 'WEBHOOK_INVALID',
    unknown: 'NOT_FOUND',
  })
  // The browser itself notes the response to the last call, which is 404.
  expect(watched.wrong.filter((one) => !one.includes('404'))).toEqual([])
  await watched.close()
})
