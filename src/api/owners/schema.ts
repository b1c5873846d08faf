import { z } from '../../http/schema.ts'
import type { OwnerRow } from '../../store/store.ts'
import { Id, Time, time } from '../wire.ts'

/** The longest address that mail systems accept (RFC 5321). */
const EMAIL_LENGTH_MAX = 254

export const Email = z
  .string()
  .trim()
  .max(EMAIL_LENGTH_MAX)
  .email('must be an e-mail address')
  .transform((email) => email.toLowerCase())
  .openapi({ format: 'email', example: 'ada@example.com' })

const PASSWORD_LENGTH_MIN = 12
const PASSWORD_LENGTH_MAX = 128

const NewPassword = z
  .string()
  .min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`)
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
  .openapi({ format: 'password', example: 'correct horse battery staple' })

export const RegisterBody = z
  .strictObject({
    email: Email,
    password: NewPassword,
    name: z.string().trim().max(100).nullish().openapi({ example: 'Ada Lovelace' }),
  })
  .openapi('Register')

export const LoginBody = z
  .strictObject({
    email: Email,
    password: z
      .string()
      .max(1_024)
      .openapi({ format: 'password', example: 'correct horse battery staple' }),
  })
  .openapi('Login')

export const ChangePasswordBody = z
  .strictObject({
    currentPassword: LoginBody.shape.password,
    newPassword: NewPassword.openapi({ example: 'a longer staple for a better horse' }),
  })
  .openapi('ChangePassword')

export const ServiceTierName = z.enum(['free', 'growth', 'platform'])

export const Owner = z
  .object({
    id: Id,
    email: z.string().openapi({ format: 'email', example: 'ada@example.com' }),
    name: z.string().nullable().openapi({ example: 'Ada Lovelace' }),
    tier: ServiceTierName,
    createdAt: Time,
  })
  .openapi('Owner')

export const Session = z
  .object({
    owner: Owner,
    token: z.string().openapi({
      description: 'A JWT to send as `Authorization: Bearer`.',
      example: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTkzMWI2NiJ9.c2lnbmF0dXJl',
    }),
    expiresAt: Time.openapi({ example: '2026-06-16T11:00:00.000Z' }),
  })
  .openapi('Session')

export function presentOwner({ id, email, name, tier, createdAt }: OwnerRow) {
  return { id, email, name, tier, createdAt: time(createdAt) }
}

export function presentSession(owner: OwnerRow, session: { token: string; expiresAt: number }) {
  return {
    owner: presentOwner(owner),
    token: session.token,
    expiresAt: time(session.expiresAt),
  }
}
