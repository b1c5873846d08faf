import type { ErrorCode, ErrorDetails } from '../domain/error.ts'

/** The documentation of an error code: for its page, and for the OpenAPI document. */
export interface ErrorGuide {
  /** What happened, in one sentence. */
  readonly meaning: string
  /** What the client does about it. */
  readonly remedy: string
  /** Whether the same request may be sent again, and when. */
  readonly retry: string
  readonly example: { readonly message: string; readonly details: ErrorDetails }
}

const NEVER = 'Not unchanged: the same request gets the same response.'

export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorGuide>> = {
  VALIDATION_ERROR: {
    meaning: 'The body, the path, the query or a header is not valid for the operation.',
    remedy:
      '`details.issues` lists every problem at once, each with its field (`path`), its kind (`code`) and a sentence (`message`). Unknown fields and query parameters are problems too.',
    retry: NEVER,
    example: {
      message: 'data.amount: must be at least 0',
      details: {
        issues: [{ path: 'data.amount', code: 'too_small', message: 'must be at least 0' }],
      },
    },
  },
  AUTHENTICATION_REQUIRED: {
    meaning: 'The credential is missing, unknown, expired or revoked.',
    remedy:
      "Send an API key as `X-API-Key`, or an owner's token as `Authorization: Bearer`. A token ends after 24 hours, with its session and when the password changes: sign in again. `details.reason` is `session_idle` where the session was not used for longer than the operator allows, and `wrong_login` where the e-mail or the password is wrong. The key of a deactivated agent never works again.",
    retry: 'With a valid credential.',
    example: { message: "this needs an agent's API key (X-API-Key: avs_…)", details: {} },
  },
  FORBIDDEN: {
    meaning: 'The credential is valid but does not allow this.',
    remedy:
      '`details.callers` lists the kinds of caller that may do this. `details.reason` or `details.limit` names any other cause (`other_owner`: it belongs to another account; `max_agents`: deactivate an agent, or ask for another tier; test data has the limits of the Free tier).',
    retry: NEVER,
    example: {
      message: "this needs an owner's token (Authorization: Bearer <JWT>)",
      details: { callers: ['owner'] },
    },
  },
  NOT_FOUND: {
    meaning: 'Nothing has this id, or the path does not exist.',
    remedy: 'Check the id and the path; both are in the reference under /docs.',
    retry: NEVER,
    example: { message: 'there is no such agent', details: {} },
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists but does not take this method.',
    remedy: 'The `Allow` header and `details.allow` list the methods it takes.',
    retry: NEVER,
    example: {
      message: 'this path accepts GET, HEAD, OPTIONS',
      details: { allow: 'GET, HEAD, OPTIONS' },
    },
  },
  CONFLICT: {
    meaning: 'The request conflicts with something that exists.',
    remedy:
      'Read what exists first: an account with this e-mail address, another event with this `externalId`, a decision about this event.',
    retry: NEVER,
    example: {
      message: 'there is an account with this e-mail already; sign in instead',
      details: {},
    },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    meaning: 'A request with the same Idempotency-Key is being processed.',
    remedy:
      'Wait for `Retry-After` and send the same request again: it gets the response of the first.',
    retry: 'After `Retry-After`, with the same key.',
    example: {
      message: 'a request with this Idempotency-Key is being processed; retry in a moment',
      details: {},
    },
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'The Idempotency-Key was used for a different request.',
    remedy:
      'Use a new key for each operation, and the same key only to repeat it with the same JSON.',
    retry: 'With a new key.',
    example: {
      message: 'this Idempotency-Key was used for another request; a new request needs a new key',
      details: {},
    },
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than the operation takes: 256 KiB for most.',
    remedy: 'Send less at once: up to 100 events in a batch, up to 16 KiB of metadata.',
    retry: NEVER,
    example: { message: 'a body may have at most 262144 bytes', details: { maxBytes: 262_144 } },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning:
      'The body is not declared as JSON in UTF-8, or as another type that the operation takes.',
    remedy: 'Send the header `content-type: application/json`.',
    retry: 'With that header.',
    example: {
      message: 'send the body as JSON in UTF-8, with the header content-type: application/json',
      details: {},
    },
  },
  RATE_LIMIT_EXCEEDED: {
    meaning: 'A limit is used up.',
    remedy:
      '`details.limit` names it: `requests_per_minute`, `lookups_per_month`, `stored_responses_per_day`, `registrations_per_day`, `events_per_agent_hour`, `events_per_platform_hour`, `login_failures`, `mails`, `exports` or `event_streams`. The `RateLimit` header says how many requests are left.',
    retry: 'After the seconds in `Retry-After`.',
    example: {
      message:
        'more than 100 requests in a minute; wait 42 s, or ask the operator for a larger tier',
      details: { limit: 'requests_per_minute', max: 100 },
    },
  },
  INTERNAL_ERROR: {
    meaning: 'The service failed.',
    remedy:
      'The operator finds the fault in the log by `details.requestId`. A write with an Idempotency-Key may be repeated with the same key: it happens once.',
    retry: 'Yes, with increasing pauses; writes with the same Idempotency-Key.',
    example: { message: 'the service failed; the fault has been logged', details: {} },
  },
  SERVICE_UNAVAILABLE: {
    meaning:
      'The service cannot respond at the moment: its database cannot be reached, or too many requests wait.',
    remedy:
      '`details.reason` says why, where it is known: `overloaded`, `computing`, `database`, `disk_full`, `issuing_halted`, `provider` or `shutting_down`. Wait for `Retry-After`. A write may or may not have happened: repeat it with the same Idempotency-Key, and it happens once.',
    retry: 'After `Retry-After`; writes with the same Idempotency-Key.',
    example: {
      message: 'the database cannot be reached; retry',
      details: {},
    },
  },
}

/** The path of the page about a code. */
export function docUrlOf(code: ErrorCode): string {
  return `/docs/errors/${code}`
}
