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
  /** Resolves when the mail server has accepted TLS and the sign-in, as for a mail. */
  check(): Promise<void>
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
      requireTLS: needsTls(url),
      // A mail is text that this service wrote: nothing is read from files or addresses.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return {
    async send({ to, ...mail }) {
      // One address, whatever it contains: as text, `a,b@example.com` would be two.
      await transport.sendMail({ ...mail, to: { name: '', address: to } })
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}

/** This machine: no network is in between. */
const HERE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * A password for another machine is not sent in plain text: an attacker on the network could remove STARTTLS from what the
 * server offers. `requireTLS=false` in the URL wins.
 */
function needsTls(url: string): boolean {
  const { username, hostname } = new URL(url)
  return username !== '' && !HERE.test(hostname)
}
