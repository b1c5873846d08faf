import type { Schema } from '../schema.ts'

/** RFC 3339. The service answers in UTC with milliseconds: `2026-06-15T11:00:00.000Z`. */
export type Timestamp = string

/** What every list takes. `limit` is 1 to 100, 50 by default. */
export type ListQuery = Schema<'listTransfersQuery'>
/** With `parentId`, only agents that act for that one. */
export type AgentQuery = Schema<'listAgentsQuery'>
/** As `ListQuery`, within a time. */
export type RangeQuery = Schema<'getScoreHistoryQuery'>

export interface Owner extends Schema<'Owner'> {}
export type Tier = Owner['tier']
/** An owner and the JWT for `new Standing({ token })`. */
export interface Session extends Schema<'Session'> {}
/** A password has 12 to 128 characters. */
export interface OwnerRegistration extends Schema<'Register'> {}
export interface Login extends Schema<'Login'> {}
export interface PasswordChange extends Schema<'ChangePassword'> {}
export type OwnerQuery = Schema<'listOwnersQuery'>
/** The account, the member or API key that asks, and what it may do. */
export interface Account extends Schema<'Account'> {}
/** A sign-in that has not ended, without its token. */
export interface ActiveSession extends Schema<'ActiveSession'> {}
export interface AuthOptions extends Schema<'AuthOptions'> {}
/** The token of a link, and the password to set by it. */
export interface PasswordReset extends Schema<'ResetPassword'> {}

/** `running` while a history is erased in the background. */
export interface Erasure extends Schema<'Erasure'> {}

export interface Member extends Schema<'Member'> {}
export type Role = Member['role']
export interface MemberPatch extends Schema<'UpdateMember'> {}
export interface Invitation extends Schema<'Invitation'> {}
/** `link` is null where the service sent it by mail. */
export interface InvitationWithLink extends Schema<'InvitationWithLink'> {}
export interface MemberInvitation extends Schema<'InviteMember'> {}

/** A named API key of an account. */
export interface OwnerKey extends Schema<'OwnerKey'> {}
export type OwnerKeyScope = OwnerKey['scopes'][number]
/** An account's key with its `apiKey`, which no other answer carries. */
export interface OwnerKeyWithSecret extends Schema<'OwnerKeyWithSecret'> {}
export interface OwnerKeyInput extends Schema<'CreateOwnerKey'> {}

/** What the agent itself, its owner and the operator read. */
export interface Agent extends Schema<'Agent'> {}
/** What anyone with a key reads of an agent. */
export interface PublicAgent extends Schema<'PublicAgent'> {}
/** What `agents.get` answers: in full to the agent itself, its owner and the operator. */
export type AgentProfile = PublicAgent & Partial<Agent>
/** What anyone may see of an agent whose owner has made it public. */
export interface PublicProfile extends Schema<'PublicProfile'> {}
export type AgentStatus = Agent['status']
export type Metadata = Agent['metadata']
/** An agent with its API key, which no other answer carries. */
export interface AgentWithKey extends Schema<'AgentWithKey'> {}
/** `displayName` has 1 to 100 characters, `metadata` at most 16 KiB. */
export interface AgentInput extends Schema<'RegisterAgent'> {}
/** A given `metadata` replaces the whole. */
export interface AgentPatch extends Schema<'UpdateAgent'> {}
/** By default the name and the metadata of the agent that is replaced. */
export interface SuccessorInput extends Schema<'RegisterSuccessor'> {}
/** To whom an agent is offered: by `toOwnerId` or by `toOwnerEmail`. */
export interface TransferInput extends Schema<'OfferAgent'> {}
/** An agent that is offered to another owner, or was. */
export interface Transfer extends Schema<'Transfer'> {}
/** The transfer, the agent, and its new key, which no other answer carries. */
export interface AcceptedTransfer extends Schema<'AcceptedTransfer'> {}
/** How long the previous key keeps working: an hour by default. */
export interface KeyRotation extends Schema<'RotateKey'> {}
/** The new API key of an agent or a platform, which no other answer carries. */
export interface RotatedKey extends Schema<'RotatedKey'> {}
