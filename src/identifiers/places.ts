import type { ProofMethod } from '../domain/identifier.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { fetchFrom, hostNameOf, type Problem, problemOf } from './kind.ts'

/** Where a host publishes challenges, one a line. */
export const CHALLENGE_PATH = '/.well-known/standing-challenge'

/** Beside the TXT records of the name itself, as ACME has a name of its own. */
export const CHALLENGE_LABEL = '_standing-challenge'

type Place = Exclude<ProofMethod, 'signature'>

/** Whether a host publishes the challenge at this place; null where it does. */
export async function challengeAt(
  outbound: Outbound,
  place: Place,
  host: string,
  challenge: string,
): Promise<Problem | null> {
  return place === 'well_known'
    ? inFile(outbound, host, challenge)
    : inRecords(outbound, hostNameOf(host), challenge)
}

/** A host without a name in DNS has no records. */
export function hasRecords(host: string): boolean {
  const name = hostNameOf(host)
  return /[a-z]/i.test(name) && !name.includes(':') && name.includes('.')
}

async function inFile(
  outbound: Outbound,
  host: string,
  challenge: string,
): Promise<Problem | null> {
  const read = await fetchFrom({ outbound }, host, CHALLENGE_PATH)
  if ('problem' in read) {
    return read
  }
  const lines = read.document.text.split('\n').map((line) => line.trim())
  return lines.includes(challenge)
    ? null
    : problemOf(
        'challenge_missing',
        `${read.document.url} does not have the challenge as one of its lines`,
      )
}

async function inRecords(
  outbound: Outbound,
  name: string,
  challenge: string,
): Promise<Problem | null> {
  const names = [`${CHALLENGE_LABEL}.${name}`, name]
  const answers = await Promise.all(names.map(outbound.txt))
  if (answers.some(({ records }) => records.some((record) => record.trim() === challenge))) {
    return null
  }
  return answers.every(({ isAnswered }) => isAnswered)
    ? problemOf('challenge_missing', `no TXT record of ${names.join(' or ')} is the challenge`)
    : problemOf('unreachable', `the name servers of ${name} did not answer`)
}
