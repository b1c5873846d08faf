import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { invalidField, TrustError } from '../../domain/error.ts'
import { parseText } from '../../http/json.ts'
import type { Request } from '../../http/request.ts'
import { type Span, spansOfJson, spansOfProtobuf } from './spans.ts'
import { PROTOBUF_TYPE } from './spec.ts'

/** Some ten thousand spans; what a body of the largest size holds in practice. */
const UNZIPPED_BYTES_MAX = 4 * 1024 * 1024

/** More would hold up the other reporters. Exporters send 512 at a time. */
const SPANS_MAX = 10_000

export function isProtobuf({ headers }: Request): boolean {
  return mediaTypeOf(headers.get('content-type')) === PROTOBUF_TYPE
}

/** @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE */
export async function readSpans(request: Request): Promise<readonly Span[]> {
  const { headers } = request
  const isJson = mediaTypeOf(headers.get('content-type')) === 'application/json'
  if (!isJson && !isProtobuf(request)) {
    const message = `send ${PROTOBUF_TYPE} or application/json`
    throw new TrustError('UNSUPPORTED_MEDIA_TYPE', message)
  }
  const bytes = await unzipped(await request.readBody(), headers.get('content-encoding'))
  const spans = isJson ? spansOfJson(parseText(textOf(bytes))) : spansOfProtobuf(bytes)
  if (spans.length > SPANS_MAX) {
    throw invalidField('resourceSpans', `has more than ${SPANS_MAX} spans`, 'too_big')
  }
  return spans
}

function mediaTypeOf(contentType: string | null): string {
  const [type = ''] = (contentType ?? '').split(';')
  return type.trim().toLowerCase()
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidField('body', 'is not valid UTF-8')
  }
}

async function unzipped(bytes: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? 'identity'
  if (name === 'identity') {
    return bytes
  }
  if (name !== 'gzip') {
    throw new TrustError('UNSUPPORTED_MEDIA_TYPE', 'send the body as it is, or with gzip')
  }
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: UNZIPPED_BYTES_MAX })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `a body may have at most ${UNZIPPED_BYTES_MAX} bytes when it is unzipped`
      throw new TrustError('PAYLOAD_TOO_LARGE', message, { maxBytes: UNZIPPED_BYTES_MAX })
    }
    throw invalidField('body', 'is not valid gzip')
  }
}
