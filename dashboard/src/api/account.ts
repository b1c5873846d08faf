import { call } from './client.ts'
import { pagesAt } from './pages.ts'
import type {
  Invitation,
  InvitationWithLink,
  Member,
  OwnerKey,
  OwnerKeyWithSecret,
  Role,
  Scope,
} from './types.ts'

export const listMembers = pagesAt<Member>('/v1/members')

export function setRole(id: string, role: Role): Promise<Member> {
  return call('PATCH', `/v1/members/${id}`, { body: { role } })
}

export function removeMember(id: string, keepalive: boolean): Promise<void> {
  return call('DELETE', `/v1/members/${id}`, { keepalive })
}

export const listInvitations = pagesAt<Invitation>('/v1/invitations')

export function inviteMember(body: {
  readonly email: string
  readonly role: Role
}): Promise<InvitationWithLink> {
  return call('POST', '/v1/invitations', { body })
}

export function deleteInvitation(id: string, keepalive: boolean): Promise<void> {
  return call('DELETE', `/v1/invitations/${id}`, { keepalive })
}

export const listKeys = pagesAt<OwnerKey>('/v1/keys')

export function createKey(body: {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: string | null
}): Promise<OwnerKeyWithSecret> {
  return call('POST', '/v1/keys', { body })
}

export function revokeKey(id: string, keepalive: boolean): Promise<OwnerKey> {
  return call('DELETE', `/v1/keys/${id}`, { keepalive })
}
