import { hash, verify } from '@node-rs/argon2'
import {
  createFairQueue,
  type FairQueue,
  type FairQueueOptions,
} from '../lib/fair-queue/fair-queue.ts'

/** Hashes and checks passwords, with the same work for a person who exists and for one who does not. */
export interface Passwords {
  /** Without an origin it is the service's own work. */
  hash(password: string, from?: Origin): Promise<string>
  /** False without a hash to compare with, after the same time. */
  matches(passwordHash: string | null, password: string, from: Origin): Promise<boolean>
  /** Hashes in progress and waiting, by whether the address is known. */
  state(): Readonly<Record<'unknown' | 'known', ReturnType<FairQueue['state']>>>
}

/** Where a request comes from. Addresses take turns, and known ones do not wait for unknown ones. */
export interface Origin {
  readonly address: string
  readonly isKnown: boolean
}

/** What a hash costs: memory in KiB, passes over it, and lanes. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** argon2id at 19 MiB, two passes, one lane: the OWASP Password Storage recommendation. */
const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A hash takes about 9 ms of a core: two at a time, and one of a known address, leave room for
 * everything else.
 */
const UNKNOWN: FairQueueOptions = {
  runningMax: 2,
  runningPerKeyMax: 2,
  waitingMax: 512,
  waitingPerKeyMax: 32,
  waitMaxMs: 3_000,
  refusal: 'too many sign-ins at once',
}
const OWN: Origin = { address: '', isKnown: true }

const KNOWN: FairQueueOptions = { ...UNKNOWN, runningMax: 1 }

export async function createPasswords(cost = PASSWORD_COST): Promise<Passwords> {
  const unknown = createFairQueue(UNKNOWN)
  const known = createFairQueue(KNOWN)
  const inTurn = <T>({ address, isKnown }: Origin, work: () => Promise<T>) =>
    (isKnown ? known : unknown).run(address, 1, work)
  // Compared with where there is no account, so that the response takes as long.
  const decoy = await hash('a password of no account', cost)
  return {
    state: () => ({ unknown: unknown.state(), known: known.state() }),
    hash: (password, from = OWN) => inTurn(from, () => hash(password, cost)),
    matches: (passwordHash, password, from) =>
      inTurn(from, async () => {
        const matches = await verify(passwordHash ?? decoy, password)
        return passwordHash !== null && matches
      }),
  }
}
