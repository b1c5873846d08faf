import type { MailKind } from '../store/store.ts'

/** Subject and text of a mail with a link. The text names nothing that a stranger may choose. */
export function messageOf(kind: MailKind, link: string): { subject: string; text: string } {
  const { subject, before, after } = MESSAGES[kind]
  return { subject, text: `${[before, link, after].join('\n\n')}\n` }
}

interface Message {
  readonly subject: string
  readonly before: string
  readonly after: string
}

const MESSAGES: Readonly<Record<MailKind, Message>> = {
  password_reset: {
    subject: 'Set a new password for Standing',
    before: 'Somebody asked for a new password for this address. To choose one, open this link:',
    after:
      'The link works once, within an hour. If it was not you, ignore this mail: the password stays ' +
      'as it is.',
  },
  email_confirmation: {
    subject: 'Confirm your e-mail address for Standing',
    before: 'To confirm that this address belongs to your account, open this link:',
    after: 'The link works once, within three days. If you have no account, ignore this mail.',
  },
  invitation: {
    subject: 'Your invitation to Standing',
    before: 'You are invited to an account of Standing. To accept, open this link:',
    after: 'The link works once, within a week. If you expect no invitation, ignore this mail.',
  },
}
