import type { PasswordContext, PasswordRules } from '../auth/password-rules.ts'
import type { Origin, Passwords } from '../auth/passwords.ts'
import { invalidField } from '../domain/error.ts'

export interface NewPasswords {
  readonly passwords: Passwords
  readonly passwordRules: PasswordRules
}

export interface NewPassword {
  readonly password: string
  /** The field of the request that has it. */
  readonly field: 'password' | 'newPassword'
  readonly person: PasswordContext
}

/** The hash of a password that may be used. @throws VALIDATION_ERROR for one that is easy to guess */
export async function hashNewPassword(
  { passwords, passwordRules }: NewPasswords,
  { password, field, person }: NewPassword,
  from: Origin,
): Promise<string> {
  const problem = await passwordRules.problem(password, person)
  if (problem) {
    throw invalidField(field, problem.message, problem.code)
  }
  return passwords.hash(password, from)
}
