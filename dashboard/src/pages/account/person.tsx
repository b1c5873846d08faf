import { useAction } from '../../api/action.ts'
import { authOptions, requestEmailConfirmation } from '../../api/auth.ts'
import { useResource } from '../../api/resource.ts'
import type { Account } from '../../api/types.ts'
import { dateTime } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { messageOf } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.tsx'

/** The person who is signed in, and the account that this person works in. */
export function Person({ account, expiresAt }: { account: Account; expiresAt: string }) {
  const { session: texts, serviceTiers } = t.value
  const { member } = account
  return (
    <dl class="facts">
      <dt>{texts.email}</dt>
      <dd>
        {emailOf(account)}{' '}
        {member?.emailConfirmed === false && <Unconfirmed email={member.email} />}
      </dd>
      {member?.isOwner === false && (
        <>
          <dt>{texts.accountTitle}</dt>
          <dd>{account.email}</dd>
        </>
      )}
      <dt>{texts.tier}</dt>
      <dd>{serviceTiers[account.tier]}</dd>
      <dt>{texts.memberSince}</dt>
      <dd>{dateTime(account.createdAt)}</dd>
      <dt>{texts.sessionUntil}</dt>
      <dd>{dateTime(expiresAt)}</dd>
    </dl>
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
  const send = useAction(async () => {
    try {
      await requestEmailConfirmation()
      toast(texts.confirmationSent(email))
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
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
