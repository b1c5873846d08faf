import { listCredentials } from '../../../api/credentials.ts'
import { useList } from '../../../api/list.ts'
import type { Credential } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { may } from '../../../session/rights.ts'
import { useChosen } from '../../../ui/dialog.tsx'
import { Listing, useCreateButton } from '../../../ui/listing.tsx'
import { RoleNote } from '../../../ui/role-note.tsx'
import type { AgentView } from '../data.ts'
import { CertifyDialog } from './certify.tsx'
import { CredentialRow } from './credential-row.tsx'
import { IssueDialog } from './issue.tsx'

/** What was issued to the agent, and what can still be verified. */
export function AgentCredentials({ view }: { view: AgentView }) {
  const { credentials: texts, common } = t.value
  const { id } = view
  const { about, open, close } = useChosen<'issue' | 'certify'>()
  const list = useList<Credential>(`credentials:${id}`, listCredentials(id))
  const mayIssue = may('manage') && view.agent.data?.status !== 'deactivated'
  const issueButton = useCreateButton('issue', texts.issue, () => open('issue'), mayIssue)
  return (
    <>
      <RoleNote needs="manage" />
      {mayIssue && (
        <div class="filters">
          {issueButton}
          <button type="button" onClick={() => open('certify')}>
            {texts.certify}
          </button>
        </div>
      )}
      <Listing
        of={list}
        skeleton={4}
        none={texts.none}
        noneText={texts.noneText}
        columns={[texts.type, texts.claims, common.status, texts.by, texts.issued, texts.expires]}
        hasActions
      >
        {(credential) => <CredentialRow credential={credential} />}
      </Listing>
      {about === 'issue' && <IssueDialog agentId={id} onClose={close} />}
      {about === 'certify' && <CertifyDialog view={view} onClose={close} />}
    </>
  )
}
