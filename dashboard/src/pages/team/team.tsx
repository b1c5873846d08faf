import { listMembers } from '../../api/account.ts'
import { useList } from '../../api/list.ts'
import type { Member } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { may } from '../../session/rights.ts'
import { Listing, useCreating } from '../../ui/listing.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite.tsx'
import { MemberRow } from './member-row.tsx'

/** Who may use the account, and who is invited to. */
export function Team() {
  const { team: texts, session, common } = t.value
  const list = useList<Member>('members', listMembers)
  const inviting = useCreating('invite', texts.invite, may('admin'))
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} needs="admin">
        {inviting.button}
      </PageHead>
      <Listing
        of={list}
        none=""
        columns={[session.email, common.name, texts.role, texts.confirmed, texts.since]}
        hasActions
      >
        {(member) => <MemberRow member={member} />}
      </Listing>
      <Invitations />
      {inviting.isOpen && <InviteDialog onClose={inviting.close} />}
    </>
  )
}
