import type { RouteSpecs } from '../../http/route.ts'
import { Member } from '../members/schema.ts'
import { ANYONE } from '../wire.ts'
import { ConfirmEmailBody, RequestPasswordResetBody, ResetPasswordBody, Session } from './schema.ts'

const NO_MAIL =
  '`FORBIDDEN` with `details.reason` `mail_off` where the service sends no mail (`SMTP_URL`).'

const ENDED = '`VALIDATION_ERROR` where it is used, replaced, expired or unknown.'

export const LINK_SPECS = {
  requestPasswordReset: {
    method: 'post',
    path: '/v1/auth/password-reset',
    tag: 'Auth',
    summary: 'Ask for a link to a new password',
    description:
      'No credential needed. A link is mailed where the e-mail has an account; the response is the ' +
      'same for every e-mail. After 10 requests in 15 minutes for one e-mail or from one address it ' +
      `is \`RATE_LIMIT_EXCEEDED\` with \`details.limit\` \`mails\`. ${NO_MAIL}`,
    callers: ANYONE,
    body: RequestPasswordResetBody,
    responses: { 202: { description: 'The request is accepted' } },
  },
  resetPassword: {
    method: 'post',
    path: '/v1/auth/password-reset/confirm',
    tag: 'Auth',
    summary: 'Set a new password by a link',
    description:
      'No credential needed: the token of the link is one. It works once, within an hour. Ends every ' +
      'token issued before and returns a new one. Where the link was mailed and the address of the account was ' +
      'never confirmed, a stranger may have opened the account: then its other members, invitations, API keys and ' +
      `webhooks end too. ${ENDED}`,
    callers: ANYONE,
    body: ResetPasswordBody,
    responses: { 200: { description: 'The account and a new token', schema: Session } },
  },
  requestEmailConfirmation: {
    method: 'post',
    path: '/v1/auth/email-confirmation',
    tag: 'Auth',
    summary: 'Ask for a link that confirms the e-mail address',
    description:
      'Owner only. Mails the link to the person who asks. After 10 requests in 15 minutes for one ' +
      'e-mail or from one address it is `RATE_LIMIT_EXCEEDED` with `details.limit` `mails`. ' +
      NO_MAIL,
    callers: ['owner'],
    permission: 'session',
    responses: { 202: { description: 'The request is accepted' } },
  },
  confirmEmail: {
    method: 'post',
    path: '/v1/auth/email-confirmation/confirm',
    tag: 'Auth',
    summary: 'Confirm an e-mail address by a link',
    description: `No credential needed: the token of the link is one. It works once, within three days. ${ENDED}`,
    callers: ANYONE,
    body: ConfirmEmailBody,
    responses: { 200: { description: 'The member', schema: Member } },
  },
} as const satisfies RouteSpecs
