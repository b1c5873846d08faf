import { UsageError } from '../../../src/lib/user-error.ts'
import { DISTRIBUTED, LOCAL } from '../../../src/store/postgres/distributed-tables.ts'
import {
  type Distribution,
  distribute as distributeTables,
  readDistribution,
} from '../../../src/store/postgres/distribution.ts'
import type { InputOf, Session } from '../command.ts'
import { withDatabase } from '../database.ts'
import { configOf } from '../settings.ts'
import type { DISTRIBUTE_OPTIONS } from '../table/data.ts'

/** More than any cluster has processors. */
const SHARDS_MAX = 1024

export async function distribute(
  { options, flags }: InputOf<typeof DISTRIBUTE_OPTIONS>,
  session: Session,
): Promise<number> {
  const shards = shardsOf(options.shards)
  const isApplied = flags.has('apply')
  await withDatabase(configOf(session.env, options), async ({ pool }) => {
    const before = await readDistribution(pool)
    const after = isApplied
      ? await distributeTables(pool, shards)
      : { ...before, shards: before.present.length > 0 ? before.shards : (shards ?? before.shards) }
    session.show({ ...after, applied: isApplied }, describe(after, before.missing, isApplied))
  })
  return 0
}

function shardsOf(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined
  }
  const shards = Number(text)
  if (!Number.isInteger(shards) || shards < 1 || shards > SHARDS_MAX) {
    throw new UsageError(`--shards takes a number from 1 to ${SHARDS_MAX}.`)
  }
  return shards
}

function describe(
  { citus, workers, shards }: Distribution,
  missing: readonly string[],
  isApplied: boolean,
): string {
  return [
    `Citus ${citus}, ${workers} workers, ${shards} shards of each table`,
    '',
    'distributed by agent_id, the rows of an agent side by side:',
    ...DISTRIBUTED.map(({ tables, why }) => `  ${tables.join(', ')}: ${why}`),
    '',
    'on the coordinator:',
    ...LOCAL.map(({ tables, why }) => `  ${tables.join(', ')}: ${why}`),
    '',
    outcome(missing, isApplied),
  ].join('\n')
}

function outcome(missing: readonly string[], isApplied: boolean): string {
  if (missing.length === 0) {
    return 'Nothing to do: all of it is distributed.'
  }
  return isApplied
    ? `Distributed: ${missing.join(', ')}. Start the service again on every node.`
    : `To be distributed: ${missing.join(', ')}. Stop the service and add --apply to do it.`
}
