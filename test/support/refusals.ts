import { expect } from 'vitest'

export interface Refusal {
  readonly status: number
  readonly code: string
  readonly paths: readonly string[]
  readonly message: string
}

interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details: {
      readonly requestId: string
      readonly issues?: readonly { readonly path: string; readonly message: string }[]
    }
  }
}

/** What a request was refused with; of a batch of one, what that one was. */
export async function refusal(url: string, init: RequestInit): Promise<Refusal> {
  const response = await fetch(url, init)
  const body = (await response.json()) as ErrorBody & { errors?: ErrorBody['error'][] }
  const error = body.error ?? body.errors?.[0]
  if (body.error) {
    expect(error.details.requestId).toBe(response.headers.get('x-request-id'))
  }
  const paths = (error?.details.issues ?? []).map(({ path }) => path)
  return {
    status: response.status,
    code: error?.code ?? 'none',
    paths,
    message: error?.message ?? '',
  }
}

/** A few at a time: as many as the database has connections for. */
export async function inTurns<T>(
  items: readonly T[],
  each: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) {
      await each(item)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

/** What is not as it should be about a refusal: VALIDATION_ERROR, naming the place; nothing if all is. */
export function complaints(what: string, got: Refusal, path?: string): string[] {
  const isWhole = got.status === 400
  const isInBatch = got.status === 200 && path?.startsWith('events.')
  if (!(isWhole || isInBatch) || got.code !== 'VALIDATION_ERROR') {
    return [`${what}: ${got.status} ${got.code}`]
  }
  const isNamed =
    path === undefined || got.paths.some((one) => one === path || one.startsWith(`${path}.`))
  return isNamed && got.message !== ''
    ? []
    : [`${what}: names ${got.paths.join(', ')}, not ${path}`]
}
