import { createHash } from 'node:crypto'
import {
  type Issuing,
  issueCredential,
  issueScoreCredential,
  revokeCredential,
} from '../../credentials/issue.ts'
import { settle } from '../../credentials/revocation.ts'
import { TOKEN_MEDIA_TYPE } from '../../credentials/token.ts'
import { currentCredential, verifyById, verifyToken } from '../../credentials/verify.ts'
import { invalidField, notFound } from '../../domain/error.ts'
import { preferred } from '../../http/negotiate.ts'
import { PAGE_HEADERS } from '../../http/page.ts'
import { created, ok, type Response } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { ownAgent } from '../../identity/agents.ts'
import { createKeyedMutex } from '../../lib/keyed-mutex.ts'
import { credentialPage } from '../../pages/credential.ts'
import type { ScoreCache } from '../../scoring/score-cache.ts'
import { IdParams, pageAnswer, pageOf } from '../wire.ts'
import {
  Credential,
  CredentialList,
  CredentialQueryParams,
  IssueBody,
  presentCredential,
  presentVerification,
  RevokeBody,
  ScoreBody,
  Verification,
  VerifyBody,
} from './schema.ts'

export interface CredentialRoutesOptions extends Issuing {
  readonly scores: ScoreCache
}

const ANYONE = ['anonymous', 'owner', 'agent', 'platform', 'operator'] as const

const PUBLIC_CACHE = 'public, max-age=30, stale-while-revalidate=60'
const JSON_TYPE = 'application/json; charset=utf-8'
const FORMS = ['application/json', 'text/html', TOKEN_MEDIA_TYPE] as const

const CREDENTIAL = { description: 'The credential', schema: Credential }
const VERIFIED = { 200: { description: 'Whether it holds, and each check', schema: Verification } }
const NOT_STORED = { 'cache-control': 'no-store' }

const DAY_MS = 86_400_000
/** A word about a score grows old: a month, unless told, and no longer than a season. */
const SCORE_DAYS = 30
const SCORE_DAYS_MAX = 90

