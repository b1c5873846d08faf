import type { Throttle } from '../auth/throttle.ts'
import type { Mailer } from '../mail/mailer.ts'

interface Mailing {
  /** Null where the service sends no mail. */
  readonly mailer: Mailer | null
  readonly mailThrottle: Throttle
}

/**
 * Counts a mail to this address that `source` asks for. Where no mail is sent, none is counted: no answer is about
 * their limit. @throws RATE_LIMIT_EXCEEDED after too many
 */
export async function countMail(
  { mailer, mailThrottle }: Mailing,
  email: string,
  source: string,
): Promise<void> {
  if (mailer !== null) {
    await mailThrottle.count(email, source)
  }
}
