import type { Transfer } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { may } from '../../session/rights.ts'
import { useChosen } from '../../ui/dialog.tsx'
import { Listing } from '../../ui/listing.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { AcceptDialog } from './accept.tsx'
import { end, isReceived, recipientOf, senderOf, useTransfers } from './list.ts'

/** Agents offered to other accounts, and by them to this one. */
export function Transfers() {
  const { transfers: texts, common } = t.value
  // Of the page and not of the row, which has no button any more while the key is shown.
  const accepting = useChosen<Transfer>()
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} needs="admin" />
      <Listing
        of={useTransfers()}
        skeleton={3}
        none={texts.none}
        noneText={texts.noneText}
        columns={[texts.agent, texts.party, common.status, texts.until]}
        hasActions
      >
        {(transfer) => (
          <TransferRow transfer={transfer} onAccept={() => accepting.open(transfer)} />
        )}
      </Listing>
      {accepting.about && <AcceptDialog transfer={accepting.about} onClose={accepting.close} />}
    </>
  )
}

function TransferRow({ transfer, onAccept }: { transfer: Transfer; onAccept: () => void }) {
  const { transfers: texts } = t.value
  const { agentId, agentName, status, expiresAt, endedAt } = transfer
  const received = isReceived(transfer)
  // Before it is accepted, and after it was, the agent is the account's own or it is not.
  const isOwn = received === (status === 'accepted')
  return (
    <tr>
      <th scope="row">
        {isOwn ? <a href={to.agent('owner', agentId)}>{agentName}</a> : agentName}
      </th>
      <td class="cell-long">
        {received ? texts.from(senderOf(transfer)) : texts.to(recipientOf(transfer))}
      </td>
      <td>
        <Status name={status} />
      </td>
      <td>
        <Time at={endedAt ?? expiresAt} />
      </td>
      <td class="number">
        {status === 'pending' && may('admin') && (
          <span class="row-actions">
            {received && (
              <RowButton
                label={texts.accept}
                about={agentName}
                class="primary"
                onClick={onAccept}
              />
            )}
            <RowButton
              label={received ? texts.decline : texts.withdraw}
              about={agentName}
              onClick={() => end(transfer)}
            />
          </span>
        )}
      </td>
    </tr>
  )
}
