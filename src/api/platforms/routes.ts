import type { Authenticator } from '../../auth/authenticate.ts'
import { issueKey, rotateKey } from '../../auth/rotate-key.ts'
import type { Context } from '../../context.ts'
import { invalidField, notFound } from '../../domain/error.ts'
import { created, ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import type { z } from '../../http/schema.ts'
import type { PlatformRow, Store } from '../../store/store.ts'
import { RotatedKey, RotateKeyBody } from '../agents/schema.ts'
import { audit } from '../audit/routes.ts'
import { IdParams, PageQuery, pageAnswer, pageOf, time } from '../wire.ts'
import {
  CreatePlatformBody,
  Platform,
  PlatformList,
  PlatformWithKey,
  presentPlatform,
  UpdatePlatformBody,
} from './schema.ts'

export function platformRoutes(context: Context, authenticator: Authenticator): readonly Route[] {
  const { store, cursors, now, newId } = context

  const create = route({
    method: 'post',
    path: '/v1/operator/platforms',
    operationId: 'createPlatform',
    tag: 'Operator',
    summary: 'Admit a platform, and give it its API key',
    description: 'The answer alone carries the key. What the platform reports counts in full.',
    callers: ['operator'],
    body: CreatePlatformBody,
    answers: { 201: { description: 'The platform, with its key', schema: PlatformWithKey } },
    handle: ({ caller, body, transact }) =>
      transact(async (within) => {
        const { name, tier, publicKey = null, ownerId = null, requireAttestation } = body
        checkSigning(publicKey, requireAttestation)
        if (ownerId !== null && !(await within.owners.find(ownerId))) {
          throw invalidField('ownerId', 'names no owner')
        }
        const at = now()
        const platform: PlatformRow = {
          id: newId(),
          name,
          tier,
          status: 'active',
          publicKey,
          previousKey: null,
          requireAttestation,
          ownerId,
          createdAt: at,
          updatedAt: at,
        }
        await within.platforms.insert(platform)
        const apiKey = await issueKey(within, 'platform', platform.id, at)
        await audit(within, context, caller, 'platform.created', target(platform.id), {
          name,
          tier,
          ownerId,
          publicKey,
          requireAttestation,
        })
        return created({ ...presentPlatform(platform, at), apiKey })
      }),
  })

  const list = route({
    method: 'get',
    path: '/v1/operator/platforms',
    operationId: 'listPlatforms',
    tag: 'Operator',
    summary: 'The platforms, newest first',
    description: 'Suspended ones stay in the list.',
    callers: ['operator'],
    query: PageQuery,
    answers: { 200: { description: 'A page of platforms', schema: PlatformList } },
    async handle({ query }) {
      const name = { list: 'platforms' }
      const { position, limit } = pageOf<[string]>(cursors, query, name)
      const page = await store.platforms.list(position?.[0] ?? null, limit)
      const records = await store.reporters.findMany(page.rows.map(({ id }) => id))
      const present = (row: PlatformRow) => presentPlatform(row, now(), records.get(row.id))
      return pageAnswer(cursors, page, name, present, ({ id }) => [id])
    },
  })

  const update = route({
    method: 'patch',
    path: '/v1/operator/platforms/{id}',
    operationId: 'updatePlatform',
    tag: 'Operator',
    summary: "Change a platform's name, tier, signing key or status",
    description: 'What is left out stays as it is. The key of a suspended platform does not work.',
    callers: ['operator'],
    params: IdParams,
    body: UpdatePlatformBody,
    answers: { 200: { description: 'The platform', schema: Platform } },
    async handle({ caller, params: { id }, body, transact }) {
      const answer = await transact(async (within) => {
        const platform = await existing(within, id)
        const changed = change(platform, body, now())
        checkSigning(changed.publicKey, changed.requireAttestation)
        await within.platforms.update(changed)
        const records = await within.reporters.findMany([id])
        await audit(within, context, caller, 'platform.updated', target(id), body)
        return ok(presentPlatform(changed, now(), records.get(id)))
      })
      authenticator.forget(id)
      return answer
    },
  })

  const rotate = route({
    method: 'post',
    path: '/v1/operator/platforms/{id}/rotate-key',
    operationId: 'rotatePlatformKey',
    tag: 'Operator',
    summary: 'Give a platform a new API key',
    description: 'The key before works on for an hour, or for `overlapSeconds`.',
    callers: ['operator'],
    params: IdParams,
    body: RotateKeyBody,
    answers: { 201: { description: 'The new key', schema: RotatedKey } },
    async handle({ caller, params: { id }, body, transact }) {
      const answer = await transact(async (within) => {
        await existing(within, id)
        const rotated = await rotateKey(within, 'platform', id, now(), body?.overlapSeconds)
        await audit(within, context, caller, 'platform.key_rotated', target(id))
        const { apiKey, previousKeyExpiresAt } = rotated
        return created({ apiKey, previousKeyExpiresAt: time(previousKeyExpiresAt) })
      })
      authenticator.forget(id)
      return answer
    },
  })

  return [create, list, update, rotate]
}

/** The platform as asked for. Another signing key leaves the one before in force for a while. */
function change(
  platform: PlatformRow,
  body: z.output<typeof UpdatePlatformBody>,
  now: number,
): PlatformRow {
  const { publicKey = platform.publicKey } = body
  const changed: PlatformRow = {
    ...platform,
    name: body.name ?? platform.name,
    tier: body.tier ?? platform.tier,
    status: body.status ?? platform.status,
    requireAttestation: body.requireAttestation ?? platform.requireAttestation,
    updatedAt: now,
  }
  if (publicKey === platform.publicKey) {
    return changed
  }
  const expiresAt = now + body.previousKeyOverlapSeconds * 1000
  const isRotated = publicKey !== null && platform.publicKey !== null
  const previousKey = isRotated ? { publicKey: platform.publicKey, expiresAt } : null
  return { ...changed, publicKey, previousKey }
}

function checkSigning(publicKey: string | null, requireAttestation: boolean): void {
  if (!requireAttestation || publicKey !== null) {
    return
  }
  throw invalidField('requireAttestation', 'needs a publicKey to check signatures with')
}

async function existing(store: Store, id: string): Promise<PlatformRow> {
  const platform = await store.platforms.find(id)
  if (!platform) {
    throw notFound('platform')
  }
  return platform
}

function target(id: string) {
  return { kind: 'platform', id }
}
