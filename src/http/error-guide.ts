import type { ErrorCode, ErrorDetails } from '../domain/error.ts'

/** What to know of an error code: what its page says, and what the OpenAPI document shows. */
export interface ErrorGuide {
  /** What happened, in a sentence. */
  readonly meaning: string
  /** What whoever gets it does about it. */
  readonly remedy: string
  /** Whether the same request may be sent again, and when. */
  readonly retry: string
  readonly example: { readonly message: string; readonly details: ErrorDetails }
}

const NEVER = 'Not as it is: the same request gets the same answer.'

export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorGuide>> = {
  VALIDATION_ERROR: {
    meaning: 'The body, the path, the query or a header is not what the operation takes.',
    remedy:
      '`details.issues` lists every problem at once, each with the field (`path`), its kind (`code`) and words (`message`). Fields that the operation does not know are problems too.',
    retry: NEVER,
    example: {
      message: 'data.amount: must be at least 0',
      details: {
        issues: [{ path: 'data.amount', code: 'too_small', message: 'must be at least 0' }],
      },
    },
  },
  AUTHENTICATION_REQUIRED: {
    meaning: 'There is no credential, or it is unknown, expired or revoked.',
    remedy:
      "Send an API key as `X-API-Key`, or an owner's token as `Authorization: Bearer`. A token ends after 24 hours and when the password changes: log in again. A deactivated agent's key is gone for good.",
    retry: 'With a credential that is valid.',
    example: { message: "this needs an agent's API key (X-API-Key: avs_…)", details: {} },
  },
  FORBIDDEN: {
    meaning: 'The credential is valid, and does not allow this.',
    remedy:
      '`details.callers` names who may, where another kind of caller is meant; `details.reason` or `details.limit` says what else stands in the way (`max_agents`: deactivate an agent, or ask for another tier).',
    retry: NEVER,
    example: {
      message: "this needs an owner's token (Authorization: Bearer <JWT>)",
      details: { callers: ['owner'] },
    },
  },
  NOT_FOUND: {
    meaning: 'There is nothing by that id, or no such path.',
    remedy: 'Check the id and the path; both are in the reference under /docs.',
    retry: NEVER,
    example: { message: 'there is no such agent', details: {} },
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists and does not take this method.',
    remedy: 'The `Allow` header and `details.allow` list the methods it takes.',
    retry: NEVER,
    example: {
      message: 'this path takes GET, HEAD, OPTIONS',
      details: { allow: 'GET, HEAD, OPTIONS' },
    },
  },
  CONFLICT: {
    meaning: 'It conflicts with what is there already.',
    remedy:
      'Read what is there first: an e-mail address that has an account, an `externalId` that names another event, an event that was decided on before.',
    retry: NEVER,
    example: {
      message: 'there is an account with this e-mail already; log in instead',
      details: {},
    },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    meaning: 'A request with the same Idempotency-Key is being carried out.',
    remedy:
      'Wait as long as `Retry-After` says and send the same request again: it gets the answer.',
    retry: 'After `Retry-After`, with the same key.',
    example: {
      message: 'a request with this Idempotency-Key is being carried out; ask again in a moment',
      details: {},
    },
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'The Idempotency-Key was used for another request.',
    remedy: 'Use a fresh key for each operation, and the same one only to repeat it unchanged.',
    retry: 'With a fresh key.',
    example: {
      message: 'this Idempotency-Key was used for another request; a new request needs a new key',
      details: {},
    },
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than 256 KiB.',
    remedy: 'Send less at once: events go in batches of up to 100, metadata holds up to 16 KiB.',
    retry: NEVER,
    example: { message: 'a body may have at most 262144 bytes', details: { maxBytes: 262_144 } },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is not declared as JSON in UTF-8.',
    remedy: 'Send the header `content-type: application/json`.',
    retry: 'With that header.',
    example: {
      message: 'send the body as JSON in UTF-8, with the header content-type: application/json',
      details: {},
    },
  },
  RATE_LIMIT_EXCEEDED: {
    meaning: 'A limit is reached.',
    remedy:
      '`details.limit` names it: `requests_per_minute`, `lookups_per_month`, `events_per_agent_hour`, `events_per_platform_hour` or `login_failures`. The `RateLimit` header tells beforehand how many requests are left.',
    retry: 'After as many seconds as `Retry-After` says.',
    example: {
      message: 'more than 100 requests in a minute; wait 42 s',
      details: { limit: 'requests_per_minute', max: 100 },
    },
  },
  INTERNAL_ERROR: {
    meaning: 'Something went wrong on the side of the service.',
    remedy:
      'Whoever runs it finds the fault in the log by `details.requestId`. A write with an Idempotency-Key may be repeated with the same key: it happens once.',
    retry: 'Yes, with growing pauses; writes with the same Idempotency-Key.',
    example: { message: 'something went wrong on our side; it has been logged', details: {} },
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'The service cannot answer just now: its database is away, or too much is waiting.',
    remedy:
      'Wait as long as `Retry-After` says. A write may or may not have happened: repeat it with the same Idempotency-Key, and it happens once.',
    retry: 'After `Retry-After`; writes with the same Idempotency-Key.',
    example: {
      message: 'the database cannot be reached just now; nothing is known to be lost, retry',
      details: {},
    },
  },
}

/** Where a code is explained, on this service. */
export function docUrlOf(code: ErrorCode): string {
  return `/docs/errors/${code}`
}
