import { patch, refresh } from '../../../api/cache.ts'
import { deleteIdentifier } from '../../../api/identifiers.ts'
import type { Rows } from '../../../api/list.ts'
import type { Identifier } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { messageOf } from '../../../ui/states.tsx'
import { Status } from '../../../ui/status.tsx'
import { Time } from '../../../ui/time.tsx'
import { later } from '../../../ui/toasts.tsx'
import { refreshAgent } from '../data.ts'

export function IdentifierRow({
  identifier,
  onProve,
}: {
  identifier: Identifier
  /** Null for who may only look. */
  onProve: ((identifier: Identifier) => void) | null
}) {
  const { identifiers: texts, common } = t.value
  const { type, value, status, proof, problem, checkedAt } = identifier
  return (
    <tr>
      <th scope="row" class="mono cell-long">
        {value}
      </th>
      <td>{texts.types[type]}</td>
      <td title={problem?.message}>
        <Status name={status} />
        {problem && <p class="field-error">{problem.message}</p>}
      </td>
      <td>{proof ? texts.methods[proof.method] : <span class="quiet">–</span>}</td>
      <td>{checkedAt ? <Time at={checkedAt} /> : common.never}</td>
      <td class="number">
        {onProve && (
          <span class="row-actions">
            <button type="button" onClick={() => onProve(identifier)}>
              {status === 'verified' ? texts.again : texts.prove}
              <span class="visually-hidden"> {value}</span>
            </button>
            <button type="button" class="danger" onClick={() => remove(identifier)}>
              {texts.remove}
              <span class="visually-hidden"> {value}</span>
            </button>
          </span>
        )}
      </td>
    </tr>
  )
}

function remove(identifier: Identifier): void {
  const { id, agentId, value } = identifier
  const key = `identifiers:${agentId}`
  patch<Rows<Identifier>>(key, ({ rows, ...rest }) => ({
    ...rest,
    rows: rows.filter((one) => one.id !== id),
  }))
  later({
    text: t.value.identifiers.removed(value),
    commit: async (keepalive) => {
      await deleteIdentifier(identifier, keepalive)
      refreshAgent(agentId)
    },
    undo: () => refresh(key),
    failed: messageOf,
  })
}
