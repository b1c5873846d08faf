import { authOptions, requestEmailConfirmation } from '../../api/auth.ts'
import { useResource } from '../../api/resource.ts'
import type { Account } from '../../api/types.ts'
import { dateTime } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Facts } from '../../ui/facts.tsx'
import { useToastedAction } from '../../ui/toasted-action.tsx'
import { toast } from '../../ui/toasts.tsx'

/** The person who is signed in, and the account that this person works in. */
export function Person({ account, expiresAt }: { account: Account; expiresAt: string }) {
  const { session: texts, serviceTiers, team } = t.value
  const { member } = account
  return (
    <Facts
      of={[
        [
          texts.email,
          <>
            {emailOf(account)}{' '}
            {member?.emailConfirmed === false && <Unconfirmed email={member.email} />}
          </>,
        ],
        member?.isOwner === false && [texts.accountTitle, account.email],
        member && [team.role, `${team.roles[member.role]}: ${team.roleHints[member.role]}`],
        [texts.tier, serviceTiers[account.tier]],
        [texts.memberSince, dateTime(account.createdAt)],
        [texts.sessionUntil, dateTime(expiresAt)],
      ]}
    />
  )
}

/** The person's own address, which is the account's only for the person who opened it. */
export function emailOf({ member, email }: Account): string {
  return member?.email ?? email
}

/** An address without confirmation, where the service can mail the link again. */
function Unconfirmed({ email }: { email: string }) {
  const { session: texts } = t.value
  const options = useResource('auth-options', authOptions)
  const send = useToastedAction(async () => {
    await requestEmailConfirmation()
    toast(texts.confirmationSent(email))
  })
  if (!options.data?.mail) {
    return null
  }
  return (
    <>
      <span class="quiet">({texts.notConfirmed})</span>{' '}
      <button type="button" class="link" disabled={send.isBusy} onClick={() => void send.run()}>
        {texts.sendConfirmation}
      </button>
    </>
  )
}
