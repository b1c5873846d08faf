import { createTransport } from 'nodemailer'
import type { MailSettings } from '../settings/mail.ts'

/** A plain text mail. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface MailSender {
  /** Resolves when the mail server has accepted the mail. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** A mail server answers within seconds; one that hangs must not keep a mail from the next attempt. */
const TIMEOUT_MS = 10_000

export function createMailSender({ url, from }: MailSettings): MailSender {
  const transport = createTransport(
    {
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // A mail is text that this service wrote: nothing is read from files or addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return {
    async send(mail) {
      await transport.sendMail(mail)
    },
    close: () => transport.close(),
  }
}
