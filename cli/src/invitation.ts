import type { InvitationWithLink } from '@standing/sdk'
import type { Session } from './command.ts'

/** Shows the link of an invitation, or that it was sent by mail. */
export function showInvitation(session: Session, invitation: InvitationWithLink): void {
  const { email, link, expiresAt } = invitation
  session.show(invitation, link === null ? `A mail to ${email} is on its way.` : link)
  session.note(`The link works once, until ${expiresAt}.`)
}
