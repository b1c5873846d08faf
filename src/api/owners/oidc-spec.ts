import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { ANYONE } from '../wire.ts'
import { Session } from './schema.ts'

const AuthOptions = z
  .object({
    registration: z.enum(['open', 'invite', 'closed']).openapi({
      description:
        'Who may open an account: anyone, only people whom the operator invited, or no one.',
    }),
    mail: z.boolean().openapi({
      description:
        'Whether the service sends mail, so that a forgotten password can be reset by it.',
    }),
    oidc: z
      .union([
        z.object({
          name: z.string().openapi({ example: 'Example SSO' }),
          startUrl: z.string().openapi({
            format: 'uri',
            example: 'https://standing.example.com/auth/oidc/start',
            description: 'Where a browser begins. It comes back with `#oidc=CODE`.',
          }),
        }),
        z.null(),
      ])
      .openapi({ description: 'The OpenID Connect provider; null for none.' }),
  })
  .openapi('AuthOptions')

const SessionBody = z
  .strictObject({
    code: z.string().max(200).openapi({
      example: 'Wl2Yq3mXv0nq7J4kq8bCkT5yq6dW1sVYp9aE2rF3hGk',
      description: 'From the fragment of the address that the browser came back to.',
    }),
  })
  .openapi('CreateOidcSession')

export const OIDC_SPECS = {
  getAuthOptions: {
    method: 'get',
    path: '/v1/auth/options',
    tag: 'Auth',
    summary: 'Get the ways to sign in and to register',
    description: 'No credential needed. What a sign-in page shows.',
    callers: ANYONE,
    responses: { 200: { description: 'The ways in', schema: AuthOptions } },
  },
  createOidcSession: {
    method: 'post',
    path: '/v1/auth/oidc/session',
    tag: 'Auth',
    summary: 'Finish a sign-in by OpenID Connect',
    description:
      'For browsers. A sign-in begins at `/auth/oidc/start` and comes back to `/#oidc=CODE` with a ' +
      'cookie. Code and cookie together give the session, once, within a minute.',
    callers: ANYONE,
    body: SessionBody,
    responses: { 200: { description: 'The account and a new token', schema: Session } },
  },
} as const satisfies RouteSpecs
