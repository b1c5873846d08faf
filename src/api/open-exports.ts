import { accountNameOf, type Caller } from '../domain/caller.ts'
import { CutShort, type Response } from '../http/response.ts'
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
  /** What ends each, and its account; the oldest first. */
  const sending = new Map<() => void, string>()
  const places = createOpenPlaces({
    perAccountMax: PER_ACCOUNT_MAX,
    allMax: EXPORTS_MAX,
    limit: 'exports',
    accountRefusal: `${PER_ACCOUNT_MAX} exports of this account are being sent; wait until one has ended`,
    nodeRefusal: 'too many exports are being sent; retry',
    // A client may read so slowly that it has the place for hours. It gets no end of the file, and can ask again.
    giveWay: (account) => [...sending].find(([, its]) => its === account)?.[0](),
  })
  return {
    send(caller, lines) {
      const free = places.take(caller)
      const stopping = new AbortController()
      const stop = () => {
        end()
        stopping.abort(new CutShort('another account needs the place of this export'))
      }
      const end = () => {
        sending.delete(stop)
        free()
      }
      sending.set(stop, accountNameOf(caller))
      return streamed(untilEnd(lines, end), stopping.signal)
    },
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
