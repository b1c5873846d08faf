import { hash, verify } from '@node-rs/argon2'
import { createSemaphore, type SemaphoreOptions } from '../lib/semaphore.ts'

/** Hashes and checks passwords; the same work for an owner that exists and for one that doesn't. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** With no hash to check against it takes as long, and says no. */
  matches(passwordHash: string | null, password: string): Promise<boolean>
}

/** argon2id at 19 MiB, two passes, one lane: the OWASP Password Storage recommendation. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * A hash takes about 9 ms of a core: two at a time leave room for everything else, and a queue of 32
 * is a third of a second's wait; beyond that the asker is better told to come back.
 */
const HASHES: SemaphoreOptions = {
  runningMax: 2,
  waitingMax: 32,
  refusal: 'too many log-ins at once',
}

export async function createPasswords(): Promise<Passwords> {
  const gate = createSemaphore(HASHES)
  const nobodys = await hash('a password that nobody has', PARAMETERS)
  return {
    hash: (password) => gate.run(() => hash(password, PARAMETERS)),
    matches: (passwordHash, password) =>
      gate.run(async () => {
        const matches = await verify(passwordHash ?? nobodys, password)
        return passwordHash !== null && matches
      }),
  }
}
