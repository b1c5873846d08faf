import { gzipSync } from 'node:zlib'
import { notFound } from '../domain/error.ts'
import { DAY_MS, HOUR_MS } from '../domain/time.ts'
import {
  bitstring,
  type StatusPurpose,
  statusListPayload,
} from '../domain/verifiable-credential.ts'
import { digestOf } from '../lib/etag.ts'
import { withinMs } from '../lib/within-ms.ts'
import type { SigningKeys } from '../signing/keys.ts'
import type { Store } from '../store/store.ts'
import type { Sweeper } from './revocation.ts'
import { signerOf } from './token.ts'

/** A verifier may use a list for this long, so a revocation reaches it at most this late. */
export const TTL_MS = 30_000

/** A list older than a day proves nothing any more. */
const VALID_MS = DAY_MS

/**
 * How often an unchanged list is signed again, so that a list that is served does not expire soon.
 */
const RENEWED_MS = HOUR_MS

/** A request that waits takes the place of another one. A sweep of ten thousand agents takes about as long. */
const SWEEP_WAIT_MS = 1_000

export interface PublishedList {
  readonly jwt: string
  readonly etag: string
}

export interface StatusLists {
  /** The list as the database has it now. */
  publish(list: number, purpose: StatusPurpose): Promise<PublishedList>
}

interface Published extends PublishedList {
  /** What it was made from: the bits that are set, and the signing key. */
  readonly of: string
  readonly at: number
}

export interface StatusListOptions {
  readonly store: Store
  readonly now: () => number
  readonly keys: SigningKeys
  readonly sweeper: Pick<Sweeper, 'today'>
  readonly baseUrl: () => string
}

export function createStatusLists(options: StatusListOptions): StatusLists {
  const { store, now, keys, sweeper, baseUrl } = options
  const latest = new Map<string, Published>()
  return {
    async publish(list, purpose) {
      await waitForSweep(sweeper)
      const indexes = await setBits(store, list, purpose)
      const { kid } = await keys.inForce(store)
      const of = digestOf([baseUrl(), kid, ...indexes].join())
      const name = `${list} ${purpose}`
      const known = latest.get(name)
      if (known?.of === of && now() - known.at < RENEWED_MS) {
        return known
      }
      const encodedList = encode(indexes)
      const from = now()
      const until = from + VALID_MS
      const payload = statusListPayload(
        { list, purpose, encodedList, from, until, ttlMs: TTL_MS },
        baseUrl(),
      )
      const sign = await signerOf(keys, store, baseUrl())
      const { jwt } = await sign(payload)
      const published = { jwt, etag: `"${digestOf(jwt)}"`, of, at: from }
      latest.set(name, published)
      return published
    },
  }
}

/** The first list of a day has what the sweep of the day revokes; with very many agents a later one has the rest. */
async function waitForSweep(sweeper: Pick<Sweeper, 'today'>): Promise<void> {
  const late = new Error('the sweep goes on')
  try {
    await withinMs(sweeper.today(), SWEEP_WAIT_MS, late)
  } catch (error) {
    if (error !== late) {
      throw error
    }
  }
}

async function setBits(store: Store, list: number, purpose: StatusPurpose): Promise<number[]> {
  const indexes = await store.credentials.bits(list, purpose)
  if (!indexes) {
    throw notFound('status list')
  }
  return [...indexes].sort((a, b) => a - b)
}

/** `u` says what follows: base64url without padding (Multibase). */
function encode(indexes: readonly number[]): string {
  return `u${gzipSync(bitstring(indexes)).toString('base64url')}`
}
