import type { Operator } from '../api/types.ts'
import { t } from '../messages/index.ts'
import { Table } from './table.tsx'
import { Time } from './time.tsx'

export type KeyRecords = Operator['apiKeys']

/** When each key was created and last used, and until when it works or worked: one line where there is one key. */
export function KeyUses({ keys }: { keys: KeyRecords }) {
  const { settings: texts, apiKeys, common } = t.value
  const [only, ...others] = keys
  if (!only) {
    return null
  }
  if (others.length === 0) {
    return (
      <p class="quiet">
        {apiKeys.lastUsed}: <Time at={only.lastUsedAt} />
      </p>
    )
  }
  return (
    <Table columns={[common.created, apiKeys.lastUsed, texts.worksUntil]}>
      {keys.map(({ createdAt, lastUsedAt, expiresAt }, i) => (
        // Two keys may be created in the same millisecond.
        <tr key={i}>
          <td>
            <Time at={createdAt} />
          </td>
          <td>
            <Time at={lastUsedAt} />
          </td>
          <td>{expiresAt !== null && <Time at={expiresAt} />}</td>
        </tr>
      ))}
    </Table>
  )
}
