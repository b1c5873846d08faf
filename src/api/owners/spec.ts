import type { RouteSpecs } from '../../http/route.ts'
import { ANYONE } from '../wire.ts'
import { Account } from './account-schema.ts'
import { ChangePasswordBody, LoginBody, RegisterBody, Session } from './schema.ts'

export const OWNER_SPECS = {
  registerOwner: {
    method: 'post',
    path: '/v1/auth/register',
    tag: 'Auth',
    summary: 'Register an owner account',
    description:
      'No credential needed. Returns the account and a token that is valid for 24 hours. With an ' +
      '`invitation` the person joins the account that invited. `CONFLICT` when the e-mail already has ' +
      'an account. `FORBIDDEN` with `details.reason` `invitation_required` or `registration_closed` ' +
      'where `STANDING_REGISTRATION` says so.',
    callers: ANYONE,
    queue: 'login',
    body: RegisterBody,
    responses: { 201: { description: 'The account and its first token', schema: Session } },
    errors: ['CONFLICT'],
  },
  loginOwner: {
    method: 'post',
    path: '/v1/auth/login',
    tag: 'Auth',
    summary: 'Sign in as an owner',
    description:
      'No credential needed. Returns the account and a new token. A wrong e-mail or password is ' +
      '`AUTHENTICATION_REQUIRED`, without saying which. After 10 failures in 15 minutes for one ' +
      'e-mail or from one address the response is `RATE_LIMIT_EXCEEDED` with `details.limit` ' +
      '`login_failures`; at an address where the owner signed in within 30 days, only after 10 failures ' +
      'for the e-mail there. `FORBIDDEN` with ' +
      '`details.reason` `owner_suspended` where the operator suspended the account.',
    callers: ANYONE,
    queue: 'login',
    // One small row. People sign in to see what goes on, most of all when something is wrong.
    writes: false,
    body: LoginBody,
    responses: { 200: { description: 'The account and a new token', schema: Session } },
  },
  getOwner: {
    method: 'get',
    path: '/v1/auth/me',
    tag: 'Auth',
    summary: 'Get the account of the token',
    description:
      'Owner only. Returns the account with its tier and its limits, the member or the API key that ' +
      'asks, and what it may do.',
    callers: ['owner'],
    responses: { 200: { description: 'The account', schema: Account } },
  },
  logOut: {
    method: 'post',
    path: '/v1/auth/logout',
    tag: 'Auth',
    summary: 'Sign out everywhere',
    description:
      'Owner only. Ends every token of the person who asks, this one included. API keys keep working.',
    callers: ['owner'],
    isNeverLimited: true,
    permission: 'session',
    responses: { 204: { description: 'Every token is ended' } },
  },
  changePassword: {
    method: 'post',
    path: '/v1/auth/password',
    tag: 'Auth',
    summary: 'Change the password',
    description:
      'Owner only. Ends every token issued before and returns a new one. A wrong current password ' +
      'is `VALIDATION_ERROR` on `currentPassword`, and counts as a failed sign-in.',
    callers: ['owner'],
    permission: 'session',
    queue: 'login',
    body: ChangePasswordBody,
    responses: { 200: { description: 'The account and a new token', schema: Session } },
  },
} as const satisfies RouteSpecs
