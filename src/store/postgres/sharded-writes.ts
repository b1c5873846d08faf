import { memoized } from '../../lib/memoized.ts'
import type { Sql } from './sql.ts'

/**
 * The writes of a batch as a cluster sends each of them to the server with its agents. Citus finds that server
 * where a statement names the agents, and where inserted rows are made of rows that are there.
 */
export function shardedWrites(sql: Sql): Sql {
  return Object.assign(<Row>(text: string, values?: readonly unknown[]) => sql<Row>(text, values), {
    written: (text: string, values: readonly unknown[]) => sql.written(shardedText(text), values),
  })
}

const shardedText = memoized((text) =>
  text.startsWith('update agent_states') ? updateOf(text) : insertOf(text),
)

function updateOf(text: string): string {
  return `${text} and s.agent_id = any(${agentsIn(text)})`
}

/** Of an insert of rows by agent; another statement is left as it is. */
function insertOf(text: string): string {
  const parts = /^(insert into .*?\)\s+)(select .*?)\s+from (unnest\(.*? as t\(.*?\))(.*)$/s.exec(
    text,
  )
  const [, target = '', selected = '', rows = '', rest = ''] = parts ?? []
  if (parts === null || !/\bagent_id\b/.test(target)) {
    return text
  }
  return `${target}${selected.replace(/\bagent_id\b/, 'there')}
    from (select agent_id as there from agent_states where agent_id = any(${agentsIn(text)})) agents
    join ${rows} on t.agent_id = agents.there${rest}`
}

/** The array of the agents among the values: it has the place of `agent_id` among the columns. */
function agentsIn(text: string): string {
  const names = /\bas t\((.*?)\)/s.exec(text)?.[1]?.split(',') ?? []
  return `$${names.findIndex((name) => name.trim() === 'agent_id') + 1}::uuid[]`
}
