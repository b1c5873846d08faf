import { useSignal } from '@preact/signals'
import { listIdentifiers } from '../../../api/identifiers.ts'
import { useList } from '../../../api/list.ts'
import type { Identifier } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { useCreate } from '../../../shell/commands.ts'
import { More } from '../../../ui/more.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import type { AgentView } from '../data.ts'
import { ClaimDialog } from './claim.tsx'
import { IdentifierRow } from './identifier-row.tsx'
import { ProveDialog } from './prove.tsx'

/** The names that the agent has elsewhere, and which of them are proven. */
export function AgentIdentifiers({ view: { id, room, agent } }: { view: AgentView }) {
  const { identifiers: texts, common } = t.value
  const isClaiming = useSignal(false)
  const proving = useSignal<Identifier | null>(null)
  const list = useList<Identifier>(`identifiers:${id}`, (cursor, signal) =>
    listIdentifiers(id, cursor, signal),
  )
  const mayClaim = room === 'my' && agent.data?.status === 'active'
  const claim = () => {
    isClaiming.value = true
  }
  const prove = (identifier: Identifier) => {
    isClaiming.value = false
    proving.value = identifier
  }
  useCreate('claim', texts.claim, claim, mayClaim)
  return (
    <>
      {mayClaim && (
        <div class="filters">
          <button type="button" class="primary" onClick={claim} title={`${texts.claim} (C)`}>
            {texts.claim}
          </button>
        </div>
      )}
      <Loaded of={list} rows={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={texts.none}>
              <p>{texts.noneText}</p>
            </Empty>
          ) : (
            <>
              <Table
                columns={[texts.value, texts.type, common.status, texts.provenBy, texts.checked]}
                hasActions
              >
                {rows.map((identifier) => (
                  <IdentifierRow
                    key={identifier.id}
                    identifier={identifier}
                    onProve={mayClaim ? prove : null}
                  />
                ))}
              </Table>
              <More list={list} />
            </>
          )
        }
      </Loaded>
      {isClaiming.value && (
        <ClaimDialog
          agentId={id}
          onClaimed={prove}
          onClose={() => {
            isClaiming.value = false
          }}
        />
      )}
      {proving.value && (
        <ProveDialog
          identifier={proving.value}
          onClose={() => {
            proving.value = null
          }}
        />
      )}
    </>
  )
}
