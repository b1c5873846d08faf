import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { CredentialKind } from '../options.ts'
import type { Listing } from '../page.ts'
import type {
  Invitation,
  InvitationWithLink,
  ListQuery,
  Member,
  MemberInvitation,
  MemberPatch,
  OwnerKey,
  OwnerKeyInput,
  OwnerKeyWithSecret,
} from '../types.ts'
import { path } from '../url.ts'

export type Members = ReturnType<typeof memberCalls>
export type Invitations = ReturnType<typeof invitationCalls>
export type OwnerKeys = ReturnType<typeof ownerKeyCalls>

const OWNER: readonly CredentialKind[] = ['token']

/** Owner: the people of the account. */
export function memberCalls({ patch, remove, list }: Calls) {
  return {
    list: (query?: ListQuery, options?: CallOptions): Listing<Member> =>
      list('/v1/members', OWNER, query, options),
    /** As an admin. */
    update: (id: string, changes: MemberPatch, options?: WriteOptions): Promise<Member> =>
      patch(path`/v1/members/${id}`, OWNER, changes, options),
    /** As an admin. The member's tokens end at once. */
    remove: (id: string, options?: WriteOptions): Promise<void> =>
      remove(path`/v1/members/${id}`, OWNER, options),
  }
}

/** Owner: invitations to the account. */
export function invitationCalls({ post, remove, list }: Calls) {
  return {
    /** As an admin. The answer has the link where the service sends no mail. */
    create: (input: MemberInvitation, options?: WriteOptions): Promise<InvitationWithLink> =>
      post('/v1/invitations', OWNER, input, options),
    list: (query?: ListQuery, options?: CallOptions): Listing<Invitation> =>
      list('/v1/invitations', OWNER, query, options),
    /** As an admin. The link no longer works. */
    delete: (id: string, options?: WriteOptions): Promise<void> =>
      remove(path`/v1/invitations/${id}`, OWNER, options),
  }
}

/** Owner: the named API keys of the account (`avw_`). */
export function ownerKeyCalls({ read, post, remove, list }: Calls) {
  return {
    /** As an admin. The answer alone carries the `apiKey`, which goes where a token goes. */
    create: (input: OwnerKeyInput, options?: WriteOptions): Promise<OwnerKeyWithSecret> =>
      post('/v1/keys', OWNER, input, options),
    list: (query?: ListQuery, options?: CallOptions): Listing<OwnerKey> =>
      list('/v1/keys', OWNER, query, options),
    get: (id: string, options?: CallOptions): Promise<OwnerKey> =>
      read(path`/v1/keys/${id}`, OWNER, options),
    /** As an admin. The key stops working at once. */
    revoke: (id: string, options?: WriteOptions): Promise<OwnerKey> =>
      remove(path`/v1/keys/${id}`, OWNER, options),
  }
}
