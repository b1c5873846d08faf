import type { Caller } from '../domain/caller.ts'
import type { Response } from '../http/response.ts'
import { streamed } from './caching.ts'
import { createOpenPlaces } from './open-places.ts'

/** The exports that this node is sending. */
export interface OpenExports {
  /** Responds with lines as they are made. @throws TrustError where the account, or this node, sends too many */
  send(caller: Caller, lines: AsyncIterable<string>): Response
}

/** A program takes one after the other. */
const PER_ACCOUNT_MAX = 5

/** Each keeps a part of a log in memory, about a megabyte, for as long as its client reads slowly. */
const EXPORTS_MAX = 100

export function createOpenExports(): OpenExports {
  const places = createOpenPlaces({
    perAccountMax: PER_ACCOUNT_MAX,
    allMax: EXPORTS_MAX,
    limit: 'exports',
    accountRefusal: `${PER_ACCOUNT_MAX} exports of this account are being sent; wait until one has ended`,
    nodeRefusal: 'too many exports are being sent; retry',
  })
  return {
    send: (caller, lines) => streamed(untilEnd(lines, places.take(caller))),
  }
}

/** Calls `end`, once or more, when the lines have ended, failed or are no longer wanted, even if none was asked for. */
function untilEnd(lines: AsyncIterable<string>, end: () => void): AsyncIterable<string> {
  const iterator = lines[Symbol.asyncIterator]()
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
