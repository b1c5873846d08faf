import { connect } from 'node:net'
import type { Config } from '../../../src/config.ts'
import { createMailSender } from '../../../src/mail/send.ts'
import { type Finding, fine, note } from './check.ts'

/** How long a mail server or a provider may take to answer. */
const ANSWER_MAX_MS = 3_000

/** Whether the mail server takes mails of the service. The service starts without it, and tries again. */
export async function checkMail({ mail }: Config): Promise<Finding> {
  if (mail === null) {
    return fine('off: commands print links in place of mails')
  }
  const { hostname, port, protocol } = new URL(mail.url)
  const at = { host: hostname, port: Number(port) || (protocol === 'smtps:' ? 465 : 587) }
  const error = await tryConnect(at)
  if (error !== null) {
    return note(
      `${at.host}:${at.port} does not answer: ${error}`,
      'Check host and port in SMTP_URL. Mails are tried for an hour and then given up.',
    )
  }
  const sender = createMailSender(mail)
  const problem = await sender.check().then(
    () => null,
    (reason: Error) => reason.message,
  )
  sender.close()
  return problem === null
    ? fine(`${at.host}:${at.port} answers`)
    : note(
        `${at.host}:${at.port} refuses the mail of this service: ${problem}`,
        'Check the user, the password and TLS in SMTP_URL: see the page "Accounts", section "Mail".',
      )
}

function tryConnect(at: { readonly host: string; readonly port: number }): Promise<string | null> {
  return new Promise((done) => {
    const socket = connect({ ...at, timeout: ANSWER_MAX_MS })
    const end = (error: string | null) => {
      socket.destroy()
      done(error)
    }
    socket.once('connect', () => end(null))
    socket.once('timeout', () => end('no answer in time'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}

/** Whether the provider of sign-ins answers, and is the one that the settings name. */
export async function checkProvider({ oidc }: Config): Promise<Finding> {
  if (oidc === null) {
    return fine('none: people sign in with passwords')
  }
  const fix = 'Check STANDING_OIDC_ISSUER. Passwords work meanwhile.'
  try {
    const response = await fetch(
      `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      {
        signal: AbortSignal.timeout(ANSWER_MAX_MS),
      },
    )
    const { issuer } = response.ok ? ((await response.json()) as { issuer?: unknown }) : {}
    return hrefOf(issuer) === hrefOf(oidc.issuer)
      ? fine(`${oidc.issuer} answers`)
      : note(`${oidc.issuer} answers ${response.status}, and is not that issuer`, fix)
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return note(`${oidc.issuer} does not answer: ${cause?.code ?? message}`, fix)
  }
}

/** As the service compares issuers: a slash after the host makes no difference. */
function hrefOf(address: unknown): string | null {
  return typeof address === 'string' && URL.canParse(address) ? new URL(address).href : null
}
