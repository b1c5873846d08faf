/**
 * What a committed transaction changed. `callers`: these agents, platforms or owners themselves (a name, a
 * status, a tier, a key, a password). `scores`: the states of these agents, and so their scores. `identifiers`: whose these
 * values are. `policies`: those of these accounts. `deliveries`: those to these subscriptions, or about these
 * agents, are not to be sent, or otherwise than before. `rules`: the settings of the fraud rules.
 * `signing_keys`: a key was made, replaced or revoked. `unknown`: changes of other nodes may have been
 * missed, so anything may be stale.
 */
export type Change =
  | {
      readonly kind: 'callers' | 'scores' | 'identifiers' | 'policies' | 'deliveries'
      readonly ids: readonly string[]
    }
  | { readonly kind: 'rules' | 'signing_keys' | 'unknown' }

/**
 * The changes committed on this node and on others, so that a cache can invalidate them. Those of
 * this node are published before its transaction resolves; those of others within milliseconds.
 */
export interface ChangeFeed {
  /** Whether changes of other nodes arrive. While they do not, cached values soon are stale. */
  isConnected(): boolean
  subscribe(listener: (change: Change) => void): void
}
