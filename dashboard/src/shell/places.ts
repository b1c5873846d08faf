import { t } from '../messages/index.ts'
import { to } from '../paths.ts'
import { isTestMode } from '../session/mode.ts'
import type { Kind } from '../session/session.ts'

export interface Place {
  readonly href: string
  readonly label: string
}

/** The pages that the navigation names, for each kind of caller. */
export function placesOf(kind: Kind | undefined): readonly Place[] {
  const { nav, session, testData } = t.value
  switch (kind) {
    case undefined:
      return []
    case 'owner':
      return [
        { href: to.agents(), label: nav.agents },
        // Test agents stay with their account, and its usage is that of live data.
        ...(isTestMode.value ? [] : [{ href: to.transfers(), label: nav.transfers }]),
        { href: to.webhooks(), label: nav.webhooks },
        ...(isTestMode.value ? [] : [{ href: to.usage(), label: nav.usage }]),
        { href: to.team(), label: nav.team },
        { href: to.apiKeys(), label: nav.apiKeys },
        { href: to.testData(), label: testData.title },
        { href: to.account(), label: session.accountTitle },
      ]
    case 'operator':
      return [
        { href: to.reviews(), label: nav.reviews },
        { href: to.lookUp(), label: nav.lookUp },
        { href: to.platforms(), label: nav.platforms },
        { href: to.owners(), label: nav.owners },
        { href: to.rules(), label: nav.rules },
        { href: to.figures(), label: nav.figures },
        { href: to.keys(), label: nav.keys },
        { href: to.imports(), label: nav.imports },
        { href: to.operators(), label: nav.operators },
        { href: to.audit(), label: nav.audit },
        { href: to.health(), label: nav.health },
        { href: to.account(), label: session.accountTitle },
      ]
    case 'platform':
      return [
        { href: to.reported(), label: nav.reported },
        { href: to.decide(), label: nav.decide },
        { href: to.policies(), label: nav.policies },
        { href: to.account(), label: session.accountTitle },
      ]
  }
}

/** Where each kind of caller begins. */
export function homeOf(kind: Kind): string {
  return placesOf(kind)[0]?.href ?? to.home()
}
