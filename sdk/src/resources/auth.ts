import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { Login, Owner, OwnerRegistration, PasswordChange, Session } from '../types.ts'

export type Auth = ReturnType<typeof authCalls>

/** A session's token is not kept by this client: `client.with({ token })` makes one that sends it. */
export function authCalls({ read, write }: Calls) {
  return {
    register: (input: OwnerRegistration, options?: WriteOptions): Promise<Session> =>
      write('POST', '/v1/auth/register', [], input, options),
    login: (input: Login, options?: WriteOptions): Promise<Session> =>
      write('POST', '/v1/auth/login', [], input, options),
    /** Owner: the account itself. */
    me: (options?: CallOptions): Promise<Owner> => read('/v1/auth/me', ['token'], options),
    /** Owner. Ends every earlier token, the one it is called with among them. */
    changePassword: (input: PasswordChange, options?: WriteOptions): Promise<Session> =>
      write('POST', '/v1/auth/password', ['token'], input, options),
  }
}
