import { deleteIdentifier } from '../../../api/identifiers.ts'
import type { Identifier } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { RowButton } from '../../../ui/row-button.tsx'
import { removeLater } from '../../../ui/row-changes.tsx'
import { Said } from '../../../ui/said.tsx'
import { Status } from '../../../ui/status.tsx'
import { Time } from '../../../ui/time.tsx'
import { refreshAgent } from '../data.ts'

export function IdentifierRow({
  identifier,
  onProve,
}: {
  identifier: Identifier
  /** Null for who may only look. */
  onProve: ((identifier: Identifier) => void) | null
}) {
  const { identifiers: texts } = t.value
  const { type, value, status, proof, problem, checkedAt } = identifier
  return (
    <tr>
      <th scope="row" class="mono cell-long">
        {value}
      </th>
      <td>{texts.types[type]}</td>
      <td>
        <Status name={status} />
        {problem && (
          <p class="field-error">
            <Said words={t.value.service.proofs[problem.code]} text={problem.message} isDetailed />
          </p>
        )}
      </td>
      <td>{proof ? texts.methods[proof.method] : <span class="quiet">–</span>}</td>
      <td>
        <Time at={checkedAt} />
      </td>
      <td class="number">
        {onProve && (
          <span class="row-actions">
            <RowButton
              label={status === 'verified' ? texts.again : texts.prove}
              about={value}
              onClick={() => onProve(identifier)}
            />
            <RowButton
              label={texts.remove}
              about={value}
              class="danger"
              onClick={() => remove(identifier)}
            />
          </span>
        )}
      </td>
    </tr>
  )
}

function remove(identifier: Identifier): void {
  const { id, agentId, value } = identifier
  removeLater(id, {
    list: `identifiers:${agentId}`,
    text: t.value.identifiers.removed(value),
    commit: async (keepalive) => {
      await deleteIdentifier(identifier, keepalive)
      refreshAgent(agentId)
    },
  })
}
