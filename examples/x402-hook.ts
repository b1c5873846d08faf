/**
 * A check before an agent pays by x402: PASS, FAIL or UNCERTAIN, by what is known of the payee.
 * `beforePayment` is a hook for `onBeforePaymentCreation` of an x402 client.
 */
import type { Decision, Standing } from '@standing/sdk'

/** The part of x402's payment requirements that the check reads. */
export interface Requirements {
  /** CAIP-2, such as `eip155:8453`. */
  readonly network: string
  readonly payTo: string
  /** In the smallest unit of the asset. */
  readonly amount: string
}

export type Verdict = 'PASS' | 'FAIL' | 'UNCERTAIN'

export interface Check {
  readonly verdict: Verdict
  readonly reasons: readonly string[]
}

const VERDICTS: Readonly<Record<Decision['decision'], Verdict>> = {
  allow: 'PASS',
  deny: 'FAIL',
  review: 'UNCERTAIN',
}

/** USDC, in which most requirements are, has six decimals and is worth a dollar. */
const USDC_UNIT = 1e6

/** Asks about the account that is paid, by its CAIP-10 name. A service that is away leaves it uncertain. */
export async function checkPayee(standing: Standing, payment: Requirements): Promise<Check> {
  try {
    const { decision, reasons } = await standing.decisions.decide({
      identifier: `${payment.network}:${payment.payTo}`,
      action: 'pay',
      amount: Number(payment.amount) / USDC_UNIT,
      currency: 'USD',
    })
    return { verdict: VERDICTS[decision], reasons: reasons.map(({ message }) => message) }
  } catch (error) {
    return { verdict: 'UNCERTAIN', reasons: [`Standing did not answer: ${String(error)}`] }
  }
}

/** Aborts a payment that fails the check, and one that is uncertain unless you say otherwise. */
export function beforePayment(
  standing: Standing,
  { uncertain = 'abort' }: { readonly uncertain?: 'abort' | 'pay' } = {},
) {
  return async ({ selectedRequirements }: { readonly selectedRequirements: Requirements }) => {
    const { verdict, reasons } = await checkPayee(standing, selectedRequirements)
    const pays = verdict === 'PASS' || (verdict === 'UNCERTAIN' && uncertain === 'pay')
    return pays ? undefined : { abort: true as const, reason: `${verdict}: ${reasons.join('; ')}` }
  }
}
