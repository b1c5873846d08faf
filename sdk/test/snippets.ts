import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'

/** The TypeScript of a page, block by block. */
export function snippetsOf(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

/** What the snippets use without defining it. */
export const DECLARATIONS = `
  import type { SigningKey } from '@standing/sdk'
  declare global {
    const agentId: string
    const email: string
    const password: string
    const token: string
    const jwt: string
    const signingKey: SigningKey
    const rawBody: string
    const request: { readonly headers: Readonly<Record<string, string>> }
    const process: { readonly env: Readonly<Record<string, string | undefined>> }
  }`

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** A delivery as it arrives, signed now. */
export function notification() {
  const data = { agentId: 'a', previousScore: 500, newScore: 512, classification: 'fair' }
  const rawBody = JSON.stringify({ id: 'evt_1', type: 'score.changed', data })
  const now = new Date()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(WEBHOOK_SECRET).sign('evt_1', now, rawBody),
  }
  return { rawBody, request: { headers } }
}
