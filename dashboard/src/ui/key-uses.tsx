import type { Operator } from '../api/types.ts'
import { dateTime } from '../messages/format.ts'
import { t } from '../messages/index.ts'
import { Time } from './time.tsx'

export type ValidKeys = Operator['apiKeys']

/** When each key was last used: of one key in a line, of more with when each was created and until when it works. */
export function KeyUses({ keys }: { keys: ValidKeys }) {
  const { settings: texts, apiKeys } = t.value
  const [only, ...others] = keys
  if (only && others.length === 0) {
    return (
      <p class="quiet">
        {apiKeys.lastUsed}: <Time at={only.lastUsedAt} />
      </p>
    )
  }
  return (
    <ul class="quiet">
      {keys.map(({ createdAt, lastUsedAt, expiresAt }) => (
        <li key={createdAt}>
          {texts.keyOf(dateTime(createdAt))} {apiKeys.lastUsed}: <Time at={lastUsedAt} />
          {expiresAt !== null && `. ${texts.worksUntil(dateTime(expiresAt))}`}
        </li>
      ))}
    </ul>
  )
}
