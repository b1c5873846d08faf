import { UserError } from '../lib/user-error.ts'
import type { Get } from './values.ts'

/** The mail server, and the sender of mails. */
export interface MailSettings {
  /** `smtp://user:password@host:port`, or `smtps://…` for TLS from the start. */
  readonly url: string
  readonly from: string
}

/**
 * Both settings or none: a mail server refuses mail without a sender. Null where the service sends no mail.
 *
 * @throws UserError
 */
export function mailSettings(get: Get): MailSettings | null {
  const url = get('SMTP_URL')
  const from = get('STANDING_MAIL_FROM')
  if (url === null && from === null) {
    return null
  }
  if (url === null || !/^smtps?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    throw new UserError(
      'SMTP_URL must read smtp://user:password@host:port, or smtps:// for TLS. Percent-encode special ' +
        'characters in the user name and the password: %2F for /, %40 for @.',
    )
  }
  if (from === null || !/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/.test(from)) {
    throw new UserError('STANDING_MAIL_FROM must be the sender of mails: standing@example.com.')
  }
  return { url, from }
}
