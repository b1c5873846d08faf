import type { WriteOptions } from './call.ts'
import { batches } from './calls.ts'
import { invalidCall, StandingError, unexpectedResponse } from './error.ts'
import type { Schema } from './schema.ts'
import type { EventInput, Report, ReportError } from './types.ts'

type Answer = Schema<'EventBatchAnswer'>

/** The most characters that the service takes in an Idempotency-Key. */
const KEY_LENGTH_MAX = 255

/** Reports one batch, of a hundred events at most. */
type ReportBatch = (
  events: readonly EventInput[],
  options: WriteOptions | undefined,
) => Promise<Answer>

/**
 * Any number of events, in requests of a hundred, one after the other, so that the order given is the
 * order taken.
 * @throws StandingError where a request fails; `details.partial` is the report so far. `INVALID_CALL`
 *   before the first request, where the key is too long for the last
 */
export async function reportAll(
  events: readonly EventInput[],
  options: WriteOptions | undefined,
  reportBatch: ReportBatch,
): Promise<Report> {
  const data: Report['data'][number][] = []
  const errors: ReportError[] = []
  const parts = batches(events)
  checkLength(options?.idempotencyKey, parts.length)
  for (const [n, batch] of parts.entries()) {
    try {
      const answer = checked(await reportBatch(batch, batchOptions(options, n)))
      errors.push(...answer.errors.map((one) => ({ ...one, index: one.index + data.length })))
      data.push(...inPlace(answer, batch.length))
    } catch (error) {
      throw n === 0 ? error : withPartial(error, reportOf(data, errors))
    }
  }
  return reportOf(data, errors)
}

function checked(answer: Answer): Answer {
  if (Array.isArray(answer.errors) && Array.isArray(answer.data)) {
    return answer
  }
  throw unexpectedResponse(200, 'the answer does not say what became of the events')
}

function reportOf(data: Report['data'], errors: readonly ReportError[]): Report {
  const counts = { accepted: data.length - errors.length, rejected: errors.length }
  return errors.length === 0 ? { ...counts, data } : { ...counts, errors, data }
}

/** The caller's key names the whole report, so each request after the first needs a suffix. */
function batchOptions(options: WriteOptions | undefined, n: number): WriteOptions | undefined {
  const key = options?.idempotencyKey
  return n === 0 || key === undefined ? options : { ...options, idempotencyKey: key + suffixOf(n) }
}

function suffixOf(n: number): string {
  return n === 0 ? '' : `-${n}`
}

function checkLength(key: string | undefined, requests: number): void {
  const lengthMax = KEY_LENGTH_MAX - suffixOf(requests - 1).length
  if (key !== undefined && key.length > lengthMax) {
    throw invalidCall(
      `idempotencyKey has ${key.length} characters: a report in ${requests} requests takes ${lengthMax}`,
    )
  }
}

/** Each record at its event's place: the answer has those accepted, without gaps. */
function inPlace({ errors, data }: Answer, size: number): Report['data'] {
  const refused = new Set(errors.map((error) => error.index))
  const records = data.values()
  return Array.from({ length: size }, (_, index) =>
    refused.has(index) ? null : (records.next().value ?? null),
  )
}

function withPartial(error: unknown, partial: Report): unknown {
  if (!(error instanceof StandingError)) {
    return error
  }
  const { status, code, message, details, requestId, retryAfterMs } = error
  return new StandingError({
    status,
    code,
    message,
    details: { ...details, partial },
    requestId,
    retryAfterMs,
    cause: error,
  })
}
