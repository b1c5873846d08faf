import { audit } from '../../audit/audit.ts'
import { tokenHashOf } from '../../auth/one-time-token.ts'
import type { Origin } from '../../auth/passwords.ts'
import { invalid } from '../../domain/error.ts'
import { issuesOf } from '../../http/issues.ts'
import { checkStorable } from '../../http/json.ts'
import type { z } from '../../http/schema.ts'
import { parseBy } from '../../http/validation-messages.ts'
import { isOpen } from '../../identity/links.ts'
import { targetOf } from '../../identity/login.ts'
import { confirmEmail, preparePasswordReset } from '../../identity/password.ts'
import { prepareRegistration } from '../../identity/registration.ts'
import type { AccountLinks, LinkKind } from '../../pages/account-routes.ts'
import type { MemberRow, Store } from '../../store/store.ts'
import type { OwnerDeps } from './handlers.ts'
import type { OidcDeps } from './oidc.ts'
import { ConfirmEmailBody, RegisterBody, ResetPasswordBody } from './schema.ts'

/** What the pages of links do: the operations of the API, with a form for a body. */
export function linkPages(deps: OidcDeps): AccountLinks {
  const { store, now } = deps
  return {
    oidcName: deps.oidc?.name ?? null,
    async isOpen(kind, token) {
      if (kind !== 'invitation') {
        return isOpen(store, deps, kind, token)
      }
      const invitation = await store.invitations.find({ tokenHash: tokenHashOf(token) })
      return invitation !== null && invitation.expiresAt > now()
    },
    async submit(kind, form, address) {
      const work = await workOf(deps, kind, form, { address, isKnown: false })
      await store.transaction(async (within) => {
        const member = await work(within)
        const caller = { kind: 'anonymous', address } as const
        await audit(within, deps, caller, { action: ACTIONS[kind], target: targetOf(member) })
      })
    },
  }
}

const ACTIONS: Readonly<Record<LinkKind, string>> = {
  password_reset: 'owner.password_reset',
  email_confirmation: 'owner.email_confirmed',
  invitation: 'owner.registered',
}

/** Reads the form, and hashes the password before the transaction. */
async function workOf(
  deps: OwnerDeps,
  kind: LinkKind,
  form: URLSearchParams,
  from: Origin,
): Promise<(within: Store) => Promise<MemberRow>> {
  const token = form.get('token') ?? ''
  const password = form.get('password') ?? ''
  switch (kind) {
    case 'password_reset': {
      const body = parsed(ResetPasswordBody, { token, newPassword: password })
      const reset = await preparePasswordReset(deps, body, from)
      return async (within) => (await reset(within)).member
    }
    case 'email_confirmation':
      parsed(ConfirmEmailBody, { token })
      return (within) => confirmEmail(within, deps, token)
    case 'invitation': {
      const body = parsed(RegisterBody, { ...fieldsOf(form), invitation: token })
      const register = await prepareRegistration(deps, body, from)
      return async (within) => (await register(within)).member
    }
  }
}

function fieldsOf(form: URLSearchParams) {
  return {
    email: form.get('email') ?? '',
    password: form.get('password') ?? '',
    name: form.get('name') || null,
  }
}

function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  // A form may have characters in it that the parser of JSON bodies refuses.
  checkStorable(value)
  const result = parseBy(schema, value)
  if (result.success) {
    return result.data as z.output<T>
  }
  throw invalid(issuesOf('body', result.error))
}
