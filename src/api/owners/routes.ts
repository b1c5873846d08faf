import type { LoginThrottle } from '../../auth/login-throttle.ts'
import type { Passwords } from '../../auth/passwords.ts'
import type { Tokens } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import type { Caller } from '../../domain/caller.ts'
import { created, ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { loginRefused, registerOwner } from '../../identity/owners.ts'
import { audit } from '../audit/routes.ts'
import {
  ChangePasswordBody,
  LoginBody,
  Owner,
  presentOwner,
  presentSession,
  RegisterBody,
  Session,
} from './schema.ts'

export interface OwnerRoutesOptions {
  readonly context: Context
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly throttle: LoginThrottle
}

const ANYONE = ['anonymous', 'owner', 'agent', 'platform', 'operator'] as const

export function ownerRoutes(options: OwnerRoutesOptions): readonly Route[] {
  const { context, passwords, tokens, throttle } = options
  const { store } = context

  /** Whose account was tried is told by its id alone: what was typed may be anything. */
  function noteFailure(caller: Caller, ownerId: string | null): Promise<void> {
    const target = ownerId === null ? null : { kind: 'owner', id: ownerId }
    return store.transaction((within) =>
      audit(within, context, caller, 'owner.login_failed', target),
    )
  }

  const register = route({
    method: 'post',
    path: '/v1/auth/register',
    operationId: 'registerOwner',
    tag: 'Auth',
    summary: 'Register a new owner account',
    description: 'Answers the owner with a token that is good for 24 hours.',
    callers: ANYONE,
    body: RegisterBody,
    answers: { 201: { description: 'The account, and its first token', schema: Session } },
    errors: ['CONFLICT'],
    async handle({ body, transact }) {
      const passwordHash = await passwords.hash(body.password)
      return transact(async (within) => {
        const { email, name = null } = body
        const owner = await registerOwner(within, context, { email, passwordHash, name })
        return created(presentSession(owner, await tokens.issue(owner)))
      })
    },
  })

  const login = route({
    method: 'post',
    path: '/v1/auth/login',
    operationId: 'loginOwner',
    tag: 'Auth',
    summary: 'Log in as an owner',
    description:
      'Ten failures in a quarter of an hour, for one e-mail or from one address, give 429.',
    callers: ANYONE,
    body: LoginBody,
    answers: { 200: { description: 'The account, and a new token', schema: Session } },
    async handle({ body, address, transact }) {
      const attempt = await throttle.begin(body.email, address)
      const owner = await store.owners.findByEmail(body.email)
      const matches = await passwords.matches(owner?.passwordHash ?? null, body.password)
      if (!owner || !matches) {
        await attempt.failed()
        await noteFailure({ kind: 'anonymous', address }, owner?.id ?? null)
        throw loginRefused()
      }
      await attempt.succeeded()
      return transact(async () => ok(presentSession(owner, await tokens.issue(owner))))
    },
  })

  const me = route({
    method: 'get',
    path: '/v1/auth/me',
    operationId: 'getOwner',
    tag: 'Auth',
    summary: 'The owner that the token belongs to',
    description: 'With the tier, which says how much he may ask for.',
    callers: ['owner'],
    answers: { 200: { description: 'The account', schema: Owner } },
    async handle({ caller }) {
      const owner = await store.owners.find(caller.ownerId)
      if (!owner) {
        throw loginRefused()
      }
      return ok(presentOwner(owner))
    },
  })

  const changePassword = route({
    method: 'post',
    path: '/v1/auth/password',
    operationId: 'changePassword',
    tag: 'Auth',
    summary: 'Change the password',
    description: 'Every token given out before ends; the answer has a new one.',
    callers: ['owner'],
    body: ChangePasswordBody,
    answers: { 200: { description: 'The account, and a new token', schema: Session } },
    async handle({ caller, body, address, transact }) {
      const owner = await store.owners.find(caller.ownerId)
      if (!owner) {
        throw loginRefused()
      }
      const attempt = await throttle.begin(owner.email, address)
      if (!(await passwords.matches(owner.passwordHash, body.currentPassword))) {
        await attempt.failed()
        await noteFailure(caller, owner.id)
        throw loginRefused()
      }
      await attempt.succeeded()
      const passwordHash = await passwords.hash(body.newPassword)
      const answer = await transact(async (within) => {
        const changed = await within.owners.setPassword(owner.id, passwordHash)
        if (!changed) {
          throw loginRefused()
        }
        await audit(within, context, caller, 'owner.password_changed', {
          kind: 'owner',
          id: owner.id,
        })
        return ok(presentSession(changed, await tokens.issue(changed)))
      })
      tokens.forget(owner.id)
      return answer
    },
  })

  return [register, login, me, changePassword]
}
