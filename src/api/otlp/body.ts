import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { invalidField, TrustError } from '../../domain/error.ts'
import { parseText } from '../../http/json.ts'
import { mediaTypeOf, type Request } from '../../http/request.ts'
import type { FairQueue, FairQueueOptions } from '../../lib/fair-queue/fair-queue.ts'
import { inSlices } from '../../lib/slices.ts'
import { type Span, spansOfJson, spansOfProtobuf } from './spans.ts'
import { PROTOBUF_TYPE } from './spec.ts'

/** Some ten thousand spans; what a body of the largest size holds in practice. */
const PROTOBUF_BYTES_MAX = 4 * 1024 * 1024

/** JSON is parsed in one piece, a tenth of a second for each of half as many bytes at worst. */
const JSON_BYTES_MAX = 1024 * 1024

/**
 * A compressed body of a few kilobytes may take as long as a plain one of megabytes, so one is read at a
 * time. Platforms take turns, and an exporter sends one after the other.
 */
export const UNZIPPING: FairQueueOptions = {
  runningMax: 1,
  runningPerKeyMax: 1,
  waitingMax: 200,
  waitingPerKeyMax: 20,
  waitMaxMs: 3_000,
  refusal: 'too many compressed bodies at once; retry, or send more spans in each',
}

/** More would hold up the other reporters. Exporters send 512 at a time. */
const SPANS_MAX = 10_000

export function isProtobuf({ headers }: Request): boolean {
  return mediaTypeOf(headers) === PROTOBUF_TYPE
}

/** @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or SERVICE_UNAVAILABLE */
export async function readSpans(
  request: Request,
  platformId: string,
  unzipping: FairQueue,
): Promise<readonly Span[]> {
  const { headers } = request
  const isJson = mediaTypeOf(headers) === 'application/json'
  if (!isJson && !isProtobuf(request)) {
    const message = `send ${PROTOBUF_TYPE} or application/json`
    throw new TrustError('UNSUPPORTED_MEDIA_TYPE', message)
  }
  const body = await request.readBody()
  const read = async (bytes: Uint8Array) =>
    collect(isJson ? spansOfJson(parseText(textOf(bytes), 'rounded')) : spansOfProtobuf(bytes))
  if (isPlain(headers.get('content-encoding'))) {
    return read(body)
  }
  const bytesMax = isJson ? JSON_BYTES_MAX : PROTOBUF_BYTES_MAX
  return unzipping.run(platformId, 1, async () => read(await unzipped(body, bytesMax)))
}

async function collect(steps: Iterable<Span | null>): Promise<readonly Span[]> {
  const spans: Span[] = []
  for await (const span of inSlices(steps)) {
    if (span === null) {
      continue
    }
    if (spans.push(span) > SPANS_MAX) {
      throw invalidField('resourceSpans', `has more than ${SPANS_MAX} spans`, 'too_big')
    }
  }
  return spans
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidField('body', 'is not valid UTF-8')
  }
}

function isPlain(encoding: string | null): boolean {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name !== 'identity' && name !== 'gzip') {
    throw new TrustError('UNSUPPORTED_MEDIA_TYPE', 'send the body as it is, or with gzip')
  }
  return name === 'identity'
}

async function unzipped(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `a body of this type may have at most ${maxBytes} bytes when it is unzipped`
      throw new TrustError('PAYLOAD_TOO_LARGE', message, { maxBytes })
    }
    throw invalidField('body', 'is not valid gzip')
  }
}
