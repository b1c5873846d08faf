import { useSignal } from '@preact/signals'
import { listMembers } from '../../api/account.ts'
import { useList } from '../../api/list.ts'
import type { Member } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { useCreate } from '../../shell/commands.ts'
import { More } from '../../ui/more.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite.tsx'
import { MemberRow } from './member-row.tsx'

/** Who may use the account, and who is invited to. */
export function Team() {
  const { team: texts, session, common } = t.value
  const isInviting = useSignal(false)
  const list = useList<Member>('members', listMembers)
  const invite = () => {
    isInviting.value = true
  }
  useCreate('invite', texts.invite, invite)
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <button type="button" class="primary" onClick={invite} title={`${texts.invite} (C)`}>
          {texts.invite}
        </button>
      </PageHead>
      <Loaded of={list} rows={3}>
        {({ rows }) => (
          <>
            <Table
              columns={[session.email, common.name, texts.role, texts.confirmed, texts.since]}
              hasActions
            >
              {rows.map((member) => (
                <MemberRow key={member.id} member={member} />
              ))}
            </Table>
            <More list={list} />
          </>
        )}
      </Loaded>
      <Invitations />
      {isInviting.value && (
        <InviteDialog
          onClose={() => {
            isInviting.value = false
          }}
        />
      )}
    </>
  )
}
