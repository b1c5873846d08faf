import { audit } from '../../audit/audit.ts'
import type { Throttle } from '../../auth/throttle.ts'
import { forbidden } from '../../domain/error.ts'
import { accepted, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { memberOf, targetOf } from '../../identity/login.ts'
import { confirmEmail as confirm, preparePasswordReset } from '../../identity/password.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { countMail } from '../count-mail.ts'
import { presentMember } from '../members/present.ts'
import { newSession, type OwnerDeps } from './handlers.ts'
import { LINK_SPECS } from './links-spec.ts'

export interface LinkDeps extends OwnerDeps {
  /** Counts the mails that anonymous callers cause. */
  readonly mailThrottle: Throttle
}

export function linkRoutes(deps: LinkDeps): readonly Route[] {
  return bind(LINK_SPECS, deps, {
    requestPasswordReset,
    resetPassword,
    requestEmailConfirmation,
    confirmEmail,
  })
}

type In<Name extends keyof typeof LINK_SPECS> = InputOf<(typeof LINK_SPECS)[Name]>

/** Does not ask whether the e-mail has an account: the mailer does, after the response. */
async function requestPasswordReset(deps: LinkDeps, input: In<'requestPasswordReset'>) {
  const { caller, body, address, transact } = input
  await countMail(deps, body.email, address)
  const response = await transact(async (within) => {
    await mailerOf(deps).queue(within, 'password_reset', body.email)
    await audit(within, deps, caller, { action: 'owner.password_reset_requested', target: null })
    return accepted(undefined)
  })
  deps.mailer?.wake()
  return response
}

async function resetPassword(deps: LinkDeps, input: In<'resetPassword'>) {
  const { caller, body, address, transact } = input
  const reset = await preparePasswordReset(deps, body, { address, isKnown: false })
  return transact(async (within) => {
    const known = await reset(within)
    await audit(within, deps, caller, {
      action: 'owner.password_reset',
      target: targetOf(known.member),
    })
    return ok(await newSession(within, deps, known))
  })
}

async function requestEmailConfirmation(deps: LinkDeps, input: In<'requestEmailConfirmation'>) {
  const { caller, address, transact } = input
  const { member } = await memberOf(deps.store, caller.by.id)
  await countMail(deps, member.email, address)
  const response = await transact(async (within) => {
    await mailerOf(deps).queue(within, 'email_confirmation', member.email)
    return accepted(undefined)
  })
  deps.mailer?.wake()
  return response
}

function confirmEmail(deps: LinkDeps, { caller, body, transact }: In<'confirmEmail'>) {
  return transact(async (within) => {
    const member = await confirm(within, deps, body.token)
    await audit(within, deps, caller, { action: 'owner.email_confirmed', target: targetOf(member) })
    return ok(presentMember(member))
  })
}

function mailerOf({ mailer }: LinkDeps): Mailer {
  if (mailer === null) {
    throw forbidden('this service sends no mail; ask its operator for a link', {
      reason: 'mail_off',
    })
  }
  return mailer
}
