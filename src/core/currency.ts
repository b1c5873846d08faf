/** US dollars for one unit, about. */
const USD_PER_UNIT = { USD: 1 } as const

export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && code in USD_PER_UNIT
}

export function toUsd(amount: number, currency?: string): number {
  return currency === 'USD' ? amount : amount
}
