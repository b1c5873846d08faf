import { accountNameOf, type Caller } from '../domain/caller.ts'
import { TrustError, unavailable } from '../domain/error.ts'
import type { Response } from '../http/response.ts'
import { createCounts } from '../lib/counts.ts'
import { streamed } from './caching.ts'

/** The exports that this node is sending. */
export interface OpenExports {
  /** Responds with lines as they are made. @throws TrustError where the account, or this node, sends too many */
  send(caller: Caller, lines: AsyncIterable<string>): Response
}

/** A program takes one after the other. */
const PER_ACCOUNT_MAX = 5

/** Each keeps a part of a log in memory, about a megabyte, for as long as its client reads slowly. */
const EXPORTS_MAX = 100

/** Until an export may have ended. */
const RETRY_SECONDS = 2

export function createOpenExports(): OpenExports {
  const perAccount = createCounts()
  let all = 0
  return {
    send(caller, lines) {
      const account = accountNameOf(caller)
      refuseTooMany(perAccount.of(account), all)
      perAccount.add(account, 1)
      all++
      const onEnd = () => {
        perAccount.add(account, -1)
        all--
      }
      return streamed(untilEnd(lines, onEnd))
    },
  }
}

function refuseTooMany(own: number, all: number): void {
  if (own >= PER_ACCOUNT_MAX) {
    throw new TrustError(
      'RATE_LIMIT_EXCEEDED',
      `${PER_ACCOUNT_MAX} exports of this account are being sent; wait until one has ended`,
      { limit: 'exports', max: PER_ACCOUNT_MAX },
      RETRY_SECONDS,
    )
  }
  if (all >= EXPORTS_MAX) {
    throw unavailable('too many exports are being sent; retry')
  }
}

/** Calls `onEnd` once, when the lines have ended, failed or are no longer wanted, even if none was asked for. */
function untilEnd(lines: AsyncIterable<string>, onEnd: () => void): AsyncIterable<string> {
  const iterator = lines[Symbol.asyncIterator]()
  let isEnded = false
  const end = () => {
    if (!isEnded) {
      isEnded = true
      onEnd()
    }
  }
  const wrapped: AsyncIterator<string> = {
    async next() {
      try {
        const step = await iterator.next()
        if (step.done) {
          end()
        }
        return step
      } catch (error) {
        end()
        throw error
      }
    },
    async return() {
      end()
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => wrapped }
}
