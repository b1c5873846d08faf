import { DEFAULT_SETTINGS } from '../../cli/src/simulate/settings.ts'
import { MODEL, type Model } from '../../src/domain/model.ts'
import { createInMemoryIngest, type InMemoryIngest } from '../../src/ingest/in-memory-ingest.ts'

interface Options {
  readonly model?: Model
  readonly rateLimits?: boolean
}

/** The ingest of the service as it comes, only for decisions and scores. */
export function newIngest({ model = MODEL, rateLimits = true }: Options = {}): InMemoryIngest {
  let ids = 0
  return createInMemoryIngest({
    newId: () => `id-${++ids}`,
    model,
    limits: { ...DEFAULT_SETTINGS, rateLimits },
    settings: new Map(),
    onlyScores: true,
  })
}
