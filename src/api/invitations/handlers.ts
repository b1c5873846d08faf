import { audit } from '../../audit/audit.ts'
import { confirmCaller } from '../../auth/confirm-caller.ts'
import type { Throttle } from '../../auth/throttle.ts'
import type { Context } from '../../context.ts'
import type { Caller } from '../../domain/caller.ts'
import { notFound } from '../../domain/error.ts'
import { created, noContent, type Response } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import {
  createInvitation,
  existingInvitation,
  type NewInvitation,
} from '../../identity/invitations.ts'
import { linkTo } from '../../identity/links.ts'
import { registrationClosed } from '../../identity/registration.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { RegistrationMode } from '../../settings/table.ts'
import type { Store } from '../../store/store.ts'
import { countMail } from '../count-mail.ts'
import { idOf, pageByKey } from '../paging.ts'
import { presentInvitation } from './present.ts'
import { INVITATION_SPECS, OWNER_INVITATION_SPECS } from './spec.ts'

export interface InvitationDeps extends Context {
  /** Null where the service sends no mail: then the response has the link. */
  readonly mailer: Mailer | null
  readonly mailThrottle: Throttle
  readonly baseUrl: () => string
  readonly settings: { readonly registration: RegistrationMode }
}

export function invitationRoutes(deps: InvitationDeps): readonly Route[] {
  return [
    ...bind(INVITATION_SPECS, deps, { inviteMember, listInvitations, deleteInvitation }),
    ...bind(OWNER_INVITATION_SPECS, deps, {
      inviteOwner,
      listOwnerInvitations,
      deleteOwnerInvitation,
    }),
  ]
}

const SPECS = { ...INVITATION_SPECS, ...OWNER_INVITATION_SPECS }
type In<Name extends keyof typeof SPECS> = InputOf<(typeof SPECS)[Name]>

async function inviteMember(deps: InvitationDeps, { caller, body, transact }: In<'inviteMember'>) {
  const { ownerId } = caller
  await countMail(deps, body.email, ownerId)
  const confirmed: Transact = (work) =>
    transact(async (within) => {
      await confirmCaller(within, caller, 'admin')
      return work(within)
    })
  return invite(deps, caller, confirmed, { ownerId, ...body })
}

async function inviteOwner(deps: InvitationDeps, { caller, body, transact }: In<'inviteOwner'>) {
  if (deps.settings.registration === 'closed') {
    throw registrationClosed()
  }
  return invite(deps, caller, transact, { ownerId: null, role: null, email: body.email })
}

type Transact = (work: (within: Store) => Promise<Response>) => Promise<Response>

async function invite(
  deps: InvitationDeps,
  caller: Caller,
  transact: Transact,
  invitation: Omit<NewInvitation, 'isMailed'>,
): Promise<Response> {
  const { mailer, baseUrl, now } = deps
  const response = await transact(async (within) => {
    const isMailed = mailer !== null
    const { row, token } = await createInvitation(within, deps, { ...invitation, isMailed })
    await mailer?.queue(within, 'invitation', row.email, row.id)
    const { ownerId, role } = row
    await audit(within, deps, caller, {
      action: 'invitation.created',
      target: target(row.id),
      details: { ownerId, role },
    })
    const link = isMailed ? null : linkTo(baseUrl(), 'invitation', token)
    return created({ ...presentInvitation(row, now()), link })
  })
  mailer?.wake()
  return response
}

function listInvitations(deps: InvitationDeps, { caller, query }: In<'listInvitations'>) {
  return list(deps, caller.ownerId, query)
}

function listOwnerInvitations(deps: InvitationDeps, { query }: In<'listOwnerInvitations'>) {
  return list(deps, null, query)
}

async function list(
  { store, cursors, now }: InvitationDeps,
  ownerId: string | null,
  query: In<'listInvitations'>['query'],
): Promise<Response> {
  const { after, limit, respond } = pageByKey(cursors, query, {
    list: 'invitations',
    ownerId: ownerId ?? '',
  })
  const page = await store.invitations.list(ownerId, after, limit)
  return respond(page, (row) => presentInvitation(row, now()), idOf)
}

function deleteInvitation(deps: InvitationDeps, input: In<'deleteInvitation'>) {
  const { caller, params, transact } = input
  return remove(deps, caller, transact, { ownerId: caller.ownerId, id: params.id })
}

function deleteOwnerInvitation(deps: InvitationDeps, input: In<'deleteOwnerInvitation'>) {
  const { caller, params, transact } = input
  return remove(deps, caller, transact, { ownerId: null, id: params.id })
}

function remove(
  deps: InvitationDeps,
  caller: Caller,
  transact: Transact,
  { ownerId, id }: { readonly ownerId: string | null; readonly id: string },
): Promise<Response> {
  return transact(async (within) => {
    const invitation = await existingInvitation(within, ownerId, id)
    // Another request may have deleted it since it was read.
    if (!(await within.invitations.delete({ id: invitation.id }))) {
      throw notFound('invitation')
    }
    await audit(within, deps, caller, {
      action: 'invitation.deleted',
      target: target(invitation.id),
    })
    return noContent()
  })
}

function target(id: string) {
  return { kind: 'invitation', id }
}
