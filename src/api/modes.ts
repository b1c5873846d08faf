import { type Caller, modeOfCaller } from '../domain/caller.ts'
import { forbidden, modeMismatch, notFound } from '../domain/error.ts'
import { isTestId, modeOf } from '../domain/mode.ts'
import type { ModeCheck, Modes } from '../http/operation.ts'
import type { Route } from '../http/route.ts'
import { openTestAccount } from '../identity/test-data.ts'
import type { Sources } from '../lib/sources.ts'
import type { Store } from '../store/store.ts'

/** Operations on objects of a mode, whose ids show which one. */
const HAS_MODE = /^\/v1\/((agents|scores|credentials|webhooks|watches)\/\{id\}|platforms\/\{id\}$)/

/** Operations on an account itself: it has one set of people and keys for both modes. */
const OF_ACCOUNT = /^\/v1\/(auth|members|invitations|keys)(\/|$)/

/** A test agent cannot be transferred, so test data never becomes live data. */
const LIVE_ONLY = /^\/v1\/(transfers|agents\/\{id\}\/transfers)(\/|$)/

/** Operations on accounts by their id. The id of a test account names no account. */
const NAMES_ACCOUNT = /^\/v1\/operator\/owners\/\{id\}/

/** Keeps live callers from test data and callers in test mode from live data. */
export function createModes({
  now,
  store,
}: Pick<Sources, 'now'> & { readonly store: Store }): Modes {
  return {
    checkOf,
    async prepare(caller) {
      if (caller.kind === 'owner') {
        await openTestAccount(store, caller.ownerId, now())
      }
    },
  }
}

const ONE_ACCOUNT = 'an account has one set of people and keys; leave out the header Standing-Mode'

/** Whether an operation takes the header Standing-Mode of callers that use both modes. */
export function takesMode({ path, callers }: Pick<Route, 'path' | 'callers'>): boolean {
  const usesBoth = callers.includes('owner') || MODE_LISTS.test(path)
  return usesBoth && !OF_ACCOUNT.test(path) && !LIVE_ONLY.test(path)
}

/** What an operator lists and creates in one mode. */
const MODE_LISTS = /^\/v1\/operator\/(platforms|reviews|reviews\/bulk|findings)$/

function checkOf({ path }: Route): ModeCheck | null {
  if (LIVE_ONLY.test(path)) {
    return checkLive
  }
  if (HAS_MODE.test(path)) {
    return (caller, params) => checkId(caller, idIn(params))
  }
  if (OF_ACCOUNT.test(path)) {
    return checkAccount
  }
  return NAMES_ACCOUNT.test(path) ? checkOwnerId : null
}

/** An id in the path is that of an agent or of a transfer. */
function checkLive(caller: Caller, params: unknown): void {
  if (modeOfCaller(caller) === 'test') {
    throw forbidden('a test agent cannot be transferred', { reason: 'test_mode' })
  }
  const { id = '' } = (params ?? {}) as { readonly id?: string }
  checkId(caller, id)
}

function checkAccount(caller: Caller): void {
  if (modeOfCaller(caller) === 'test') {
    throw modeMismatch('test', ONE_ACCOUNT)
  }
}

function checkOwnerId(_: Caller, params: unknown): void {
  if (isTestId(idIn(params))) {
    throw notFound('owner')
  }
}

function idIn(params: unknown): string {
  return (params as { readonly id: string }).id
}

/** @throws TrustError where an id is of the other mode than its caller; an operator uses both */
export function checkId(caller: Caller, id: string): void {
  const mode = modeOfCaller(caller)
  if (caller.kind === 'operator' || modeOf(id) === mode) {
    return
  }
  if (caller.kind === 'anonymous') {
    throw notFound('live data; test data is read with a test key')
  }
  throw modeMismatch(mode, ADVICE[mode][caller.kind])
}

const ADVICE = {
  live: {
    owner: 'send the header Standing-Mode: test',
    agent: 'use the key of a test agent (avs_test_…)',
    platform: 'use the test key of the platform (avp_test_…)',
  },
  test: {
    owner: 'leave out the header Standing-Mode',
    agent: 'use the key of a live agent (avs_…)',
    platform: 'use the live key of the platform (avp_…)',
  },
} as const

/** Those of the ids that the caller may read. */
export function idsInMode(caller: Caller, ids: readonly string[]): readonly string[] {
  const wantsTest = modeOfCaller(caller) === 'test'
  return ids.filter((id) => isTestId(id) === wantsTest)
}
