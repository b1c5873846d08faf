import { deletePolicy, listPolicies } from '../../../api/decisions.ts'
import { useList } from '../../../api/list.ts'
import type { Policy } from '../../../api/types.ts'
import { money, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { useChosen } from '../../../ui/dialog.tsx'
import { Listing, useCreateButton } from '../../../ui/listing.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { RowButton } from '../../../ui/row-button.tsx'
import { removeLater } from '../../../ui/row-changes.tsx'
import { PolicyDialog } from './policy-dialog.tsx'

/** What the platform asks of agents before it deals with them. */
export function Policies() {
  const { policies: texts, common } = t.value
  const { about, open, close } = useChosen<Policy | 'new'>()
  const list = useList<Named>('policies', async (cursor, signal) => {
    const { data, nextCursor } = await listPolicies(cursor, signal)
    return { data: data.map((policy) => ({ ...policy, id: policy.name })), nextCursor }
  })
  const createButton = useCreateButton('create-policy', texts.create, () => open('new'))
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {createButton}
      </PageHead>
      <Listing
        of={list}
        skeleton={3}
        none={texts.none}
        noneText={texts.noneText}
        columns={[
          common.name,
          { number: texts.minScore },
          texts.minConfidence,
          texts.unknown,
          texts.disputed,
          { number: texts.maxExposure },
        ]}
        hasActions
      >
        {(policy) => <PolicyRow policy={policy} onOpen={() => open(policy)} />}
      </Listing>
      {about && <PolicyDialog known={about === 'new' ? null : about} onClose={close} />}
    </>
  )
}

/** Lists identify rows by `id`; the id of a policy is its name. */
interface Named extends Policy {
  readonly id: string
}

function PolicyRow({ policy, onOpen }: { policy: Policy; onOpen: () => void }) {
  const { policies: texts, tiers } = t.value
  const { name, minScore, minConfidence, unknown, disputed, maxExposure } = policy
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="number">{number(minScore)}</td>
      <td>{tiers.confidence[minConfidence]}</td>
      <td>{texts.verdicts[unknown]}</td>
      <td>{texts.verdicts[disputed]}</td>
      <td class="number">{maxExposure === null ? texts.noLimit : money(maxExposure, 'USD')}</td>
      <td class="number">
        <span class="row-actions">
          <RowButton label={texts.edit} about={name} onClick={onOpen} />
          <RowButton
            label={texts.remove}
            about={name}
            class="danger"
            onClick={() => remove(name)}
          />
        </span>
      </td>
    </tr>
  )
}

function remove(name: string): void {
  removeLater(name, {
    list: 'policies',
    text: t.value.policies.removed(name),
    commit: (keepalive) => deletePolicy(name, keepalive),
  })
}
