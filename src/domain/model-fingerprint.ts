/** Every figure that a score depends on, in one text: what a receipt names its model by. */

import { canonicalJson } from './canonical-json.ts'
import { RATES_VERSION } from './currency.ts'
import type { Model } from './model.ts'

/** The constants of the model by name, and which exchange rates go with them. */
export function modelFingerprint(model: Model): string {
  return canonicalJson({ ...model, RATES_VERSION })
}
