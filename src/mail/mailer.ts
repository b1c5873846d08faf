import { newToken } from '../auth/one-time-token.ts'
import { issueToken, linkTo } from '../identity/links.ts'
import { type Schedule, startInterval } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'
import type { Sources } from '../lib/sources.ts'
import type { MailKind, MailRow, Store } from '../store/store.ts'
import { messageOf } from './messages.ts'
import type { MailSender } from './send.ts'

/** Queues mails in the transaction of their cause, and sends them apart from any request. */
export interface Mailer {
  queue(within: Store, kind: MailKind, address: string, invitationId?: string | null): Promise<void>
  /** Sends what is due now. To be called after the transaction. */
  wake(): void
  /** Starts no further mail, and waits for the one that is being sent. */
  close(): Promise<void>
}

export interface MailerOptions extends Sources {
  readonly store: Store
  /** When mails of other nodes, and attempts that failed, are looked for. */
  readonly schedule: Schedule
  readonly sender: MailSender
  readonly baseUrl: () => string
  readonly onAttempt: (outcome: MailOutcome) => void
  readonly log: Log
}

/** How an attempt ended. `given_up`: the last one failed. */
export type MailOutcome = 'sent' | 'failed' | 'given_up'

/** Longer than a mail takes to send, so that no two nodes send one. */
const CLAIM_MS = 60_000

/** Five attempts within the hour for which the link to a new password is valid. */
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 30 * 60_000] as const

export function startMailer(options: MailerOptions): Mailer {
  const { store, schedule, sender, now, newId, log } = options
  const onError = (err: unknown) =>
    log.warn({ err }, 'the mail queue cannot be read or changed; it is tried again')
  /** Mails that were sent, and are still in the queue because the database failed. */
  const sent = new Set<string>()
  let isClosing = false
  const round = async () => {
    do {
      // Before another mail is claimed: these are not to be sent again.
      for (const id of sent) {
        await store.mailQueue.delete({ id })
        sent.delete(id)
      }
    } while (!isClosing && (await sendNext(options, sent)))
  }
  const interval = startInterval({ ...schedule, work: round, onError })
  return {
    async queue(within, kind, address, invitationId = null) {
      const createdAt = now()
      const mail = { id: newId(), kind, address, invitationId, createdAt }
      await within.mailQueue.insert({ ...mail, attempts: 0, nextAttemptAt: createdAt })
    },
    wake: interval.wake,
    async close() {
      isClosing = true
      await interval.stop()
      sender.close()
    },
  }
}

/** Sends the mail that is due first. False when none is due. */
async function sendNext(options: MailerOptions, sent: Set<string>): Promise<boolean> {
  const { store, sender, now, onAttempt, log } = options
  const at = now()
  const [mail] = await store.mailQueue.claimDue(at, at + CLAIM_MS, 1)
  if (!mail) {
    return false
  }
  try {
    const link = await linkOf(options, mail)
    // An address without an account gets no mail.
    if (link !== null) {
      await sender.send({ to: mail.address, ...messageOf(mail.kind, link) })
      onAttempt('sent')
    }
    sent.add(mail.id)
  } catch (err) {
    const { id, kind, attempts } = mail
    const wait = RETRY_MS[attempts - 1]
    const isLast = wait === undefined
    onAttempt(isLast ? 'given_up' : 'failed')
    // The address is the person's own matter: the log names the mail by its id.
    log.warn({ err, mail: id, kind, attempts, isLast }, 'a mail was not sent')
    await (isLast
      ? store.mailQueue.delete({ id })
      : store.mailQueue.update({ id }, { nextAttemptAt: at + wait }))
  }
  return true
}

/** Creates the token and its link; null when no account has the address. */
async function linkOf(
  { store, baseUrl, now }: MailerOptions,
  { kind, address, invitationId }: MailRow,
): Promise<string | null> {
  if (kind === 'invitation') {
    const { token, hash: tokenHash } = newToken()
    // A link that was mailed before no longer works.
    const change = { tokenHash, isMailed: true }
    const found = invitationId && (await store.invitations.update({ id: invitationId }, change))
    return found ? linkTo(baseUrl(), kind, token) : null
  }
  const member = await store.members.find({ email: address })
  if (!member) {
    return null
  }
  const what = { purpose: kind, isMailed: true }
  const { token } = await store.transaction((within) => issueToken(within, now(), member.id, what))
  return linkTo(baseUrl(), kind, token)
}
