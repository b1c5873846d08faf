import type { Standing } from '@standing/sdk'

type SigningKey = Awaited<ReturnType<Standing['operator']['signingKeys']>>[number]

/** The longest of each, so that lines stand under each other. */
const PURPOSE_WIDTH = 'credentials'.length
const STATUS_WIDTH = 'retired'.length

/** A signing key, on one line. */
export function keyLine(key: SigningKey): string {
  const { kid, purpose, status, createdAt, retiredAt, revokedAt } = key
  const since = revokedAt ?? retiredAt ?? createdAt
  return `${purpose.padEnd(PURPOSE_WIDTH)}  ${status.padEnd(STATUS_WIDTH)}  ${kid}  since ${since}`
}
