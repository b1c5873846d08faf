/**
 * Archived events as bytes: one column of JSON after the other, compressed. A column of like values takes a
 * fraction of rows that repeat every name and id.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { RecordedEvent } from '../../domain/agent.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** Above this the work grows several times and the result shrinks by a few per cent. */
const QUALITY = 9

/** Read first: another form would have another number. */
const FORM = 1

/** An event in the archive: its agent and its number are those of the row. */
type Archived = Omit<RecordedEvent, 'agentId' | 'seq'>

interface Columns {
  readonly form: typeof FORM
  readonly rest: { readonly [Field in (typeof FIELDS)[number]]: readonly Archived[Field][] }
  /** Times as differences, which are short: to the event before, and to the time of receipt. */
  readonly createdAt: readonly number[]
  readonly occurredAt: readonly number[]
  readonly importedAt: readonly (number | null)[]
  readonly chain: readonly (string | null)[]
}

const FIELDS = [
  'id',
  'type',
  'data',
  'reporter',
  'self',
  'voter',
  'reporterWeight',
  'share',
  'hardness',
  'externalId',
  'fraudFlags',
  'quarantineReason',
  'isQuarantined',
  'findings',
  'attestationVerified',
  'review',
  'salt',
] as const satisfies readonly (keyof Archived)[]

export async function encodeArchive(events: readonly RecordedEvent[]): Promise<Buffer> {
  const columns: Columns = {
    form: FORM,
    rest: Object.fromEntries(
      FIELDS.map((field) => [field, events.map((event) => event[field])]),
    ) as unknown as Columns['rest'],
    createdAt: events.map(({ createdAt }, i) => createdAt - (events[i - 1]?.createdAt ?? 0)),
    occurredAt: events.map(({ occurredAt, createdAt }) => createdAt - occurredAt),
    importedAt: events.map(({ importedAt }) => importedAt),
    chain: events.map(({ chain }) => chain && Buffer.from(chain).toString('base64')),
  }
  return compress(JSON.stringify(columns), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  })
}

export async function decodeArchive(
  agentId: string,
  firstSeq: number,
  body: Uint8Array,
): Promise<readonly RecordedEvent[]> {
  const columns = JSON.parse((await decompress(body)).toString()) as Columns
  if (columns.form !== FORM) {
    throw new Error(`archived events of form ${columns.form} cannot be read`)
  }
  const { rest, chain, importedAt } = columns
  let createdAt = 0
  return rest.id.map((id, i) => {
    createdAt += columns.createdAt[i] ?? 0
    // A field of a later release is absent from older parts.
    const fields = Object.fromEntries(FIELDS.map((field) => [field, rest[field]?.[i] ?? null]))
    const link = chain[i] ?? null
    return {
      ...(fields as unknown as Omit<Archived, 'chain'>),
      id,
      agentId,
      seq: firstSeq + i,
      createdAt,
      occurredAt: createdAt - (columns.occurredAt[i] ?? 0),
      importedAt: importedAt[i] ?? null,
      chain: link === null ? null : Buffer.from(link, 'base64'),
    }
  })
}
