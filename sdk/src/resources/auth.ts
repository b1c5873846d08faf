import type { Calls } from '../calls.ts'
import type { WriteOptions } from '../transport.ts'
import type { OwnerRegistration, PasswordChange, Session } from '../types.ts'

export type Auth = ReturnType<typeof authCalls>

/** Both answers carry a token, which this client does not keep: `standing.with({ token })` does. */
export function authCalls({ write }: Calls) {
  return {
    register: (input: OwnerRegistration, options?: WriteOptions): Promise<Session> =>
      write('POST', '/v1/auth/register', [], input, options),
    login: (
      input: { readonly email: string; readonly password: string },
      options?: WriteOptions,
    ): Promise<Session> => write('POST', '/v1/auth/login', [], input, options),
    /** Owner. Ends every earlier token, the one it is called with among them. */
    changePassword: (input: PasswordChange, options?: WriteOptions): Promise<Session> =>
      write('POST', '/v1/auth/password', ['token'], input, options),
  }
}
