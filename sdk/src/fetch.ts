/** The parts of `fetch` that a client uses. */
export interface FetchRequest {
  readonly method: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string
  /** A redirect would carry the key to wherever it points; the service never sends one. */
  readonly redirect: 'manual'
  /** Aborted when the attempt takes too long, or the caller gives up. */
  readonly signal: AbortSignal
}

/** What a client reads of an answer. */
export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: () => Promise<string>
  /** A `ReadableStream`, for `events.follow` alone. */
  readonly body?: unknown
}

/** The part of a `ReadableStream` that a client uses. */
export interface ByteStream {
  readonly getReader: () => {
    readonly read: () => Promise<
      { readonly done: false; readonly value: Uint8Array } | { readonly done: true }
    >
    readonly cancel: () => Promise<void>
  }
}

/** `globalThis.fetch`, or any function that does this much of it. It rejects where there is no answer. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>
