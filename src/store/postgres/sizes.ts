/** The bytes that data takes, on a single server or over a cluster. */

const TABLE_BYTES = 'pg_total_relation_size(name::regclass)'

/** A distributed table is empty where it was made: its rows are on the workers. */
const TABLE_BYTES_ON_SHARDS = `case
  when exists (select from pg_dist_partition where logicalrelid = name::regclass)
  then citus_total_relation_size(name::regclass, fail_on_error => false)
  else ${TABLE_BYTES} end`

/** The bytes of the table that `name` names, with its indexes, as an expression. */
export function tableBytes({ isDistributed }: { readonly isDistributed: boolean }): string {
  return isDistributed ? TABLE_BYTES_ON_SHARDS : TABLE_BYTES
}

const DATABASE_BYTES = 'pg_database_size(current_database())'

/** A server that does not answer is left out. */
const DATABASE_BYTES_ON_NODES = `(select sum(result::bigint)
  from run_command_on_all_nodes('select ${DATABASE_BYTES}') where success)`

/** The bytes of the database on all servers, as an expression. */
export function databaseBytes({ isDistributed }: { readonly isDistributed: boolean }): string {
  return isDistributed ? DATABASE_BYTES_ON_NODES : DATABASE_BYTES
}
