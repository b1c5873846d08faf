import { date } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { isReceived, senderOf, useTransfers } from './list.ts'

/** Offers that wait for an answer, where an owner looks first. */
export function Offers() {
  const { transfers: texts } = t.value
  const rows = useTransfers().data?.rows ?? []
  const open = rows.filter((one) => one.status === 'pending' && isReceived(one))
  return (
    <>
      {open.map((one) => (
        <p key={one.id} class="banner">
          {texts.received(senderOf(one), one.agentName, date(one.expiresAt))}{' '}
          <a href={to.transfers()}>{texts.look}</a>
        </p>
      ))}
    </>
  )
}