export function credentialRoutes(options: CredentialRoutesOptions): readonly Route[] {
  const { context, scores } = options
  const { store, cursors, now } = context
  // Whatever changes an agent's credentials locks its row.
  const turns = createKeyedMutex()

  function future(expiresAt: number): number {
    if (expiresAt > now()) {
      return expiresAt
    }
    throw invalidField('expiresAt', 'must lie in the future', 'out_of_window')
  }

  function scoreExpiry(expiresAt: number): number {
    if (future(expiresAt) <= now() + SCORE_DAYS_MAX * DAY_MS) {
      return expiresAt
    }
    throw invalidField(
      'expiresAt',
      `must lie at most ${SCORE_DAYS_MAX} days ahead`,
      'out_of_window',
    )
  }

  const issue = route({
    method: 'post',
    path: '/v1/credentials',
    operationId: 'issueCredential',
    tag: 'Credentials',
    summary: 'Issue a trust credential to an agent',
    description: 'Records a `credential.issued` event, which weighs what a self-report weighs.',
    callers: ['owner'],
    body: IssueBody,
    answers: { 201: CREDENTIAL },
    errors: ['NOT_FOUND'],
    async handle({ caller, body, transact }) {
      const { agentId, type, claims } = body
      const expiresAt = body.expiresAt ? future(body.expiresAt) : null
      const answer = await turns.run(turnOf(caller, agentId), () =>
        transact(async (within) => {
          const content = { type, claims, expiresAt }
          const issued = await issueCredential(within, options, caller.ownerId, agentId, content)
          return created(presentCredential(issued, now()))
        }),
      )
      scores.forget(agentId)
      return answer
    },
  })

  const issueScore = route({
    method: 'post',
    path: '/v1/agents/{id}/score/credential',
    operationId: 'issueScoreCredential',
    tag: 'Credentials',
    summary: "Have the service itself vouch that an agent's score is at least of a tier",
    description:
      'It tells the tier asked for and nothing above it. When the score falls below, it is revoked.',
    callers: ['owner'],
    params: IdParams,
    body: ScoreBody,
    answers: { 201: CREDENTIAL },
    errors: ['CONFLICT'],
    handle({ caller, params, body, transact }) {
      const { atLeast } = body
      const expiresAt = scoreExpiry(body.expiresAt ?? now() + SCORE_DAYS * DAY_MS)
      return turns.run(turnOf(caller, params.id), () =>
        transact(async (within) => {
          const claim = { atLeast, expiresAt }
          const { ownerId } = caller
          const issued = await issueScoreCredential(within, options, ownerId, params.id, claim)
          return created(presentCredential(issued, now()))
        }),
      )
    },
  })

  const list = route({
    method: 'get',
    path: '/v1/credentials',
    operationId: 'listCredentials',
    tag: 'Credentials',
    summary: "An agent's credentials, newest first",
    description: 'With a status, those that had it when the first page was read.',
    callers: ['owner'],
    query: CredentialQueryParams,
    answers: { 200: { description: 'A page of credentials', schema: CredentialList } },
    errors: ['NOT_FOUND'],
    async handle({ caller, query }) {
      const { agentId, status } = query
      const name = { list: 'credentials', agentId, status }
      const { position, limit } = pageOf<[string, number]>(cursors, query, name)
      await ownAgent(store, caller.ownerId, agentId)
      const agentState = await store.scores.find(agentId)
      if (agentState) {
        await settle(store, agentState, now())
      }
      // Every page means the status at the time of the first, so that none is skipped between them.
      const [before, asOf] = position ?? [null, now()]
      const page = await store.credentials.list(agentId, { status, asOf, before, limit })
      const present = (row: (typeof page.rows)[number]) => presentCredential(row, now())
      return pageAnswer(cursors, page, name, present, ({ id }) => [id, asOf])
    },
  })

  const get = route({
    method: 'get',
    path: '/v1/credentials/{id}',
    operationId: 'getCredential',
    tag: 'Credentials',
    summary: 'Get a credential',
    description: `JSON; to a browser a page, and the signed token where ${TOKEN_MEDIA_TYPE} is asked for.`,
    callers: ANYONE,
    params: IdParams,
    isPublic: true,
    answers: { 200: { ...CREDENTIAL, orText: ['text/html', TOKEN_MEDIA_TYPE] } },
    async handle({ params, request }) {
      const credential = await currentCredential(context, params.id)
      if (!credential) {
        throw notFound('credential')
      }
      return inForm(presentCredential(credential, now()), request.headers.get('accept'))
    },
  })

  const verify = route({
    method: 'post',
    path: '/v1/credentials/{id}/verify',
    operationId: 'verifyCredentialById',
    tag: 'Credentials',
    summary: 'Verify a credential by its id',
    description: 'Asks the database itself: a revocation is seen at once, on every node.',
    callers: ['owner'],
    params: IdParams,
    answers: VERIFIED,
    async handle({ params }) {
      const verification = await verifyById(options, params.id)
      return ok(presentVerification(verification, now()), NOT_STORED)
    },
  })

  const verifyPublic = route({
    method: 'post',
    path: '/v1/credentials/verify',
    operationId: 'verifyCredential',
    tag: 'Credentials',
    summary: 'Verify a credential by its id or its token',
    description:
      'What is revoked, expired or forged is answered `valid: false`; only an unknown id is an error.',
    callers: ANYONE,
    body: VerifyBody,
    isPublic: true,
    answers: VERIFIED,
    errors: ['NOT_FOUND'],
    async handle({ body: { credentialId, jwt = '' } }) {
      const verification =
        credentialId === undefined
          ? await verifyToken(options, jwt)
          : await verifyById(options, credentialId)
      return ok(presentVerification(verification, now()), NOT_STORED)
    },
  })

  const revoke = route({
    method: 'delete',
    path: '/v1/credentials/{id}',
    operationId: 'revokeCredential',
    tag: 'Credentials',
    summary: 'Revoke a credential for good',
    description: 'Seen by every verifier before it is answered. Revoking again changes nothing.',
    callers: ['owner'],
    params: IdParams,
    body: RevokeBody,
    answers: { 200: CREDENTIAL },
    async handle({ caller, params, body, transact }) {
      const { agentId = params.id } = (await store.credentials.find(params.id)) ?? {}
      const reason = body?.reason ?? null
      const answer = await turns.run(turnOf(caller, agentId), () =>
        transact(async (within) => {
          const revoked = await revokeCredential(within, context, caller.ownerId, params.id, reason)
          return ok(presentCredential(revoked, now()))
        }),
      )
      scores.forget(agentId)
      return answer
    },
  })

  return [issue, issueScore, list, get, verify, verifyPublic, revoke]
}

/** The credential in the form that was asked for, each with a tag of its own. */
function inForm(credential: ReturnType<typeof presentCredential>, accept: string | null): Response {
  const form = preferred(accept, FORMS)
  const own = { 'cache-control': PUBLIC_CACHE, vary: 'accept' }
  switch (form) {
    case 'text/html':
      return tagged(credentialPage(credential), { ...PAGE_HEADERS, ...own })
    case TOKEN_MEDIA_TYPE:
      return tagged(credential.jwt, { 'content-type': TOKEN_MEDIA_TYPE, ...own })
    case 'application/json':
      return tagged(JSON.stringify(credential), { 'content-type': JSON_TYPE, ...own })
  }
}

function tagged(body: string, headers: NonNullable<Response['headers']>): Response {
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return ok(body, { ...headers, etag: `"${etag}"` })
}

/** Strangers who name an agent that is not theirs stand in lines of their own. */
function turnOf({ ownerId }: { readonly ownerId: string }, agentId: string): string {
  return `${ownerId} ${agentId}`
}
