import type { Calls } from '../calls.ts'
import type { CallOptions, WriteOptions } from '../transport.ts'
import type { Owner, OwnerRegistration, PasswordChange, Session } from '../types.ts'

export type Auth = ReturnType<typeof authCalls>

/** A session's token is not kept by this client: `standing.with({ token })` makes one that does. */
export function authCalls({ read, write }: Calls) {
  return {
    register: (input: OwnerRegistration, options?: WriteOptions): Promise<Session> =>
      write('POST', '/v1/auth/register', [], input, options),
    login: (
      input: { readonly email: string; readonly password: string },
      options?: WriteOptions,
    ): Promise<Session> => write('POST', '/v1/auth/login', [], input, options),
    /** Owner: his own account. */
    me: (options?: CallOptions): Promise<Owner> => read('/v1/auth/me', ['token'], options),
    /** Owner. Ends every earlier token, the one it is called with among them. */
    changePassword: (input: PasswordChange, options?: WriteOptions): Promise<Session> =>
      write('POST', '/v1/auth/password', ['token'], input, options),
  }
}
