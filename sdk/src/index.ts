export type { CallOptions, WriteOptions } from './call.ts'
export { Standing } from './client.ts'
export {
  type ClientErrorCode,
  isTransient,
  type ServiceErrorCode,
  StandingError,
  type StandingErrorCode,
} from './error.ts'
export { EventBuffer } from './event-buffer.ts'
export type {
  EventBufferCounts,
  EventBufferOptions,
  RejectedEvent,
} from './event-buffer-options.ts'
export type { Fetch, FetchRequest, FetchResponse } from './fetch.ts'
export type { FollowedChange, FollowOptions } from './follow.ts'
export { apiKeyChecksum, isApiKey } from './keys.ts'
export type { SigningJwk, SigningKey, StandingOptions } from './options.ts'
export type { Listing, Page } from './page.ts'
export { requireTrust, type TrustMiddleware } from './require-trust.ts'
export type { TrustOptions, TrustRefusal, TrustRequest } from './trust-check.ts'
export type * from './types.ts'
export { type HeadersLike, verifyWebhookSignature } from './verify-webhook-signature.ts'
export type { WaitInfo, WaitReason } from './wait.ts'
