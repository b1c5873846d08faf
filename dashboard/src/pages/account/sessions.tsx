import { useRef } from 'preact/hooks'
import { endSession, listSessions } from '../../api/auth.ts'
import { patch } from '../../api/cache.ts'
import { type Rows, useList } from '../../api/list.ts'
import type { ActiveSession } from '../../api/types.ts'
import { dateTime } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Listing } from '../../ui/listing.tsx'
import { Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { useToastedAction } from '../../ui/toasted-action.ts'
import { toast } from '../../ui/toasts.tsx'

/** The sign-ins of the person that have not ended. Another session is ended at once: it may be a stranger's. */
export function Sessions() {
  const { session: texts } = t.value
  const list = useList<ActiveSession>('sessions', listSessions)
  const table = useRef<HTMLDivElement>(null)
  return (
    <Section title={texts.sessions} lead={texts.sessionsLead}>
      <div ref={table} tabIndex={-1}>
        <Listing
          of={list}
          skeleton={2}
          none=""
          columns={[texts.signedIn, texts.lastUsed, texts.ends]}
          hasActions
        >
          {(session) => (
            <SessionRow
              session={session}
              // The button is gone with its row, and the keyboard goes on from the table.
              onEnded={() => table.current?.focus({ preventScroll: true })}
            />
          )}
        </Listing>
      </div>
    </Section>
  )
}

function SessionRow({ session, onEnded }: { session: ActiveSession; onEnded: () => void }) {
  const { session: texts } = t.value
  const { id, isCurrent, createdAt, lastUsedAt, expiresAt } = session
  const end = useToastedAction(async () => {
    await endSession(id)
    patch<Rows<ActiveSession>>('sessions', ({ rows, ...rest }) => ({
      ...rest,
      rows: rows.filter((one) => one.id !== id),
    }))
    toast(texts.sessionEnded)
    onEnded()
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
          <button type="button" class="danger" disabled={end.isBusy} onClick={() => void end.run()}>
            {texts.endSession}
            <span class="visually-hidden"> {dateTime(createdAt)}</span>
          </button>
        )}
      </td>
    </tr>
  )
}
