import type { Log } from '../lib/log.ts'
import { createSemaphore, type Semaphore } from '../lib/semaphore.ts'
import { createSigningKeys, type SigningKeys, type SigningKeysOptions } from '../signing/keys.ts'
import { type BackgroundFolds, createBackgroundFolds } from './background-folds.ts'
import { EXPORTS } from './export.ts'
import { createReplays, type Replays } from './replays.ts'
import { createQuarantinedScores, type QuarantinedScores } from './score-with-quarantined.ts'

/** What explains scores, and reads what they come from. */
export interface Scoring {
  readonly folds: BackgroundFolds
  readonly replays: Replays
  readonly quarantinedScores: QuarantinedScores
  /** Bounds the exports that are made at the same time. */
  readonly exports: Semaphore
  /** Sign receipts. */
  readonly receiptKeys: SigningKeys
}

export async function createScoring(
  options: SigningKeysOptions & { readonly log: Log },
): Promise<Scoring> {
  const folds = createBackgroundFolds((err) =>
    options.log.warn(
      { err },
      'the score of a hypothetical log was not computed; the next request begins it again',
    ),
  )
  return {
    folds,
    replays: createReplays(),
    quarantinedScores: createQuarantinedScores(options.store, folds),
    exports: createSemaphore(EXPORTS),
    receiptKeys: await createSigningKeys(options, 'receipts'),
  }
}
