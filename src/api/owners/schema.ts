import { PASSWORD_LENGTH_MIN } from '../../auth/password-rules.ts'
import { type ServiceTier, TIERS_OF_SERVICE } from '../../domain/limits.ts'
import { z } from '../../http/schema.ts'
import { Id, PersonName, Time } from '../wire.ts'

/** The longest address that mail systems accept (RFC 5321). */
const EMAIL_LENGTH_MAX = 254

export const Email = z
  .string()
  .trim()
  .max(EMAIL_LENGTH_MAX)
  .email('must be an e-mail address')
  .transform((email) => email.toLowerCase())
  .openapi({ format: 'email', example: 'ada@example.com' })

/** Longer than any passphrase that a person types. */
const PASSWORD_LENGTH_MAX = 128

const NewPassword = z
  .string()
  .min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`)
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
  .openapi({ format: 'password', example: 'correct horse battery staple' })

/** The token of a link. Longer texts are no tokens. */
const LinkToken = z
  .string()
  .max(200)
  .openapi({ example: 'Wl2Yq3mXv0nq7J4kq8bCkT5yq6dW1sVYp9aE2rF3hGk' })

export const RegisterBody = z
  .strictObject({
    email: Email,
    password: NewPassword,
    name: PersonName.nullish().openapi({ example: 'Ada Lovelace' }),
    invitation: LinkToken.optional().openapi({
      description: 'The token of an invitation to this e-mail.',
    }),
  })
  .openapi('Register', {
    // Without the invitation, which most registrations do not need.
    example: {
      email: 'ada@example.com',
      password: 'correct horse battery staple',
      name: 'Ada Lovelace',
    },
  })

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

export const RequestPasswordResetBody = z
  .strictObject({ email: Email })
  .openapi('RequestPasswordReset')

export const ResetPasswordBody = z
  .strictObject({
    token: LinkToken,
    newPassword: NewPassword.openapi({ example: 'a longer staple for a better horse' }),
  })
  .openapi('ResetPassword')

export const ConfirmEmailBody = z.strictObject({ token: LinkToken }).openapi('ConfirmEmail')

export const ServiceTierName = z.enum(Object.keys(TIERS_OF_SERVICE) as ServiceTier[])

export const Owner = z
  .object({
    id: Id,
    email: z.string().openapi({ format: 'email', example: 'ada@example.com' }),
    name: z.string().nullable().openapi({ example: 'Ada Lovelace' }),
    tier: ServiceTierName,
    createdAt: Time,
  })
  .openapi('Owner')

export const OwnerStatusName = z.enum(['active', 'suspended', 'erased'])

/** What the operator sees of an account. */
export const ManagedOwner = Owner.extend({ status: OwnerStatusName }).openapi('ManagedOwner')

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
