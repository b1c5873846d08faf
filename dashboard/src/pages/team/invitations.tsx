import { deleteInvitation, listInvitations } from '../../api/account.ts'
import { useList } from '../../api/list.ts'
import type { Invitation } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { may } from '../../session/rights.ts'
import { More } from '../../ui/listing.tsx'
import { Section } from '../../ui/page.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { removeLater } from '../../ui/row-changes.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

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
        {may('admin') && (
          <RowButton label={texts.withdraw} about={email} onClick={() => withdraw(invitation)} />
        )}
      </td>
    </tr>
  )
}

function withdraw({ id, email }: Invitation): void {
  removeLater(id, {
    list: 'invitations',
    text: t.value.team.withdrawn(email),
    commit: (keepalive) => deleteInvitation(id, keepalive),
  })
}
