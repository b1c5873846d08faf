import { call } from './client.ts'
import type {
  Invitation,
  InvitationWithLink,
  Member,
  OwnerKey,
  OwnerKeyWithSecret,
  Page,
  Role,
  Scope,
} from './types.ts'

export function listMembers(
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Member>> {
  return call('GET', '/v1/members', { query: { cursor }, signal })
}

export function setRole(id: string, role: Role): Promise<Member> {
  return call('PATCH', `/v1/members/${id}`, { body: { role } })
}

export function removeMember(id: string, keepalive: boolean): Promise<void> {
  return call('DELETE', `/v1/members/${id}`, { keepalive })
}

export function listInvitations(
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Invitation>> {
  return call('GET', '/v1/invitations', { query: { cursor }, signal })
}

export function inviteMember(body: {
  readonly email: string
  readonly role: Role
}): Promise<InvitationWithLink> {
  return call('POST', '/v1/invitations', { body })
}

export function deleteInvitation(id: string, keepalive: boolean): Promise<void> {
  return call('DELETE', `/v1/invitations/${id}`, { keepalive })
}

export function listKeys(cursor: string | undefined, signal: AbortSignal): Promise<Page<OwnerKey>> {
  return call('GET', '/v1/keys', { query: { cursor }, signal })
}

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
