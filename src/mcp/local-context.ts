import { problemsOf, TrustError } from '../domain/error.ts'
import type { Exchange } from '../http/endpoint.ts'
import type { InternalCall } from '../http/internal-call.ts'
import { searchOf } from './query.ts'
import { type ToolContext, ToolRefusal } from './tool.ts'

/** Tools that call the operations of this process, for the caller of the request. */
export function localContext(exchange: Exchange, internal: InternalCall): ToolContext {
  return {
    callerKind: exchange.caller.kind,
    async call({ method, path, query = {}, body }) {
      try {
        return await internal(exchange, { method, path, search: searchOf(query), body })
      } catch (error) {
        throw error instanceof TrustError ? new ToolRefusal(error.code, problemsOf(error)) : error
      }
    },
  }
}
