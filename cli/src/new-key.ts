import type { KeyRotation, RotatedKey } from '@standing/sdk'
import type { Session } from './command.ts'
import { countOf } from './output.ts'

/** Shows what holds a key that the service returns only once. */
export function showNewKey(session: Session, value: object, text: string): void {
  session.show(value, text)
  session.note('The key is not shown again.')
}

/** Replaces a key, and shows the new one. @throws UsageError where the overlap is not a number of seconds */
export async function rotateKey(
  session: Session,
  overlap: string | undefined,
  rotate: (rotation: KeyRotation) => Promise<RotatedKey>,
): Promise<number> {
  const overlapSeconds = overlap === undefined ? undefined : countOf('--overlap', overlap, 0)
  const rotated = await rotate({ overlapSeconds })
  const previous =
    overlapSeconds === 0 ? 'no longer works' : `works until ${rotated.previousKeyExpiresAt}`
  session.show(rotated, rotated.apiKey)
  session.note(`The key is not shown again. The previous one ${previous}.`)
  return 0
}
