import { urlName } from '../delivery/sealed.ts'
import { invalidField } from '../domain/error.ts'
import { testIdOf } from '../domain/mode.ts'
import type { Vault } from '../lib/vault.ts'
import { createPolicy } from '../outbound/address.ts'
import { checkPublicUrl, NOT_PUBLIC } from '../outbound/url.ts'
import type { Store, WebhookRow } from '../store/store.ts'

/** What addresses of subscriptions are checked and sealed with. */
export interface TargetSources {
  readonly vault: Vault
  /** Address ranges that webhooks may reach besides public ones. */
  readonly settings: { readonly webhookAllow: readonly string[]; readonly mail: unknown }
}

/** The address that notifications are posted to. */
export function urlOf({ vault }: TargetSources, { id, sealedUrl }: WebhookRow): string {
  return Buffer.from(vault.open(sealedUrl, urlName(id))).toString()
}

type Addressed = Pick<WebhookRow, 'id' | 'ownerId' | 'format'>

/** Checks the address of a subscription, and seals it. */
export async function sealedUrl(
  store: Store,
  sources: TargetSources,
  { id, ownerId, format }: Addressed,
  url: string,
): Promise<Uint8Array> {
  const checked =
    format === 'mail'
      ? await checkedAddress(store, sources, ownerId, url)
      : checkedUrl(sources, url)
  return sources.vault.seal(Buffer.from(checked), urlName(id))
}

/** Mails go only to people of the account who confirmed that the address is theirs. */
async function checkedAddress(
  store: Store,
  { settings }: TargetSources,
  ownerId: string,
  url: string,
): Promise<string> {
  if (!settings.mail) {
    throw invalidField('format', 'cannot be mail: the service sends no mail (SMTP_URL)', 'no_mail')
  }
  const address = /^mailto:([^?,]+)$/.exec(url)?.[1]?.toLowerCase() ?? ''
  const member = address === '' ? null : await store.members.find({ email: address })
  // The people of an account are those of its test account.
  const accounts = member ? [member.ownerId, testIdOf(member.ownerId)] : []
  if (!member || member.emailConfirmedAt === null || !accounts.includes(ownerId)) {
    const message = 'must be mailto: and the confirmed e-mail address of a member of the account'
    throw invalidField('url', message, 'address_not_allowed')
  }
  return `mailto:${member.email}`
}

function checkedUrl({ settings }: TargetSources, url: string): string {
  const addresses = createPolicy(settings.webhookAllow)
  const check = checkPublicUrl(url, addresses)
  if (check.ok) {
    return check.url
  }
  // Whether the host is the problem, and not the protocol or the spelling.
  const place = checkPublicUrl(url.replace(/^http:/, 'https:'), addresses)
  const isPrivate = !place.ok && place.message === NOT_PUBLIC
  const message = isPrivate ? `${check.message}${WAY_TO_PRIVATE_HOSTS}` : check.message
  throw invalidField('url', message, 'url_not_allowed')
}

const WAY_TO_PRIVATE_HOSTS =
  '. A receiver on your own machine gets notifications by `standing webhook listen --forward-to URL`; ' +
  'the operator opens private networks to webhooks by STANDING_WEBHOOK_ALLOW'
