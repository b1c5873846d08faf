import type { Standing } from '@standing/sdk'

type SigningKey = Awaited<ReturnType<Standing['operator']['signingKeys']>>[number]

/** The longest of each, so that columns line up. */
const PURPOSE_WIDTH = 'credentials'.length
const STATUS_WIDTH = 'retired'.length

/** A signing key as one line. */
export function keyLine(key: SigningKey): string {
  const { kid, purpose, status, createdAt, retiredAt, revokedAt } = key
  const since = revokedAt ?? retiredAt ?? createdAt
  return `${purpose.padEnd(PURPOSE_WIDTH)}  ${status.padEnd(STATUS_WIDTH)}  ${kid}  since ${since}`
}
