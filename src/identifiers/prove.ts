import type { Identifier, Proof, ProofProblem } from '../domain/identifier.ts'
import type { FairQueueOptions } from '../lib/fair-queue/fair-queue.ts'
import type { PublicKey } from './keys.ts'
import { type Keys, NO_KEYS, problemOf, type Reading } from './kind.ts'
import { KINDS } from './kinds.ts'
import { challengeAt, hasRecords } from './places.ts'
import { signerOf } from './signature.ts'

/**
 * Each takes some kilobytes, and as many seconds as its host takes. Accounts take turns, and a slow host holds up
 * only those of its own account.
 */
export const PROOFS: FairQueueOptions = {
  runningMax: 16,
  runningPerKeyMax: 4,
  waitingMax: 100,
  waitingPerKeyMax: 20,
  // As long as one that is being checked may take.
  waitMaxMs: 10_000,
  refusal: 'too many proofs are being checked; retry',
}

type Claim = Pick<Identifier, 'type' | 'value' | 'challenge'>
type Proven = { readonly proof: Proof } | { readonly problem: ProofProblem }

/** Whether an agent has shown that a name is its own, by a signature if one is given. */
export async function prove(
  reading: Reading,
  claim: Claim,
  signature: string | undefined,
): Promise<Proven> {
  const kind = KINDS[claim.type]
  const read = await kind.read(reading, claim.value)
  if ('problem' in read) {
    return read
  }
  if (signature !== undefined) {
    return bySignature(reading, claim, signature, read.keys)
  }
  const host = kind.hostOf(claim.value)
  if (host === null) {
    const signer = kind.signerIn(claim.value)
    return problemOf('signature_required', `the challenge must be signed by ${signer}`)
  }
  return byPlace(reading, host, claim)
}

async function bySignature(
  reading: Reading,
  { type, value, challenge }: Claim,
  signature: string,
  found: readonly PublicKey[],
): Promise<Proven> {
  const kind = KINDS[type]
  const signer = kind.signerIn(value)
  if (signer === null) {
    return problemOf('not_provable', 'no signature proves this name; publish the challenge')
  }
  const published = await withMoreKeys(reading, { type, value }, found)
  if ('problem' in published) {
    return published
  }
  const { keys } = published
  if (keys.length === 0 && !kind.signer) {
    return problemOf('key_not_found', `there is no key that could sign: it must be by ${signer}`)
  }
  const keyId = kind.signer
    ? await kind.signer({ reading, value, challenge, signature, keys })
    : (signerOf(signature, challenge, keys)?.thumbprint ?? null)
  if (typeof keyId === 'string') {
    return { proof: { method: 'signature', keyId } }
  }
  return keyId ?? problemOf('signature_invalid', `is not a signature of the challenge by ${signer}`)
}

/** These keys, and those that are published elsewhere. */
async function withMoreKeys(
  reading: Reading,
  { type, value }: Pick<Identifier, 'type' | 'value'>,
  found: readonly PublicKey[],
): Promise<Keys> {
  const more = await (KINDS[type].moreKeys?.(reading, value) ?? NO_KEYS)
  return 'problem' in more ? more : { keys: [...found, ...more.keys] }
}

/** A file on the host or a record of its name: either will do. */
async function byPlace({ outbound }: Reading, host: string, { challenge }: Claim): Promise<Proven> {
  const [file, record] = await Promise.all([
    challengeAt(outbound, 'well_known', host, challenge),
    hasRecords(host) ? challengeAt(outbound, 'dns', host, challenge) : undefined,
  ])
  if (file === null || record === null) {
    return { proof: { method: file === null ? 'well_known' : 'dns', keyId: null } }
  }
  const messages = [file, record].flatMap((missing) => missing?.problem.message ?? [])
  return problemOf(file.problem.code, messages.join('; '))
}

/** Whether a verified name can be checked without its holder. */
export function isCheckable({ type, value }: Claim, { method }: Proof): boolean {
  return method !== 'signature' || KINDS[type].isKeyPublished(value)
}

/** Why a verified name is no longer proven; null while it is. */
export async function checkAgain(
  reading: Reading,
  { type, value, challenge, proof }: Pick<Identifier, 'type' | 'value' | 'challenge' | 'proof'>,
): Promise<ProofProblem | null> {
  const kind = KINDS[type]
  if (proof === null || !isCheckable({ type, value, challenge }, proof)) {
    return null
  }
  const read = await kind.read(reading, value)
  if ('problem' in read) {
    return read.problem
  }
  if (proof.method === 'signature') {
    return checkKey(reading, { type, value }, proof.keyId, read.keys)
  }
  const host = kind.hostOf(value)
  const missing =
    host === null ? null : await challengeAt(reading.outbound, proof.method, host, challenge)
  return missing?.problem ?? null
}

async function checkKey(
  reading: Reading,
  { type, value }: Pick<Identifier, 'type' | 'value'>,
  keyId: string | null,
  found: readonly PublicKey[],
): Promise<ProofProblem | null> {
  const kind = KINDS[type]
  if (kind.holder) {
    const holder = await kind.holder(reading, value)
    if (typeof holder !== 'string') {
      return holder.problem
    }
    return holder === keyId ? null : problemOf('wrong_subject', `now belongs to ${holder}`).problem
  }
  const published = await withMoreKeys(reading, { type, value }, found)
  if ('problem' in published) {
    return published.problem
  }
  const isThere = published.keys.some(({ thumbprint }) => thumbprint === keyId)
  return isThere
    ? null
    : problemOf('key_not_found', 'the key that proved it is no longer published').problem
}
