/** Everything about an owner or an agent, a page at a time: the memory does not grow with the history. */
import type { Context } from '../../context.ts'
import type { Agent } from '../../domain/agent.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { MemberRow, OwnerRow, Page, WatchPlace } from '../../store/store.ts'
import { urlOf } from '../../webhooks/target.ts'
import type { WebhookSources } from '../../webhooks/webhooks.ts'
import { presentWithKeys } from '../agents/with-keys.ts'
import { presentCredential } from '../credentials/present.ts'
import { presentEvent } from '../events/present.ts'
import { presentIdentifier } from '../identifiers/present.ts'
import { presentInvitation } from '../invitations/present.ts'
import { presentMember } from '../members/present.ts'
import { presentOwnerKey } from '../owner-keys/present.ts'
import { presentManagedOwner } from '../owners/present.ts'
import { presentPolicy } from '../policies/present.ts'
import { presentSnapshot } from '../scores/present.ts'
import { presentSessionRow } from '../sessions/present.ts'
import { presentTransfer } from '../transfers/present.ts'
import { presentWatch } from '../watches/present.ts'
import { presentWebhook } from '../webhooks/present.ts'

export interface ExportDeps extends Context, WebhookSources {
  readonly exports: Semaphore
}

/** Rows read at once. */
const PART = 500

/** With the sessions of the members for whom `showsSessions` is true. */
export async function* ownerLines(
  deps: ExportDeps,
  owner: OwnerRow,
  showsSessions: (memberId: string) => boolean,
): AsyncGenerator<string> {
  const { store, now } = deps
  const { id } = owner
  yield line('account', presentManagedOwner(owner))
  for await (const member of rowsOf(deps, (before) => store.members.list(id, before, PART))) {
    yield line('member', presentMember(member))
    if (showsSessions(member.id)) {
      yield* sessionLines(deps, member)
    }
  }
  yield* paged(
    deps,
    'key',
    (before) => store.ownerKeys.list(id, before, PART),
    (key) => presentOwnerKey(key, now()),
  )
  yield* paged(
    deps,
    'invitation',
    (before) => store.invitations.list(id, before, PART),
    (invitation) => presentInvitation(invitation, now()),
  )
  yield* paged(
    deps,
    'webhook',
    (before) => store.webhooks.list(id, before, PART),
    (webhook) => presentWebhook(webhook, urlOf(deps, webhook)),
  )
  yield* policyLines(deps, id)
  yield* watchLines(deps, id)
  const party = { ownerId: id, email: owner.email }
  yield* paged(
    deps,
    'transfer',
    (before) => store.transfers.list(party, before, PART),
    (transfer) => presentTransfer(transfer, now()),
  )
  for await (const agent of rowsOf(deps, (before) =>
    store.agents.list({ ownerId: id }, before, PART),
  )) {
    yield* agentLines(deps, agent)
  }
}

export async function* agentLines(deps: ExportDeps, agent: Agent): AsyncGenerator<string> {
  const { store, now } = deps
  const { id } = agent
  const asOf = now()
  yield line('agent', await deps.exports.run(() => presentWithKeys(store, agent)))
  yield* paged(
    deps,
    'identifier',
    (before) => store.identifiers.list({ agentId: id }, before, PART),
    presentIdentifier,
  )
  yield* paged(
    deps,
    'credential',
    (before) => store.credentials.list({ agentId: id, asOf }, before, PART),
    (credential) => presentCredential(credential, asOf),
  )
  yield* eventLines(deps, id)
  yield* snapshotLines(deps, id)
}

/** All that are stored and have not expired, used or not. */
function sessionLines(deps: ExportDeps, { id }: MemberRow): AsyncGenerator<string> {
  const open = { memberId: id, expiresAfter: deps.now(), usedAfter: 0 }
  return paged(
    deps,
    'session',
    (before) => deps.store.sessions.list(open, before, PART),
    (session) => ({ ...presentSessionRow(session), memberId: id }),
  )
}

function policyLines(deps: ExportDeps, ownerId: string): AsyncGenerator<string> {
  const holder = `owner:${ownerId}`
  return listed(deps, 'policy', {
    list: (after: string | null) => deps.store.policies.list(holder, after, PART),
    positionOf: ({ name }) => name,
    present: presentPolicy,
  })
}

function watchLines(deps: ExportDeps, ownerId: string): AsyncGenerator<string> {
  return listed(deps, 'watch', {
    list: (after: WatchPlace | null) => deps.store.watches.list(ownerId, after, PART),
    positionOf: (watch) => watch,
    present: presentWatch,
  })
}

function eventLines(deps: ExportDeps, id: string): AsyncGenerator<string> {
  return listed(deps, 'event', {
    list: (before: number | null) => deps.store.events.list({ agentId: id }, before, PART),
    positionOf: ({ seq }) => seq,
    present: presentEvent,
  })
}

function snapshotLines(deps: ExportDeps, id: string): AsyncGenerator<string> {
  return listed(deps, 'score', {
    list: (before: number | null) => deps.store.snapshots.list({ agentId: id }, before, PART),
    positionOf: ({ number }) => number,
    present: presentSnapshot,
  })
}

function paged<T extends { readonly id: string }>(
  deps: ExportDeps,
  kind: string,
  list: (before: string | null) => Promise<Page<T>>,
  present: (row: T) => object,
): AsyncGenerator<string> {
  return listed(deps, kind, { list, positionOf: ({ id }) => id, present })
}

interface Listed<T, P> {
  readonly list: (position: P | null) => Promise<Page<T>>
  readonly positionOf: (row: T) => P
  readonly present: (row: T) => object
}

/** A line for each row of a list. */
async function* listed<T, P>(
  deps: ExportDeps,
  kind: string,
  { list, positionOf, present }: Listed<T, P>,
): AsyncGenerator<string> {
  for await (const rows of pagesOf(deps, list, positionOf)) {
    yield rows.map((row) => line(kind, present(row))).join('')
  }
}

async function* rowsOf<T extends { readonly id: string }>(
  deps: ExportDeps,
  list: (before: string | null) => Promise<Page<T>>,
): AsyncGenerator<T> {
  for await (const rows of pagesOf(deps, list, ({ id }) => id)) {
    yield* rows
  }
}

/** The pages of a list, each after the position of the last row of the one before. */
async function* pagesOf<T, P>(
  { exports }: ExportDeps,
  list: (position: P | null) => Promise<Page<T>>,
  positionOf: (row: T) => P,
): AsyncGenerator<readonly T[]> {
  let position: P | null = null
  while (true) {
    const from: P | null = position
    const { rows, more }: Page<T> = await exports.run(() => list(from))
    yield rows
    const last = rows.at(-1)
    if (!more || last === undefined) {
      return
    }
    position = positionOf(last)
  }
}

function line(kind: string, data: object): string {
  return `${JSON.stringify({ kind, data })}\n`
}
