import { deleteInvitation, listInvitations } from '../../api/account.ts'
import { patch, refresh } from '../../api/cache.ts'
import { type Rows, useList } from '../../api/list.ts'
import type { Invitation } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { More } from '../../ui/listing.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded, messageOf } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { later } from '../../ui/toasts.tsx'

/** Open invitations; shown if there are any. */
export function Invitations() {
  const { team: texts, session, common } = t.value
  const list = useList<Invitation>('invitations', listInvitations)
  return (
    <Loaded of={list} rows={2}>
      {({ rows }) =>
        rows.length === 0 ? null : (
          <Section title={texts.invitations}>
            <Table columns={[session.email, texts.role, common.status, texts.until]} hasActions>
              {rows.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </Table>
            <More list={list} />
          </Section>
        )
      }
    </Loaded>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { team: texts } = t.value
  const { email, role, status, expiresAt } = invitation
  return (
    <tr>
      <th scope="row">{email}</th>
      <td>{role && texts.roles[role]}</td>
      <td>
        <Status name={status} />
      </td>
      <td>
        <Time at={expiresAt} />
      </td>
      <td class="number">
        <button type="button" onClick={() => withdraw(invitation)}>
          {texts.withdraw}
          <span class="visually-hidden"> {email}</span>
        </button>
      </td>
    </tr>
  )
}

function withdraw({ id, email }: Invitation): void {
  patch<Rows<Invitation>>('invitations', ({ rows, ...rest }) => ({
    ...rest,
    rows: rows.filter((one) => one.id !== id),
  }))
  later({
    text: t.value.team.withdrawn(email),
    commit: (keepalive) => deleteInvitation(id, keepalive),
    undo: () => refresh('invitations'),
    failed: messageOf,
  })
}
