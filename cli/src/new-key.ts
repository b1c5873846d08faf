import type { KeyRotation, RotatedKey } from '@standing/sdk'
import type { Session } from './command.ts'
import { countOf } from './output.ts'

/** Shows what holds a key that the service returns only once. */
export function showNewKey(session: Session, value: object, text: string): void {
  session.show(value, text)
  session.note('The key is not shown again.')
}

/** Shows a key by which this rotation replaced another one. */
export function showRotatedKey(
  session: Session,
  rotated: RotatedKey,
  { overlapSeconds }: KeyRotation,
): void {
  const previous =
    overlapSeconds === 0 ? 'no longer works' : `works until ${rotated.previousKeyExpiresAt}`
  session.show(rotated, rotated.apiKey)
  session.note(`The key is not shown again. The previous one ${previous}.`)
}

/** How long the previous key works on. @throws UsageError */
export function overlapOf(seconds: string | undefined): KeyRotation {
  return { overlapSeconds: seconds === undefined ? undefined : countOf('--overlap', seconds, 0) }
}
