import type { Tracer } from './tracer.ts'

/** The first words of a statement say what it does; all of it is rarely read. */
const TEXT_MAX = 1_000

/** A pool of connections, as far as it is traced. */
export interface TracedPool {
  query: unknown
  on(event: 'connect', listener: (connection: { query: unknown }) => void): unknown
}

type Query = (...args: readonly unknown[]) => unknown

/**
 * Makes a span for each statement that is sent within one, on a pool and on its connections. Statements
 * are constants of the program: their values are apart from them, and in no span.
 */
export function traceStatements(tracer: Tracer, pool: TracedPool): void {
  wrap(tracer, pool)
  pool.on('connect', (connection) => wrap(tracer, connection))
}

function wrap(tracer: Tracer, connection: { query: unknown }): void {
  const query = (connection.query as Query).bind(connection)
  connection.query = (...args: readonly unknown[]) => {
    const text = textOf(args[0])
    const within = tracer.current()
    // With a callback it is the pool itself that calls, for a statement which has its span already.
    const isOwn = !args.some((arg) => typeof arg === 'function')
    if (text === null || !isOwn || !within?.context.isSampled) {
      return query(...args)
    }
    const span = tracer.start(nameOf(text), 'client', {
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, TEXT_MAX) },
    })
    return tracer.run(span, async () => query(...args))
  }
}

/** The words of a statement on one line; null for what is none, or has a result of another kind. */
function textOf(statement: unknown): string | null {
  const { text = statement, submit } = (statement ?? {}) as { text?: unknown; submit?: unknown }
  if (submit !== undefined) {
    return null
  }
  return typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : null
}

/** The verb and the table: `insert events`. */
function nameOf(text: string): string {
  const [verb = 'statement'] = text.split(' ', 1)
  const [, table] = /\b(?:from|into|update|join) (?:unnest\b|only )?([a-z_]+)/.exec(text) ?? []
  return table === undefined ? verb : `${verb} ${table}`
}
