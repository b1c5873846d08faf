/** The service's records as they come over the wire. Times are RFC 3339 UTC with milliseconds. */
export type Timestamp = string
export type Tier = 'free' | 'growth' | 'platform'

/** What every list takes. `limit` is 1 to 100, 50 by default. */
export type ListQuery = {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}
export type RangeQuery = ListQuery & {
  readonly from?: Timestamp | undefined
  readonly to?: Timestamp | undefined
}
