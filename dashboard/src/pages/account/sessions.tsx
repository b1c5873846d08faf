import { endSession, listSessions } from '../../api/auth.ts'
import { dropRow, useList } from '../../api/list.ts'
import type { ActiveSession } from '../../api/types.ts'
import { dateTime } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Listing } from '../../ui/listing.tsx'
import { Section } from '../../ui/page.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { Time } from '../../ui/time.tsx'
import { useToastedAction } from '../../ui/toasted-action.tsx'
import { toast } from '../../ui/toasts.tsx'

/** The sign-ins of the person that have not ended. Another session is ended at once: it may be a stranger's. */
export function Sessions() {
  const { session: texts } = t.value
  const list = useList<ActiveSession>('sessions', listSessions)
  return (
    <Section title={texts.sessions} lead={texts.sessionsLead}>
      <Listing
        of={list}
        skeleton={2}
        none=""
        columns={[texts.signedIn, texts.lastUsed, texts.ends]}
        hasActions
      >
        {(session) => <SessionRow session={session} />}
      </Listing>
    </Section>
  )
}

function SessionRow({ session }: { session: ActiveSession }) {
  const { session: texts } = t.value
  const { id, isCurrent, createdAt, lastUsedAt, expiresAt } = session
  const end = useToastedAction(async () => {
    await endSession(id)
    dropRow('sessions', id)
    toast(texts.sessionEnded)
  })
  return (
    <tr>
      <th scope="row">
        <Time at={createdAt} />
      </th>
      <td>
        <Time at={lastUsedAt} />
      </td>
      <td>
        <Time at={expiresAt} />
      </td>
      <td class="number">
        {isCurrent ? (
          <span class="quiet">{texts.thisSession}</span>
        ) : (
          <RowButton
            label={texts.endSession}
            about={dateTime(createdAt)}
            class="danger"
            isBusy={end.isBusy}
            onClick={() => void end.run()}
          />
        )}
      </td>
    </tr>
  )
}
