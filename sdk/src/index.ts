export { Standing } from './client.ts'
export {
  type ClientErrorCode,
  type ServiceErrorCode,
  StandingError,
  type StandingErrorCode,
} from './error.ts'
export { apiKeyChecksum, isApiKey } from './keys.ts'
export type { Listing, Page } from './page.ts'
export { isTransient } from './retry.ts'
export type { SigningJwk, SigningKey } from './sign.ts'
export type { CallOptions, StandingOptions, WriteOptions } from './transport.ts'
export type * from './types.ts'
export { type HeadersLike, verifyWebhook } from './verify-webhook.ts'
