import { computed, signal } from '@preact/signals'
import { session } from './session.ts'

/** Of this tab alone, as the session is. */
const KEY = 'standing.mode'

/** What owners and operators have chosen; a key of a platform is for one mode. */
const chosen = signal(sessionStorage.getItem(KEY) === 'test')

/** Whether test data is shown instead of live data. */
export const isTestMode = computed(() => {
  const who = session.value
  return who?.kind === 'platform'
    ? who.credential.startsWith('avp_test_')
    : who
      ? chosen.value
      : false
})

export function choose(isTest: boolean): void {
  sessionStorage.setItem(KEY, isTest ? 'test' : 'live')
  chosen.value = isTest
}

/** The digit that says of which version a UUID is: 8 for test data. */
const VERSION_AT = 14

export function isTestId(id: string): boolean {
  return id.charAt(VERSION_AT) === '8'
}

/** An account has one set of people and keys, and test agents stay with it. */
const OF_BOTH = /^\/v1\/(auth|members|invitations|keys|transfers)\b/

/** All that an operator lists in one mode. */
const OPERATOR_LISTS = /^\/v1\/operator\/(platforms|reviews|reviews\/bulk|findings)$/

/** Whether a request says that it is about test data; a key of a platform does by itself. */
export function saysTest(path: string): boolean {
  switch (session.value?.kind) {
    case 'owner':
      return isTestMode.value && !OF_BOTH.test(path)
    case 'operator':
      return isTestMode.value && OPERATOR_LISTS.test(path)
    default:
      return false
  }
}
