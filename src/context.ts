import type { Cursors } from './http/cursor.ts'
import type { Sources } from './lib/sources.ts'
import type { Store } from './store/store.ts'

/** What every handler is given. A service takes only what it uses of it. */
export interface Context extends Sources {
  readonly store: Store
  readonly cursors: Cursors
}
