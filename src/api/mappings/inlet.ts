import { platformCaller } from '../../auth/authenticate.ts'
import { senderProblem } from '../../auth/sender-signature.ts'
import { suspendedPlatform } from '../../auth/suspended.ts'
import type { CallerOf } from '../../domain/caller.ts'
import { invalid, notFound, TrustError } from '../../domain/error.ts'
import { DAY_MS } from '../../domain/time.ts'
import { ok, type Response } from '../../http/response.ts'
import type { InputOf } from '../../http/route.ts'
import type { EventOutcome } from '../../ingest/report.ts'
import { groupBy } from '../../lib/group-by.ts'
import { inSlices } from '../../lib/slices.ts'
import type { Vault } from '../../lib/vault.ts'
import type { MappingRow, Store } from '../../store/store.ts'
import { isCloudEvents } from '../events/cloud-event.ts'
import { type ReportDeps, type Reporting, submitEvents } from '../events/report.ts'
import { presentOutcomes } from '../events/report-response.ts'
import type { LookupCache } from '../lookup/lookup-cache.ts'
import { completed, type Draft, draftOf, type MappedReport } from './read.ts'
import type { MAPPING_SPECS } from './spec.ts'

export interface InletDeps extends ReportDeps {
  readonly names: LookupCache
  readonly vault: Vault
}

/** Longer than a payment can be disputed after it was made. */
const REMEMBERED_MS = 400 * DAY_MS

/** The context under which the secret of a sender is sealed. */
export function secretName(row: Pick<MappingRow, 'platformId' | 'name'>): string {
  return `mapping ${row.platformId} ${row.name} secret`
}

export async function existingMapping(
  store: Store,
  platformId: string,
  name: string,
): Promise<MappingRow> {
  const row = await store.mappings.find({ platformId, name })
  if (!row) {
    throw notFound('mapping')
  }
  return row
}

type Submitting = Reporting & { readonly caller: CallerOf<'platform'> }

export function submitPayload(
  deps: InletDeps,
  input: InputOf<(typeof MAPPING_SPECS)['submitPayload']>,
): Promise<Response> {
  const { caller, params, body, request, respondOnce } = input
  return respondOnce(async () => {
    const row = await existingMapping(deps.store, caller.platformId, params.name)
    if (!isCloudEvents(request.headers)) {
      return submitOne(deps, row, input, body)
    }
    const { events } = body as { readonly events: readonly unknown[] }
    return respond(await submitAll(deps, row, input, events), input)
  })
}

export function submitSignedPayload(
  deps: InletDeps,
  input: InputOf<(typeof MAPPING_SPECS)['submitSignedPayload']>,
): Promise<Response> {
  const { params, body, respondOnce } = input
  return respondOnce(async () => {
    const row = await existingMapping(deps.store, params.id, params.name)
    checkSignature(deps, row, input)
    const caller = await platformOf(deps, row)
    return submitOne(deps, row, { ...input, caller }, body)
  })
}

function checkSignature(
  { vault, now }: InletDeps,
  row: MappingRow,
  { request, bodyBytes }: Pick<Reporting, 'request' | 'bodyBytes'>,
): void {
  const { signature } = row
  if (!signature) {
    throw refused('this mapping takes no signatures: send the API key of the platform')
  }
  const secret = Buffer.from(vault.open(signature.sealedSecret, secretName(row))).toString()
  const payload = { headers: request.headers, body: bodyBytes }
  const problem = senderProblem(signature.scheme, secret, payload, now())
  if (problem !== null) {
    throw refused(problem)
  }
}

async function platformOf({ store }: InletDeps, { platformId }: MappingRow) {
  const platform = await store.platforms.find({ id: platformId })
  if (platform?.status !== 'active') {
    throw suspendedPlatform()
  }
  return platformCaller(platform)
}

function refused(message: string): TrustError {
  return new TrustError('AUTHENTICATION_REQUIRED', message)
}

/** What became of a payload; null where it is ignored. */
type Outcome = EventOutcome | null

/** A sender repeats what is refused, so the refusal of a single payload is the response. */
async function submitOne(
  deps: InletDeps,
  row: MappingRow,
  submitting: Submitting,
  payload: unknown,
): Promise<Response> {
  const outcomes = await submitAll(deps, row, submitting, [payload])
  const [outcome] = outcomes
  if (outcome && 'refusal' in outcome) {
    throw outcome.refusal
  }
  return respond(outcomes, submitting)
}

async function submitAll(
  deps: InletDeps,
  row: MappingRow,
  submitting: Submitting,
  payloads: readonly unknown[],
): Promise<readonly Outcome[]> {
  const outcomes = new Map<number, Outcome>()
  const reports: { readonly index: number; readonly read: MappedReport; agentId: string }[] = []
  const drafts: Draft[] = []
  for await (const payload of inSlices(payloads)) {
    drafts.push(draftOf(row, payload))
  }
  for (const [index, read] of (await completed(deps, row, drafts)).entries()) {
    if (read.kind === 'report' && read.agentId !== null) {
      reports.push({ index, read, agentId: read.agentId })
    } else {
      outcomes.set(index, read.kind === 'refused' ? { refusal: invalid(read.issues) } : null)
    }
  }
  for (const [agentId, own] of groupBy(reports, (one) => one.agentId)) {
    const events = own.map(({ read }) => read.event)
    const outcome = await submitEvents(deps, agentId, submitting, events)
    for (const [i, { index, read }] of own.entries()) {
      const one = 'refusal' in outcome ? outcome : (outcome.events[i] ?? null)
      outcomes.set(index, one)
      if (one && 'event' in one) {
        await remember(deps, row, agentId, read.remember)
      }
    }
  }
  return payloads.map((_, index) => outcomes.get(index) ?? null)
}

/**
 * After the report: where this fails, the sender gets an error and sends the payload again, and the
 * report counts once.
 */
async function remember(
  { store, now }: InletDeps,
  { platformId, name }: MappingRow,
  agentId: string,
  values: readonly string[],
): Promise<void> {
  if (values.length > 0) {
    const expiresAt = now() + REMEMBERED_MS
    await store.mappings.remember({ platformId, name, values, agentId, expiresAt })
  }
}

function respond(outcomes: readonly Outcome[], context: Submitting): Response {
  const { accepted, ...rest } = presentOutcomes(outcomes, context)
  return ok({ accepted, ignored: outcomes.length - accepted - rest.rejected, ...rest })
}
