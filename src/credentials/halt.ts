import { issuingHalted } from '../domain/error.ts'
import { type Halt, haltIn, ISSUING_HALT } from '../store/installation.ts'
import type { Store } from '../store/store.ts'

/** Why and since when nothing is issued; null when credentials are issued. */
export async function issuingHalt(within: Store): Promise<Halt | null> {
  return haltIn(await within.installation.find({ name: ISSUING_HALT }))
}

/**
 * Read from the database for each signature, so that a halt holds on every node at once.
 *
 * @throws SERVICE_UNAVAILABLE while the operator has halted the issuing
 */
export async function checkNotHalted(within: Store): Promise<void> {
  if (await issuingHalt(within)) {
    throw issuingHalted()
  }
}

/** Halts the issuing, or resumes it with null. False when that was done before; the first halt stays. */
export async function setHalt(within: Store, halt: Halt | null): Promise<boolean> {
  const { installation } = within
  // The row exists, so that of simultaneous changes the second one sees the first.
  await installation.insert({ name: ISSUING_HALT, value: JSON.stringify(null) })
  const before = haltIn(await installation.find({ name: ISSUING_HALT }, { lock: 'wait' }))
  if ((before === null) === (halt === null)) {
    return false
  }
  await installation.save({ name: ISSUING_HALT, value: JSON.stringify(halt) })
  return true
}
