import { hash } from 'node:crypto'
import { audit } from '../../audit/audit.ts'
import { lockAccount } from '../../auth/lock-account.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { checkLimit, invalid, invalidField, notFound } from '../../domain/error.ts'
import { type Mapping, problemsOf, STANDARD_MAPPINGS } from '../../domain/mapping.ts'
import { created, noContent, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { Vault } from '../../lib/vault.ts'
import type { MappingRow, Store } from '../../store/store.ts'
import { pageByKey } from '../paging.ts'
import { time } from '../wire.ts'
import {
  existingMapping,
  type InletDeps,
  secretName,
  submitPayload,
  submitSignedPayload,
} from './inlet.ts'
import { completed, draftOf, type NamedMapping, type ReadPayload } from './read.ts'
import { MAPPING_SPECS } from './spec.ts'

export interface MappingDeps extends InletDeps {
  readonly vault: Vault
}

/** One for each kind of sender. */
const MAPPINGS_MAX = 50

export function mappingRoutes(deps: MappingDeps): readonly Route[] {
  return bind(MAPPING_SPECS, deps, {
    putMapping,
    getMapping,
    listMappings,
    deleteMapping,
    tryMapping,
    submitPayload,
    submitSignedPayload,
  })
}

type In<Name extends keyof typeof MAPPING_SPECS> = InputOf<(typeof MAPPING_SPECS)[Name]>

function putMapping(deps: MappingDeps, { caller, params, body, transact }: In<'putMapping'>) {
  const { platformId } = caller
  const { name } = params
  const { rules, sample } = body
  checkMapping({ platformId, name, mapping: { rules } }, sample)
  return transact(async (within) => {
    await lockAccount(within, { kind: 'platform', id: platformId })
    const before = await within.mappings.find({ platformId, name })
    if (!before) {
      await checkMappingLimit(within, platformId)
    }
    const at = deps.now()
    const row: MappingRow = {
      platformId,
      name,
      mapping: { rules },
      sample,
      signature: signatureOf(deps, { platformId, name }, body.sender, before),
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
    }
    const isNew = await within.mappings.save(row)
    const scheme = row.signature?.scheme ?? null
    await audit(within, deps, caller, {
      action: 'mapping.saved',
      target: target(name),
      // The rules may have 256 KiB, and the log keeps its entries for good.
      details: { rules: rules.length, rulesHash: hashOf(rules), scheme },
    })
    return isNew ? created(present(row)) : ok(present(row))
  })
}

/** A hash of these rules: a person who has them can show that they were stored. */
function hashOf(rules: Mapping['rules']): string {
  return `sha256:${hash('sha256', canonicalJson(rules))}`
}

/** @throws VALIDATION_ERROR unless the sample becomes a report, now or when its agent is there */
function checkMapping(named: NamedMapping, sample: unknown): void {
  const { name, mapping } = named
  const issues = problemsOf(name, mapping)
  if (issues.length > 0) {
    throw invalid(issues)
  }
  const draft = draftOf(named, sample, knownFor(name))
  if (draft.kind === 'ignored') {
    throw invalidField('sample', 'gives no report: no rule of the mapping applies to it', 'ignored')
  }
  if (draft.kind === 'refused') {
    throw invalid(draft.issues)
  }
}

/** The fields that the endpoint of a standard adds to every payload. */
function knownFor(name: string) {
  const isStandard = (STANDARD_MAPPINGS as readonly string[]).includes(name)
  return isStandard ? { type: 'task.completed' as const, externalId: 'sample', hasAgent: true } : {}
}

async function checkMappingLimit({ mappings }: Store, platformId: string): Promise<void> {
  const { rows } = await mappings.list(platformId, null, MAPPINGS_MAX)
  const refusal = `there may be ${MAPPINGS_MAX} mappings; delete one first`
  checkLimit('max_mappings', rows.length, MAPPINGS_MAX, refusal)
}

function signatureOf(
  { vault }: MappingDeps,
  named: { readonly platformId: string; readonly name: string },
  given: In<'putMapping'>['body']['sender'],
  before: MappingRow | null,
): MappingRow['signature'] {
  if (given === null) {
    return null
  }
  const { scheme, secret } = given
  if (secret !== undefined) {
    const sealedSecret = vault.seal(Buffer.from(secret), secretName(named))
    return { scheme, sealedSecret }
  }
  if (before?.signature?.scheme !== scheme) {
    throw invalidField('sender.secret', 'is required: none is stored for this scheme', 'required')
  }
  return before.signature
}

async function getMapping({ store }: MappingDeps, { caller, params }: In<'getMapping'>) {
  return ok(present(await existingMapping(store, caller.platformId, params.name)))
}

async function listMappings({ store, cursors }: MappingDeps, input: In<'listMappings'>) {
  const { platformId } = input.caller
  const list = { list: 'mappings', platformId }
  const { after, limit, respond } = pageByKey(cursors, input.query, list)
  const page = await store.mappings.list(platformId, after, limit)
  return respond(page, present, (row) => row.name)
}

function deleteMapping(deps: MappingDeps, { caller, params, transact }: In<'deleteMapping'>) {
  return transact(async (within) => {
    if (!(await within.mappings.delete({ platformId: caller.platformId, name: params.name }))) {
      throw notFound('mapping')
    }
    await audit(within, deps, caller, { action: 'mapping.deleted', target: target(params.name) })
    return noContent()
  })
}

function tryMapping(deps: MappingDeps, { caller, params, body, respondOnce }: In<'tryMapping'>) {
  return respondOnce(async () => {
    const { name } = params
    const { platformId } = caller
    const mapping: Mapping = body.rules
      ? { rules: body.rules }
      : (await existingMapping(deps.store, platformId, name)).mapping
    const issues = problemsOf(name, mapping)
    if (issues.length > 0) {
      throw invalid(issues)
    }
    const named = { platformId, name, mapping }
    const draft = draftOf(named, body.payload, knownFor(name))
    const [read] = (await completed(deps, named, [draft])) as [ReadPayload]
    return ok({
      outcome: read.kind,
      rule: read.kind === 'ignored' ? null : read.rule,
      agentId: read.kind === 'report' ? read.agentId : null,
      event: read.kind === 'report' ? read.shown : null,
      issues: read.kind === 'refused' ? read.issues : [],
    })
  })
}

function target(name: string) {
  return { kind: 'mapping', id: name }
}

function present({ platformId, name, mapping, sample, signature, ...row }: MappingRow) {
  return {
    name,
    rules: mapping.rules,
    sample,
    sender: signature && { scheme: signature.scheme },
    path: `/v1/platforms/${platformId}/mappings/${name}/events`,
    createdAt: time(row.createdAt),
    updatedAt: time(row.updatedAt),
  }
}
