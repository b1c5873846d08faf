import { listIdentifiers } from '../../../api/identifiers.ts'
import { useList } from '../../../api/list.ts'
import type { Identifier } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { may } from '../../../session/rights.ts'
import { useChosen } from '../../../ui/dialog.tsx'
import { Listing, useCreating } from '../../../ui/listing.tsx'
import { RoleNote } from '../../../ui/role-note.tsx'
import type { AgentView } from '../data.ts'
import { ClaimDialog } from './claim.tsx'
import { IdentifierRow } from './identifier-row.tsx'
import { ProveDialog } from './prove.tsx'

/** The names that the agent has elsewhere, and which of them are proven. */
export function AgentIdentifiers({ view: { id, kind, agent } }: { view: AgentView }) {
  const { identifiers: texts, common } = t.value
  const proving = useChosen<Identifier>()
  const list = useList<Identifier>(`identifiers:${id}`, listIdentifiers(id))
  const mayClaim = kind === 'owner' && may('manage') && agent.data?.status === 'active'
  const claiming = useCreating('claim', texts.claim, mayClaim)
  const prove = (identifier: Identifier) => {
    claiming.close()
    proving.open(identifier)
  }
  return (
    <>
      <RoleNote needs="manage" />
      {mayClaim && <div class="filters">{claiming.button}</div>}
      <Listing
        of={list}
        skeleton={3}
        none={texts.none}
        noneText={texts.noneText}
        columns={[texts.value, texts.type, common.status, texts.provenBy, texts.checked]}
        hasActions
      >
        {(identifier) => (
          <IdentifierRow identifier={identifier} onProve={mayClaim ? prove : null} />
        )}
      </Listing>
      {claiming.isOpen && <ClaimDialog agentId={id} onClaimed={prove} onClose={claiming.close} />}
      {proving.about && <ProveDialog identifier={proving.about} onClose={proving.close} />}
    </>
  )
}
