import { command } from '../command.ts'
import { DATA_OPTIONS } from '../options.ts'

export const BACKUP_OPTIONS = [
  {
    name: 'with-key',
    help: 'also write the master key; anyone with the file can then read everything',
  },
  ...DATA_OPTIONS,
] as const

export const ROTATE_OPTIONS = [
  { name: 'new-secret-key', value: 'KEY', help: 'base64 of 32 bytes (default a random one)' },
  ...DATA_OPTIONS,
] as const

export const DISTRIBUTE_OPTIONS = [
  { name: 'apply', help: 'distribute the tables' },
  { name: 'shards', value: 'N', help: 'shards of each table (default two for each worker)' },
  ...DATA_OPTIONS,
] as const

const SUMMARY = '{ file, createdAt, schema, tables, rows, hasMasterKey }'

export const DATA = [
  command({
    name: 'backup',
    operands: ['FILE'],
    summary: 'Write all data to a file, while the service runs or not',
    details:
      'The file is readable by its owner alone. The master key is not in it: keep secret.key (or\n' +
      'STANDING_SECRET_KEY) in another place, because a backup without it cannot be used.',
    options: BACKUP_OPTIONS,
    json: SUMMARY,
    example: 'standing backup standing.backup',
    load: async () => (await import('../commands/backup.ts')).backup,
  }),
  command({
    name: 'backup verify',
    operands: ['FILE'],
    summary: 'Check that a backup is complete and unchanged',
    options: [],
    json: SUMMARY,
    example: 'standing backup verify standing.backup',
    load: async () => (await import('../commands/backup.ts')).verify,
  }),
  command({
    name: 'restore',
    operands: ['FILE'],
    summary: 'Restore a backup into an empty data directory or database',
    details:
      'The file is checked first. It is restored in one transaction: completely or not at all.\n' +
      'If the file does not contain the master key, give it as --secret-key, or put secret.key into the directory.',
    options: DATA_OPTIONS,
    json: SUMMARY,
    example: 'standing restore standing.backup --data-dir /var/lib/standing',
    load: async () => (await import('../commands/restore.ts')).restore,
  }),
  command({
    name: 'database status',
    operands: [],
    summary: 'Show where the database is, its version, size, schema and number of rows',
    options: DATA_OPTIONS,
    json: '{ connection, version, schema, missing, unknown, bytes, rows }',
    example: 'standing database status',
    load: async () => (await import('../commands/database.ts')).status,
  }),
  command({
    name: 'database distribute',
    operands: [],
    summary: 'Distribute the agents over the workers of a Citus cluster',
    details:
      'Without --apply it only shows which tables are distributed by which column, and which stay on the\n' +
      'coordinator and why. Existing rows are moved, all of them or none. Stop the service before, and start\n' +
      'it again afterwards. Tables that are already distributed do not change.',
    options: DISTRIBUTE_OPTIONS,
    json: '{ citus, workers, shards, missing, present, applied }',
    example: 'standing database distribute --apply',
    load: async () => (await import('../commands/distribute.ts')).distribute,
  }),
  command({
    name: 'database url',
    operands: [],
    summary: 'Print the address of the database, for psql and other programs',
    details: 'The embedded database answers only while the service runs.',
    options: DATA_OPTIONS,
    json: '{ url }',
    example: 'psql "$(standing database url)"',
    load: async () => (await import('../commands/database.ts')).url,
  }),
  command({
    name: 'secret rotate',
    operands: [],
    summary: 'Replace the master key, while the service runs or not',
    details:
      'With secret.key in the data directory, the file is replaced and the old key ends. With\n' +
      'STANDING_SECRET_KEY, both keys work until `standing secret finish`, so that nodes can be restarted\n' +
      'one after the other. After an interruption, run it again to continue.',
    options: ROTATE_OPTIONS,
    json: '{ file }, or { masterKey } with STANDING_SECRET_KEY',
    example: 'standing secret rotate',
    load: async () => (await import('../commands/secret.ts')).rotate,
  }),
  command({
    name: 'secret finish',
    operands: [],
    summary: 'Remove every master key except the current one',
    options: DATA_OPTIONS,
    json: '{ finished }',
    example: 'standing secret finish',
    load: async () => (await import('../commands/secret.ts')).finish,
  }),
]
