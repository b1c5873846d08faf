import { generateKeyPairSync, sign } from 'node:crypto'
import { PolicyEngine } from '@microsoft/agent-governance-sdk'
import { Standing } from '@standing/sdk'
import { x402Client } from '@x402/core/client'
import { bytesToBase58 } from 'did-jwt'
import { describe, expect, test } from 'vitest'
import { standingBackend } from '../examples/governance-toolkit.ts'
import { beforePayment, checkPayee } from '../examples/x402-hook.ts'
import { newClaim } from './support/identifiers.ts'
import { newPlatform, startService } from './support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { client: reporter } = await newPlatform(at)
const { client: buyer } = await newPlatform(at)
await buyer.policies.put('pay', { minScore: 150, unknown: 'review' })

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/** An agent that has proven an account, with reports of its payments. */
async function newPayee(type: 'payment.completed' | 'payment.failed') {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const payTo = bytesToBase58(Buffer.from(x, 'base64url'))
  const { agent, challenge, verify } = await newClaim(at, 'caip10', `${SOLANA}:${payTo}`)
  await verify(sign(null, Buffer.from(challenge), privateKey).toString('base64url'))
  await reporter.events.report(
    agent.id,
    Array.from({ length: 60 }, () => ({ type, data: { amount: 100, currency: 'USD' } })),
  )
  return { agent, payTo, name: `${SOLANA}:${payTo}` }
}

const good = await newPayee('payment.completed')
const bad = await newPayee('payment.failed')
const NOBODY = '11111111111111111111111111111111'
const away = new Standing({ baseUrl: 'http://127.0.0.1:1', apiKey: 'avp_x', retriesMax: 0 })

// A new agent is good for no money yet: what is asked is whom, not how much.
const paymentTo = (payTo: string, amount = '0') => ({
  scheme: 'exact',
  network: SOLANA as `${string}:${string}`,
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  amount,
  payTo,
  maxTimeoutSeconds: 60,
  extra: {},
})

describe('the example of a hook for x402', () => {
  test('passes, fails, or returns uncertain for the account that is paid', async () => {
    expect(await checkPayee(buyer, paymentTo(good.payTo))).toMatchObject({ verdict: 'PASS' })
    expect(await checkPayee(buyer, paymentTo(bad.payTo))).toMatchObject({ verdict: 'FAIL' })
    expect(await checkPayee(buyer, paymentTo(NOBODY))).toMatchObject({ verdict: 'UNCERTAIN' })
    // More than the agent is good for.
    const much = paymentTo(good.payTo, '900000000000')
    expect(await checkPayee(buyer, much)).toMatchObject({ verdict: 'UNCERTAIN' })
    expect(await checkPayee(away, paymentTo(good.payTo))).toMatchObject({ verdict: 'UNCERTAIN' })
  })

  test('stops a real x402 client before anything is signed', async () => {
    const signed: string[] = []
    const clientWith = (options?: Parameters<typeof beforePayment>[1]) =>
      new x402Client()
        .setSpendControls({ allowedAssets: true })
        .register(SOLANA, {
          scheme: 'exact',
          async createPaymentPayload(x402Version, { payTo }) {
            signed.push(payTo)
            return { x402Version, payload: {} }
          },
        })
        .onBeforePaymentCreation(beforePayment(buyer, options))
    const required = (payTo: string) => ({
      x402Version: 2,
      resource: { url: 'https://shop.example.com/report', description: '', mimeType: '' },
      accepts: [paymentTo(payTo)],
    })
    const pay = (payTo: string, options?: Parameters<typeof beforePayment>[1]) =>
      clientWith(options).createPaymentPayload(required(payTo))
    await pay(good.payTo)
    await expect(pay(bad.payTo)).rejects.toThrow(/FAIL: /)
    await expect(pay(NOBODY)).rejects.toThrow(/UNCERTAIN: /)
    await pay(NOBODY, { uncertain: 'pay' })
    expect(signed).toEqual([good.payTo, NOBODY])
  })
})

describe('the example of a backend for the agent-governance-toolkit', () => {
  test('decides in its policy engine about actions of other agents', async () => {
    const engine = new PolicyEngine([{ action: 'pay', effect: 'allow' }])
    engine.registerBackend(standingBackend(buyer))
    const decide = async (agentDid?: string) =>
      (await engine.evaluateWithBackends('pay', { agentDid, amount: 0 })).effectiveDecision
    expect(await decide(good.name)).toBe('allow')
    expect(await decide(bad.name)).toBe('deny')
    expect(await decide(`${SOLANA}:${NOBODY}`)).toBe('review')
    expect(await decide()).toBe('review')
  })
})
