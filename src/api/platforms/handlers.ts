import { audit } from '../../audit/audit.ts'
import { issueKey, rotateKey } from '../../auth/rotate-key.ts'
import type { Context } from '../../context.ts'
import { modeOfCaller } from '../../domain/caller.ts'
import { accepted, created, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import * as platforms from '../../identity/platforms.ts'
import { discardsOf, requestDiscard } from '../../reviews/request-discard.ts'
import type { PlatformRow } from '../../store/store.ts'
import { presentRotatedKey } from '../agents/present.ts'
import { keysOf, keysOfEach } from '../key-records.ts'
import { idOf, pageByKey } from '../paging.ts'
import {
  presentDiscard,
  presentOwnPlatform,
  presentPlatform,
  presentPublicPlatform,
} from './present.ts'
import { PLATFORM_SPECS } from './spec.ts'

export function platformRoutes(deps: Context): readonly Route[] {
  return bind(PLATFORM_SPECS, deps, {
    getOwnPlatform,
    getPlatform,
    createPlatform,
    listPlatforms,
    updatePlatform,
    rotatePlatformKey,
    discardReports,
  })
}

type In<Name extends keyof typeof PLATFORM_SPECS> = InputOf<(typeof PLATFORM_SPECS)[Name]>

async function getPlatform({ store }: Context, { params }: In<'getPlatform'>) {
  return ok(presentPublicPlatform(await platforms.existingPlatform(store, params.id)))
}

async function getOwnPlatform({ store, now }: Context, { caller }: In<'getOwnPlatform'>) {
  const { platformId: id } = caller
  const platform = await platforms.existingPlatform(store, id)
  const stats = (await store.reporters.findMany([id])).get(id)
  return ok(presentOwnPlatform(platform, now(), { stats, keys: await keysOf(store, id) }))
}

function createPlatform(deps: Context, { caller, body, transact }: In<'createPlatform'>) {
  const { name, tier, publicKey = null, ownerId = null, requireAttestation, verified } = body
  const details = { name, tier, ownerId, publicKey, requireAttestation, verified }
  return transact(async (within) => {
    const platform = await platforms.createPlatform(within, deps, modeOfCaller(caller), details)
    const apiKey = await issueKey(within, { kind: 'platform', id: platform.id }, platform.createdAt)
    const keys = await keysOf(within, platform.id)
    await audit(within, deps, caller, {
      action: 'platform.created',
      target: target(platform.id),
      details,
    })
    return created({ ...presentPlatform(platform, deps.now(), { keys }), apiKey })
  })
}

async function listPlatforms(deps: Context, { caller, query }: In<'listPlatforms'>) {
  const { store, cursors, now } = deps
  const mode = modeOfCaller(caller)
  const name = { list: 'platforms', mode }
  const { after, limit, respond } = pageByKey(cursors, query, name)
  const page = await store.platforms.list(mode, after, limit)
  const ids = page.rows.map(({ id }) => id)
  const records = await store.reporters.findMany(ids)
  const discards = await discardsOf(store, ids)
  const keysFor = await keysOfEach(store, page.rows)
  const present = (row: PlatformRow) =>
    presentPlatform(row, now(), {
      stats: records.get(row.id),
      discard: discards.get(row.id),
      keys: keysFor(row),
    })
  return respond(page, present, idOf)
}

function updatePlatform(deps: Context, input: In<'updatePlatform'>) {
  const { caller, body, transact } = input
  const { id } = input.params
  return transact(async (within) => {
    const platform = await platforms.updatePlatform(within, deps, id, body)
    const stats = (await within.reporters.findMany([id])).get(id)
    const discard = (await discardsOf(within, [id])).get(id)
    const keys = await keysOf(within, id)
    await audit(within, deps, caller, {
      action: 'platform.updated',
      target: target(id),
      details: body,
    })
    return ok(presentPlatform(platform, deps.now(), { stats, discard, keys }))
  })
}

function rotatePlatformKey(deps: Context, input: In<'rotatePlatformKey'>) {
  const { caller, body, transact } = input
  const { id } = input.params
  return transact(async (within) => {
    await platforms.existingPlatform(within, id)
    const rotated = await rotateKey(
      within,
      { kind: 'platform', id },
      deps.now(),
      body?.overlapSeconds,
    )
    await audit(within, deps, caller, { action: 'platform.key_rotated', target: target(id) })
    return created(presentRotatedKey(rotated))
  })
}

function discardReports(deps: Context, input: In<'discardReports'>) {
  const { caller, body, transact } = input
  const { id } = input.params
  return transact(async (within) => {
    const request = { platformId: id, reason: body.reason }
    const discard = await requestDiscard(within, deps, request)
    await audit(within, deps, caller, {
      action: 'platform.reports_discarded',
      target: target(id),
      details: body,
    })
    return accepted(presentDiscard(discard))
  })
}

function target(id: string) {
  return { kind: 'platform', id }
}
